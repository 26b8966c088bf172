/* Whether the only output is above a number: class 1. */
int NAME_is_above(float number, int x)
{
    return NAME_numbers[x] > number ? 1 : 0;
}
