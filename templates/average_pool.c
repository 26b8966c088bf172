/* The mean of a window. Numbers outside of the image are 0. */
static float average_pool(const struct window *of, struct range rows, struct range columns,
                          const float *x)
{
    float sum = 0;
    for (int v = rows.first; v < rows.end; ++v)
        for (int u = columns.first; u < columns.end; ++u)
            sum += x[v * of->width + u];
    return sum / (float)(of->kernel_height * of->kernel_width);
}
