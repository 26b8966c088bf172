/* y = matrix x, where the matrix is rows x columns, row after row. */
static void product(int rows, int columns, const float *matrix, const float *x, float *y)
{
    for (int i = 0; i < rows; ++i) {
        float sum = 0;
        for (int j = 0; j < columns; ++j)
            sum += matrix[j] * x[j];
        y[i] = sum;
        matrix += columns;
    }
}
