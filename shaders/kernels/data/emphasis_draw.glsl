//! use sequence
// Systematic sampling: number k of the output is the sample at (k + offset) of the `count` equal
// parts of the sum of all weights. The samples ascend. A tree of sums (emphasis_sums.glsl) leads to
// a sample. WEIGHTS are its leaves, SUMS1 to SUMS3 the levels above as far as they exist. TOTAL is
// the sum of all.
// Uniforms:
//   count: samples that are drawn
//   offset: in [0, 1)

// The way down the tree.
struct Descent {
    int node;
    float rest;    // the weight before the place that is looked for, from the begin of the node on
    bool is_found; // the child
};

// Looks among four children, of which the first is number `first`. If rounding has left `rest`
// larger than all weights, the last child with a weight is taken, here and below.
void look(inout Descent way, vec4 weights, int first)
{
    for (int c = 0; c < 4; ++c) {
        if (way.is_found || weights[c] <= 0.0)
            continue;
        way.node = first + c;
        way.is_found = way.rest < weights[c];
        way.rest -= way.is_found ? 0.0 : weights[c];
    }
}

#define DESCEND(group_of)                                                                          \
    {                                                                                              \
        int first = CHILDREN * way.node;                                                           \
        way.is_found = false;                                                                      \
        for (int q = 0; q < CHILDREN && !way.is_found; q += 4)                                     \
            look(way, group_of(sequence_row(first + q), sequence_column(first + q) / 4),           \
                 first + q);                                                                       \
        way.rest = way.is_found ? way.rest : INFINITY;                                             \
    }

float sample_at(int k)
{
    float part = TOTAL_element(0, 0) / float(count);
    Descent way = Descent(0, (float(k) + offset) * part, false);
#if HAS_SUMS3
    DESCEND(SUMS3_group)
#endif
#if HAS_SUMS2
    DESCEND(SUMS2_group)
#endif
#if HAS_SUMS1
    DESCEND(SUMS1_group)
#endif
    DESCEND(WEIGHTS_group)
    return float(way.node);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int k = sequence_index(at, t) + c;
            bool is_drawn = block_column(at, t) + c < SEQUENCE_COLUMNS && k < count;
            COMPONENT(tile[t], c) = is_drawn ? sample_at(k) : 0.0;
        }
}
