// The metrics of a row of a batch: its loss, 1 if it is classified right, 1 if the loss is finite, 1.
// They are added to those of former batches.
#define GREATEST_FINITE 3.4e38

vec4 metrics_of(float loss, float correct)
{
    return vec4(loss, correct, abs(loss) < GREATEST_FINITE ? 1.0 : 0.0, 1.0);
}

void add_metrics(int row, vec4 metrics)
{
#if HAS_METRICS
    ivec2 place = ivec2(0, row);
    imageStore(METRICS_texture, place, imageLoad(METRICS_texture, place) + metrics);
#endif
}
