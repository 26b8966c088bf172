//! use scan
//! use difference
// Finds the two winners (winners.glsl) of few samples by their squared distances. A fragment takes
// one sample and part_prototypes prototypes. The parts of the prototypes follow each other along a
// row, then along stripes of rows.
//
// With IN_DATASET, X has all samples of a data set, and the order names those of the rows.
// Uniforms:
//   part_prototypes: prototypes of a part, a multiple of STEP
//   stripe_rows: rows of a stripe
//   slice_groups: column groups of a slice, whose differences are summed first

// Prototypes that are compared at a time, in a row of tiles. So many column groups are read before
// they are used, so that their fetches overlap.
#define STEP  4
#define AHEAD 2

ivec2 x_row(int row)
{
#if IN_DATASET
    return X_row(sample_of(row));
#else
    return X_row(row);
#endif
}

// Adds the squared differences of column groups q to q + ahead - 1, of a sample and of the
// prototypes in row y of tiles.
#define ADD_GROUPS(row, y, q, ahead)                                                               \
    {                                                                                              \
        vec4 x[ahead];                                                                             \
        vec4 m[STEP * ahead];                                                                      \
        for (int i = 0; i < ahead; ++i) {                                                          \
            x[i] = X_edge_group_in(row, q + i);                                                    \
            for (int s = 0; s < STEP; ++s)                                                         \
                m[s * ahead + i] = M_tile(ivec2((q + i) >> 1, y), s, (q + i) & 1);                 \
        }                                                                                          \
        for (int i = 0; i < ahead; ++i)                                                            \
            for (int s = 0; s < STEP; ++s)                                                         \
                sums[s] += squared_difference(x[i], m[s * ahead + i], q + i);                      \
    }

void add_slice(ivec2 row, int y, int begin, int end, inout float distances[STEP])
{
    vec4 sums[STEP];
    int q = begin;
    for (int s = 0; s < STEP; ++s)
        sums[s] = vec4(0.0);
    for (; q + AHEAD <= end; q += AHEAD)
        ADD_GROUPS(row, y, q, AHEAD)
    for (; q < end; ++q)
        ADD_GROUPS(row, y, q, 1)
    for (int s = 0; s < STEP; ++s)
        distances[s] += sum_of(sums[s]);
}

vec4 candidate(int prototype, float distance, float label)
{
    vec2 one = vec2(prototype, prototype < M_size.x ? distance : INFINITY);
#if LABELLED
    bool is_own = CLASSES_edge_element(0, prototype) == label;
    return is_own ? vec4(one, NONE.zw) : vec4(NONE.xy, one);
#else
    return vec4(one, NONE.zw);
#endif
}

vec4 scan_part(int row, int part)
{
    float label = label_of(row);
    int end = min((part + 1) * part_prototypes, M_size.x);
    int groups = (M_size.y + 3) >> 2;
    ivec2 x = x_row(row);
    vec4 winners = NONE;
    for (int p = part * part_prototypes; p < end; p += STEP) {
        float distances[STEP];
        for (int s = 0; s < STEP; ++s)
            distances[s] = 0.0;
        for (int q = 0; q < groups; q += slice_groups)
            add_slice(x, p / STEP, q, min(q + slice_groups, groups), distances);
        for (int s = 0; s < STEP; ++s)
            winners = join(winners, candidate(p + s, distances[s], label));
    }
    return winners;
}

void block(ivec2 at)
{
    int stripe = at.y / stripe_rows;
    int row = at.y - stripe * stripe_rows;
    int part = (output_size.y >> 2) * stripe + at.x;
    tile[0] = row < count ? scan_part(row, part) : NO_SAMPLE;
}
