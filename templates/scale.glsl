/* y = (x - offset) * factor */
void NAME_scale(int count, int offset, int factor, int x, int y)
{
    for (int i = 0; i < count; ++i)
        NAME_numbers[y + i] =
            (NAME_numbers[x + i] - NAME_constant(offset + i)) * NAME_constant(factor + i);
}
