/* y = x - offset */
void NAME_subtract(int count, int offset, int x, int y)
{
    for (int i = 0; i < count; ++i)
        NAME_numbers[y + i] = NAME_numbers[x + i] - NAME_constant(offset + i);
}
