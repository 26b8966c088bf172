/* The number of the greatest output, and of equal ones the lowest. */
static int greatest(int count, const float *output)
{
    int found = 0;
    for (int i = 1; i < count; ++i)
        found = output[i] > output[found] ? i : found;
    return found;
}
