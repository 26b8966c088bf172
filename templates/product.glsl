/* y = matrix x, where the matrix is rows x columns, row after row. */
void NAME_product(int rows, int columns, int matrix, int x, int y)
{
    for (int i = 0; i < rows; ++i) {
        float sum = 0.0;
        for (int j = 0; j < columns; ++j)
            sum += NAME_constant(matrix + i * columns + j) * NAME_numbers[x + j];
        NAME_numbers[y + i] = sum;
    }
}
