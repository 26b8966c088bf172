/* x = x / factor + offset */
void NAME_unscale(int count, int offset, int factor, int x)
{
    for (int i = 0; i < count; ++i)
        NAME_numbers[x + i] =
            NAME_numbers[x + i] / NAME_constant(factor + i) + NAME_constant(offset + i);
}
