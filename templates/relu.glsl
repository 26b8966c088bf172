void NAME_relu(int count, int x)
{
    for (int i = x; i < x + count; ++i)
        NAME_numbers[i] = NAME_numbers[i] < 0.0 ? 0.0 : NAME_numbers[i];
}
