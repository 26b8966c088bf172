/* Whether the only output is above a number: class 1. */
static int is_above(float number, const float *output)
{
    return output[0] > number;
}
