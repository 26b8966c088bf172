//! use target
// What training counts of a row of a batch: its loss, 1 if its greatest output is its label's, 1 if
// the loss is a finite number, 1.
#define GREATEST_FINITE 3.4e38

vec4 score(int row, int key, vec2 stats)
{
    float loss = stats.y;
    float greatest = -INFINITY;
    float greatest_target = 0.0;
    for (int q = 0; 4 * q < Z_size.y; ++q) {
        vec4 z = Z_edge_quad(row, q);
        vec4 t = target_quad(key, q);
        for (int c = 0; c < 4; ++c) {
            if (4 * q + c >= Z_size.y)
                break;
#if LOSS == GLNN_LOSS_CROSS_ENTROPY
            loss -= t[c] * (z[c] - stats.x);
#else
            loss += 0.5 * (z[c] - t[c]) * (z[c] - t[c]);
#endif
            greatest_target = z[c] > greatest ? t[c] : greatest_target;
            greatest = max(greatest, z[c]);
        }
    }
    bool is_finite = abs(loss) < GREATEST_FINITE;
    return vec4(loss, LABELS == 1 ? greatest_target : 0.0, is_finite ? 1.0 : 0.0, 1.0);
}
