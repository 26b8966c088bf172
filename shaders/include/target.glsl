//! use sample
//! use row_stats
// The targets of a row of a batch, and the statistics that normalise its outputs.

// The key of a row's targets, read once for each row: its label, or its row of TARGET.
int target_key(int sample_index)
{
#if LABELS
    return int(TARGET_element(sample_index, 0));
#else
    return sample_index;
#endif
}

// The weight of the sample, which follows the label or targets in its row of TARGET.
float weight_of(int sample_index)
{
#if WEIGHTED
    return TARGET_element(sample_index, LABELS == 1 ? 1 : Z_size.y);
#else
    return 1.0;
#endif
}

// The targets of columns 4 group to 4 group + 3; those after the last column mean nothing.
vec4 target_group(int key, int group)
{
#if LOSS == SIGMOID_LOSS
    return vec4(key);
#elif LABELS
    return vec4(equal(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(key)));
#else
    return TARGET_edge_group(key, group);
#endif
}

// As many targets as a texel of the output has columns, from the texel's first one on.
TEXEL target_texel(int key, int texel)
{
#if TEXEL_COLUMNS == 1
    return target_group(key, texel >> 2)[texel & 3];
#else
    return target_group(key, texel);
#endif
}

// The statistics of the row's softmax: from STATS if a pass has found them, else computed here,
// which pays for few outputs.
vec2 softmax_stats(int row)
{
#if LOSS != SOFTMAX_LOSS
    return vec2(0.0);
#elif HAS_STATS
    return vec2(STATS_element(row, 0), STATS_element(row, 1));
#else
    return row_stats(row);
#endif
}
