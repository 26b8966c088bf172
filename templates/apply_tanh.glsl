/* The exponent is never positive, so nothing overflows. */
void NAME_apply_tanh(int count, int x)
{
    for (int i = x; i < x + count; ++i) {
        float e = exp(-2.0 * abs(NAME_numbers[i]));
        NAME_numbers[i] = sign(NAME_numbers[i]) * (1.0 - e) / (1.0 + e);
    }
}
