/* The number of the greatest output, and of equal ones the lowest. */
int NAME_greatest(int count, int x)
{
    int found = 0;
    for (int i = 1; i < count; ++i)
        found = NAME_numbers[x + i] > NAME_numbers[x + found] ? i : found;
    return found;
}
