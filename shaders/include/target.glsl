//! use sample
//! use row_stats
// What a row of a batch should have come to, and how its outputs are normalised.

// What says the targets of a row of the batch, found once a row: its label, or its row of TARGET.
int target_key(int sample_index)
{
#if LABELS
    return int(TARGET_element(sample_index, 0));
#else
    return sample_index;
#endif
}

// By how much the sample counts, which its row of TARGET says behind the label or targets.
float weight_of(int sample_index)
{
#if WEIGHTED
    return TARGET_element(sample_index, LABELS == 1 ? 1 : Z_size.y);
#else
    return 1.0;
#endif
}

// The targets of columns 4 group to 4 group + 3; those behind the last column mean nothing.
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

// What the softmax of the row needs: from STATS if a pass before has found it, else at once, which pays
// for few outputs.
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
