/* The greatest exponent is 0, so that nothing overflows. */
void NAME_softmax(int count, int x)
{
    float most = NAME_numbers[x], sum = 0.0;
    for (int i = x + 1; i < x + count; ++i)
        most = max(most, NAME_numbers[i]);
    for (int i = x; i < x + count; ++i) {
        NAME_numbers[i] = exp(NAME_numbers[i] - most);
        sum += NAME_numbers[i];
    }
    for (int i = x; i < x + count; ++i)
        NAME_numbers[i] /= sum;
}
