#include <math.h>

/* The greatest number of a window. */
static float max_pool(const struct window *of, struct range rows, struct range columns,
                      const float *x)
{
    float most = -INFINITY;
    for (int v = rows.first; v < rows.end; ++v)
        for (int u = columns.first; u < columns.end; ++u)
            if (x[v * of->width + u] > most)
                most = x[v * of->width + u];
    return most;
}
