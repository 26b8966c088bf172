//! use sample
//! use row_stats
// The targets of a row of a batch. With LABELS, column 0 of TARGET is the number of the class, and
// the targets are 1 for that class and 0 for the others. With BINARY_LABELS this number is the
// target of the only output. Without, a row of TARGET is the target vector. With WEIGHTED, the next
// column of TARGET is the weight of the sample. If the network has several outputs, Z is one of
// them, and the target vectors have those of all.
// Uniforms, with several outputs:
//   target_begin: the first column of the output's targets
//   target_count: columns of the target vectors

// Read once per row, and passed to the functions below: the label, or the row of TARGET.
int target_key(int sample_index)
{
#if LABELS
    return int(TARGET_element(sample_index, 0));
#else
    return sample_index;
#endif
}

#if OUTPUT == ONLY_OUTPUT
#define TARGET_COUNT Z_size.y
#else
#define TARGET_COUNT target_count
#endif

// The weight of a sample, 1 without WEIGHTED.
float weight_of(int sample_index)
{
#if WEIGHTED
    return TARGET_element(sample_index, LABELS != 0 ? 1 : TARGET_COUNT);
#else
    return 1.0;
#endif
}

// The targets of a column group. The values after the last column are not used.
vec4 target_group(int key, int group)
{
#if LABELS == BINARY_LABELS
    return vec4(key);
#elif LABELS
    return vec4(equal(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(key)));
#elif OUTPUT == ONLY_OUTPUT
    return TARGET_edge_group(key, group);
#else
    vec4 targets;
    for (int c = 0; c < 4; ++c)
        targets[c] = TARGET_edge_element(key, target_begin + 4 * group + c);
    return targets;
#endif
}

// The targets of the columns of a texel of the output.
TEXEL target_texel(int key, int texel)
{
#if TEXEL_COLUMNS == 1
    return target_group(key, texel >> 2)[texel & 3];
#else
    return target_group(key, texel);
#endif
}

// The target that training learns: the label has one share of the probability, and all classes
// together have the other.
#if SMOOTHED
#define smoothed(target) (label_share * (target) + common_share)
#else
#define smoothed(target) target
#endif

// The statistics of the row's softmax (row_stats.glsl). Either an earlier pass has stored them in
// STATS, or the fragment computes them itself, which is faster for few outputs.
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
