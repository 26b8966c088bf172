//! use target
// What training counts of a row of a batch: its loss, 1 if its greatest output is its label's, 1 if
// the loss is a finite number, 1.
#define GREATEST_FINITE 3.4e38

vec4 score(int row, int sample_index, vec2 stats)
{
    float loss = stats.y;
    float greatest = -INFINITY;
    float greatest_target = 0.0;
    for (int j = 0; j < Z_size.y; ++j) {
        float z = Z_element(row, j);
        float t = target_of(sample_index, j);
#if LOSS == LOSS_CROSS_ENTROPY
        loss -= t * (z - stats.x);
#else
        loss += 0.5 * (z - t) * (z - t);
#endif
        greatest_target = z > greatest ? t : greatest_target;
        greatest = max(greatest, z);
    }
    bool is_finite = abs(loss) < GREATEST_FINITE;
    return vec4(loss, LABELS == 1 ? greatest_target : 0.0, is_finite ? 1.0 : 0.0, 1.0);
}
