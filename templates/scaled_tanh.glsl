/* The exponent is never positive, so nothing overflows. */
void NAME_scaled_tanh(int count, int x)
{
    for (int i = x; i < x + count; ++i) {
        float e = exp(-4.0 / 3.0 * abs(NAME_numbers[i]));
        NAME_numbers[i] = 1.7159 * sign(NAME_numbers[i]) * (1.0 - e) / (1.0 + e);
    }
}
