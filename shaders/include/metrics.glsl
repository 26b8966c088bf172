// The metrics of a row of a batch: its loss, 1 if it is classified right, 1 if the loss is finite,
// 1. They are added to those of former batches.
#define GREATEST_FINITE 3.4e38

vec4 metrics_of(float loss, float correct)
{
    return vec4(loss, correct, abs(loss) < GREATEST_FINITE ? 1.0 : 0.0, 1.0);
}

// The sum over former batches. It is read before the row's metrics are computed, which takes as
// long.
vec4 former_metrics(int row)
{
#if HAS_METRICS
    return imageLoad(METRICS_texture, ivec2(0, row));
#else
    return vec4(0.0);
#endif
}

void store_metrics(int row, vec4 sum)
{
#if HAS_METRICS
    imageStore(METRICS_texture, ivec2(0, row), sum);
#endif
}
