//! use sample
//! use row_stats
// What a row of a batch should have come to, and how its outputs are normalised.
#define LOSS_CROSS_ENTROPY 0
#define LOSS_SQUARED 1

float target_of(int sample_index, int column)
{
#if LABELS
    return int(TARGET_element(sample_index, 0)) == column ? 1.0 : 0.0;
#else
    return TARGET_element(sample_index, column);
#endif
}

// With cross-entropy, what the softmax of the row needs: from STATS where a pass before has found
// it, else at once, which pays for few outputs.
vec2 softmax_stats(int row)
{
#if LOSS == LOSS_SQUARED
    return vec2(0.0);
#elif HAS_STATS
    return vec2(STATS_element(row, 0), STATS_element(row, 1));
#else
    return row_stats(row);
#endif
}
