void NAME_elu(int count, int x)
{
    for (int i = x; i < x + count; ++i)
        NAME_numbers[i] = NAME_numbers[i] < 0.0 ? exp(NAME_numbers[i]) - 1.0 : NAME_numbers[i];
}
