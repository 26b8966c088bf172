/* y = x P(x), with the distribution function P of a standard normal number by formula 7.1.26 of
 * Abramowitz, Stegun: Handbook of mathematical functions (1964). */
void NAME_gelu(int count, int x, int y)
{
    for (int i = 0; i < count; ++i) {
        float value = NAME_numbers[x + i], e = exp(-0.5 * value * value);
        float t = 1.0 / (1.0 + 0.3275911 * 0.70710678 * abs(value));
        float below = 0.5 * e * t *
            (0.254829592 +
             t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
        NAME_numbers[y + i] = value * (value < 0.0 ? below : 1.0 - below);
    }
}
