//! use entries
//! use excess
// Scatter-add: for each row of the output, the sum over the samples that name this row. A sample
// names up to two rows, each with a coefficient a; such a pair is an entry (entries.glsl). Entries
// are summed in ascending order, so that the same data give the same bits.
//
//   with X             sum of a X
//   with X and M       M + sum of a (X - M): the rows of M move towards their samples or away
//   without X          sum of a in column 0, sum of |a| in column 1
//
// FIRST has the first entry of each row, and ENTRIES has for each entry the next one of the same
// row and the coefficient: a linked list (scatter_links.glsl). Without FIRST, each fragment looks
// through all entries.
//
// With M the move is limited. If A = sum of |a| exceeds `limit`, it is multiplied by limit / A.
// With REPULSION, the part with negative coefficients is limited first (excess.glsl). REPULSION
// without M sums only the entries with negative coefficients.
// Uniforms:
//   first_row: the row of X of the first sample
//   limit: with M
//   excess: with M and REPULSION

// The part of a row that lies in the block: its former elements, and the sum of its entries.
TEXEL old[TEXELS_ACROSS];
TEXEL sum[TEXELS_ACROSS];
float size; // sum of |a|

// The part of the sum whose coefficients are negative.
TEXEL push[TEXELS_ACROSS];
float push_size;

void add(ivec2 at, int row, float coefficient)
{
    bool is_push = coefficient < 0.0;
#if REPULSION && !HAS_M
    if (!is_push)
        return;
#endif
    size += abs(coefficient);
    push_size += is_push ? -coefficient : 0.0;
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
#if HAS_X
        TEXEL term = coefficient * (X_texel(first_row + row, at.x * TEXELS_ACROSS + i) - old[i]);
        sum[i] += term;
#if REPULSION
        push[i] += is_push ? term : TEXEL(0.0);
#endif
#else
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(sum[i], c) += block_column(at, i) + c == 0 ? coefficient : abs(coefficient);
#endif
    }
}

#if HAS_FIRST
void add_entries(ivec2 at, int row)
{
    float entry = FIRST_edge_element(0, row);
    while (entry < INFINITY) {
        int place = int(entry);
        vec4 link = ENTRIES_group(place >> 1, 0);
        vec2 next = (place & 1) == 0 ? link.xy : link.zw;
        add(at, place >> 1, next.y);
        entry = next.x;
    }
}
#else
void add_entries(ivec2 at, int row)
{
    int entry = find_entry(row, 0);
    while (entry < 2 * count) {
        add(at, entry >> 1, entry_at(entry).y);
        entry = find_entry(row, entry + 1);
    }
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        size = 0.0;
        push_size = 0.0;
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            sum[i] = TEXEL(0.0);
            push[i] = TEXEL(0.0);
#if HAS_M
            old[i] = M_at(at, r * TEXELS_ACROSS + i);
#else
            old[i] = TEXEL(0.0);
#endif
        }
        if (row < output_size.x)
            add_entries(at, row);
        // Constant indices keep the tile in registers even if the loop over rows is not unrolled.
        float scale = HAS_M == 1 && size > limit ? limit / size : 1.0;
#if REPULSION && HAS_M
        float share = excess_share(size, push_size, excess);
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            sum[i] -= share * push[i];
#endif
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            if (t / TEXELS_ACROSS == r)
                tile[t] = old[t % TEXELS_ACROSS] + scale * sum[t % TEXELS_ACROSS];
    }
}
