//! use metrics
//! use losses
//! use target
//! use output_loss
// row_metrics() computes the metrics of a row of a batch: the loss of its outputs Z, and whether
// they name the class of the sample's label. If the targets are vectors, the second metric is
// instead the sum of output_fit(). With SQUARED_LOSS, which has the squared error as its loss, it
// is the squared distance of the target from the mean target, from which the coefficient of
// determination follows, or 0 without SPREAD.
//
// OUTPUT says which output of the network Z is. The losses of several are added up; the other
// metrics are those of the first, and with SOFTMAX_LOSS and target vectors the second one is 1 if
// the greatest output is where the greatest target is.
// Uniforms:
//   loss_weight: of one of several outputs

// The loss of the outputs before in the list of losses.
float former_loss(int place)
{
#if OUTPUT == FURTHER_OUTPUT && HAS_LOSSES
    return LOSSES_row(ivec2(sequence_column(place), sequence_row(place))).x;
#else
    return 0.0;
#endif
}

vec4 row_metrics(int row, int sample_index, int key, vec2 stats)
{
    float loss = stats.y;
    float fit = 0.0;
    float greatest = LABELS == BINARY_LABELS ? 0.0 : -INFINITY;
    float greatest_target = LABELS == BINARY_LABELS ? 1.0 - float(key) : 0.0;
    float most_target = 0.0;
    for (int q = 0; 4 * q < Z_size.y; ++q) {
        vec4 z = Z_edge_group(row, q);
        vec4 t = target_group(key, q);
        for (int c = 0; c < 4; ++c) {
            if (4 * q + c >= Z_size.y)
                break;
#if LOSS == SOFTMAX_LOSS
            loss -= smoothed(t[c]) * (z[c] - stats.x);
#else
            loss += output_loss(z[c], t[c]);
#endif
            fit += output_fit(z[c], t[c]);
            greatest_target = z[c] > greatest ? t[c] : greatest_target;
            greatest = max(greatest, z[c]);
            most_target = max(most_target, t[c]);
        }
    }
    float weight = weight_of(sample_index);
    loss *= weight;
#if OUTPUT != ONLY_OUTPUT
    loss *= loss_weight;
#endif
#if OUTPUT == FURTHER_OUTPUT
    return further_metrics_of(loss);
#elif LABELS
    return metrics_of(loss, greatest_target);
#elif LOSS == SOFTMAX_LOSS
    return metrics_of(loss, greatest_target == most_target ? 1.0 : 0.0);
#elif LOSS != SQUARED_LOSS || OUTPUT != ONLY_OUTPUT
    return metrics_of(loss, LOSS == SIGMOID_LOSS ? fit : weight * fit);
#elif SPREAD
    return metrics_of(loss, weight * TARGET_element(sample_index, Z_size.y + 1));
#else
    return metrics_of(loss, 0.0);
#endif
}
