/* y = weight x + bias, where the weight is outputs x inputs, row after row. */
static void dense(int inputs, int outputs, const float *weight, const float *bias, const float *x,
                  float *y)
{
    for (int i = 0; i < outputs; ++i) {
        float sum = bias[i];
        for (int j = 0; j < inputs; ++j)
            sum += weight[j] * x[j];
        y[i] = sum;
        weight += inputs;
    }
}
