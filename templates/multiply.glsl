/* z = x y, number by number */
void NAME_multiply(int count, int x, int y, int z)
{
    for (int i = 0; i < count; ++i)
        NAME_numbers[z + i] = NAME_numbers[x + i] * NAME_numbers[y + i];
}
