void NAME_softsign(int count, int x)
{
    for (int i = x; i < x + count; ++i)
        NAME_numbers[i] /= 1.0 + abs(NAME_numbers[i]);
}
