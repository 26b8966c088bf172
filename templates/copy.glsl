void NAME_copy(int count, int x, int y)
{
    for (int i = 0; i < count; ++i)
        NAME_numbers[y + i] = NAME_numbers[x + i];
}
