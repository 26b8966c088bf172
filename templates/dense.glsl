/* y = weight x + bias, where the weight is units x count, row after row. */
void NAME_dense(int count, int units, int weight, int bias, int x, int y)
{
    for (int i = 0; i < units; ++i) {
        float sum = NAME_constant(bias + i);
        for (int j = 0; j < count; ++j)
            sum += NAME_constant(weight + i * count + j) * NAME_numbers[x + j];
        NAME_numbers[y + i] = sum;
    }
}
