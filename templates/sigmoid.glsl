/* The exponent is never positive, so nothing overflows. */
void NAME_sigmoid(int count, int x)
{
    for (int i = x; i < x + count; ++i) {
        float e = exp(-abs(NAME_numbers[i]));
        NAME_numbers[i] = (NAME_numbers[i] < 0.0 ? e : 1.0) / (1.0 + e);
    }
}
