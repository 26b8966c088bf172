/* x = a number, or fill if it is missing; then whether it is missing. */
static void encode_number(float value, float fill, int has_indicator, float *x)
{
    x[0] = value != value ? fill : value;
    if (has_indicator)
        x[1] = value != value;
}
