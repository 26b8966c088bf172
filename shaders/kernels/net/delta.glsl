//! use maps
//! use losses
//! use factors
//! use row_metrics
// The delta of an output of the network: the derivative of a sample's loss with respect to the
// inputs of its output units, times the weight of the sample and its factor of the FACTORS. t is
// the target, smoothed if the network smooths its labels. Of several outputs, the loss and its
// derivative are also multiplied by loss_weight.
//
//   cross-entropy, several classes  softmax(Z) - t
//   cross-entropy, one output       sigmoid(Z) - t
//   binary cross-entropy            sigmoid(Z) - t
//   others                          d f'(x), with Z = f(x) and the derivative d of the loss by Z:
//     squared error                   Z - t
//     absolute                        sign(Z - t)
//     huber                           Z - t, but at most loss_parameter from 0
//     hinge                           -s where s Z < 1, with s = hinge_sign(t), otherwise 0
//     quantile                        1 - loss_parameter above t, -loss_parameter below it, and
//                                     their mean at t
//     expression                      the derivative that the program gave
//
// Rows without a sample become zero. The fragments in the first column of blocks also add the
// metrics of their rows to METRICS.
// Uniforms:
//   entry: the place of the first row in the order of the epoch
TEXEL derivative(TEXEL y, TEXEL t)
{
#if LOSS == ABSOLUTE_LOSS
    return sign(y - t);
#elif LOSS == HUBER_LOSS
    return clamp(y - t, TEXEL(-loss_parameter), TEXEL(loss_parameter));
#elif LOSS == HINGE_LOSS
    return -hinge_sign(t) * is_positive(1.0 - hinge_sign(t) * y);
#elif LOSS == QUANTILE_LOSS
    return 0.5 * sign(y - t) + (0.5 - loss_parameter);
#elif LOSS == EXPRESSION_LOSS
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(y, c) = expression(COMPONENT(y, c), COMPONENT(t, c)).y;
    return y;
#else
    return y - t;
#endif
}

TEXEL delta(TEXEL z, TEXEL target, vec2 stats)
{
#if LOSS == SIGMOID_LOSS
    return map_value(GLNN_MAP_SIGMOID, z) - smoothed(target);
#elif LOSS == SOFTMAX_LOSS
    return exp((z - stats.x) - stats.y) - smoothed(target);
#else
    return derivative(z, target) * map_derivative(ACTIVATION, z);
#endif
}

void measure(int row, int sample_index, int key, vec2 stats)
{
    vec4 sum = former_metrics(row, 0);
    vec4 metrics = row_metrics(row, sample_index, key, stats);
    store_metrics(row, 0, sum + metrics);
    store_loss(entry + row, former_loss(entry + row) + metrics.x);
}

void measure_row(int row)
{
    int sample_index = sample_of(row);
    if (row < count)
        measure(row, sample_index, target_key(sample_index), softmax_stats(row));
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            tile[r * TEXELS_ACROSS + i] = TEXEL(0.0);
        if (row >= count)
            continue;
        int sample_index = sample_of(row);
        int key = target_key(sample_index);
        vec2 stats = softmax_stats(row);
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int texel = block_texel(at, i);
            tile[r * TEXELS_ACROSS + i] =
                WEIGHED(delta(Z_texel(row, texel), target_texel(key, texel), stats), entry + row);
#if WEIGHTED
            tile[r * TEXELS_ACROSS + i] *= weight_of(sample_index);
#endif
#if OUTPUT != ONLY_OUTPUT
            tile[r * TEXELS_ACROSS + i] *= loss_weight;
#endif
        }
        if (at.x == 0)
            measure(row, sample_index, key, stats);
    }
}
