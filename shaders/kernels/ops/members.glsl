//! use entries
//! use excess
// Sums over the entries of each prototype in ascending order: a X, or with M the prototype that all
// its entries have moved, M + sum of a (X - M), the sum multiplied by limit / A where A, that of |a|,
// is more than the limit. Without X, columns are the sum of a and A. FIRST has the first entry of each
// prototype and ENTRIES (next, coefficient) of each entry; without FIRST, ENTRIES are (index,
// coefficient), all of which are looked at. PICKED computes a row of blocks for each of these entries,
// the one that has its prototype. REPULSION: without M, only entries with a < 0 are summed; with M,
// the part of the sum that they make is multiplied by (P + excess) / N where N, the sum of their |a|,
// is more than the sum P of the other entries and the excess together.
// Uniforms:
//   limit: with M
//   excess: with M and REPULSION

// The part of a row that a block holds: the prototype before, and what its entries add.
TEXEL old[TEXELS_ACROSS];
TEXEL sum[TEXELS_ACROSS];
float size; // sum of |a|

// The part of it whose coefficients are negative.
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
        TEXEL term = coefficient * (X_texel(row, at.x * TEXELS_ACROSS + i) - old[i]);
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
void add_entries(ivec2 at, int prototype)
{
    int entry = int(FIRST_edge_element(0, prototype));
    while (entry >= 0) {
        vec4 link = ENTRIES_quad(entry >> 1, 0);
        vec2 next = (entry & 1) == 0 ? link.xy : link.zw;
        add(at, entry >> 1, next.y);
        entry = int(next.x);
    }
}
#else
void add_entries(ivec2 at, int prototype)
{
    int entry = find_entry(prototype, 0);
    while (entry < 2 * count) {
        add(at, entry >> 1, entry_at(entry).y);
        entry = find_entry(prototype, entry + 1);
    }
}
#endif

// What texel t of a block of M holds.
TEXEL old_texel(ivec2 at, int t)
{
#if PICKED
    return M_texel(block_row(at, t), block_texel(at, t));
#elif HAS_M
    return M_at(at, t);
#else
    return TEXEL(0.0);
#endif
}

void block(ivec2 at)
{
    int prototypes = output_size.x;
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
#if PICKED
    prototypes = M_size.x;
    at.y = row_of_entry(at.y, prototypes);
    if (at.y < 0)
        return;
#endif
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int prototype = at.y * BLOCK_ROWS + r;
        size = 0.0;
        push_size = 0.0;
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            sum[i] = TEXEL(0.0);
            push[i] = TEXEL(0.0);
            old[i] = old_texel(at, r * TEXELS_ACROSS + i);
        }
        if (prototype < prototypes)
            add_entries(at, prototype);
        // Constant indices keep the tile in registers where the loop over rows remains one.
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
