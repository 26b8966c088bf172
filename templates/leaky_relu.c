static void leaky_relu(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = x[i] < 0 ? 0.01f * x[i] : x[i];
}
