//! use target
// What training counts of a row of a batch: its loss, 1 if its greatest output is its label's (without
// labels the squared distance of its target from the mean one), 1 if the loss is a finite number, 1.
#define GREATEST_FINITE 3.4e38

vec4 score(int row, int key, vec2 stats)
{
    float loss = stats.y;
    float greatest = LOSS == SIGMOID_LOSS ? 0.0 : -INFINITY;
    float greatest_target = LOSS == SIGMOID_LOSS ? 1.0 - float(key) : 0.0;
    for (int q = 0; 4 * q < Z_size.y; ++q) {
        vec4 z = Z_edge_quad(row, q);
        vec4 t = target_quad(key, q);
        for (int c = 0; c < 4; ++c) {
            if (4 * q + c >= Z_size.y)
                break;
#if LOSS == SIGMOID_LOSS
            loss += max(z[c], 0.0) - t[c] * z[c] + log(1.0 + exp(-abs(z[c])));
#elif LOSS == SOFTMAX_LOSS
            loss -= t[c] * (z[c] - stats.x);
#else
            loss += 0.5 * (z[c] - t[c]) * (z[c] - t[c]);
#endif
            greatest_target = z[c] > greatest ? t[c] : greatest_target;
            greatest = max(greatest, z[c]);
        }
    }
    bool is_finite = abs(loss) < GREATEST_FINITE;
#if LABELS
    float counted = greatest_target;
#else
    float counted = TARGET_element(key, Z_size.y + 1);
#endif
    return vec4(loss, counted, is_finite ? 1.0 : 0.0, 1.0);
}
