// The metrics of a row of a batch are four numbers: the loss, 1 if the sample is classified
// correctly, 1 if the loss is finite, and 1. A pass adds them to the metrics of the batches before,
// so that the sums of an epoch stay on the GPU.
#define GREATEST_FINITE 3.4e38

vec4 metrics_of(float loss, float correct)
{
    return vec4(loss, correct, abs(loss) < GREATEST_FINITE ? 1.0 : 0.0, 1.0);
}

// The part of a further output of a network.
vec4 further_metrics_of(float loss)
{
    return vec4(loss, 0.0, abs(loss) < GREATEST_FINITE ? 0.0 : -1.0, 0.0);
}

// The sums over the batches before, in a column group of METRICS. A kernel calls this before it
// computes the metrics, so that the read and the computation overlap.
vec4 former_metrics(int row, int group)
{
#if defined(HAS_METRICS) && HAS_METRICS
    return METRICS_row(ivec2(group, row));
#else
    return vec4(0.0);
#endif
}

void store_metrics(int row, int group, vec4 sum)
{
#if defined(HAS_METRICS) && HAS_METRICS
    METRICS_store_row(ivec2(group, row), sum);
#endif
}
