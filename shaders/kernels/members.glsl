// Sums over the entries of each prototype in ascending order: a X, or with M the prototype that all
// its entries have moved, M + sum of a (X - M). Without X it is 1. FIRST has the first entry of each
// prototype and ENTRIES (next, coefficient) of each entry; without FIRST, ENTRIES are (index,
// coefficient), all of which are looked at.
layout(location = INTEGER_0) uniform int count; // without FIRST: rows of ENTRIES

// Adds an entry of a prototype to row r of the block.
void add(ivec2 at, int r, int row, float coefficient)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int t = r * TEXELS_ACROSS + i;
        int column = at.x * TEXELS_ACROSS + i;
#if HAS_M
        tile[t] += coefficient * (X_texel(row, column) - M_at(at, t));
#elif HAS_X
        tile[t] += coefficient * X_texel(row, column);
#else
        tile[t] += TEXEL(coefficient);
#endif
    }
}

void add_entries(ivec2 at, int r)
{
    int prototype = at.y * BLOCK_ROWS + r;
#if HAS_FIRST
    int entry = int(FIRST_edge_element(0, prototype));
    while (entry >= 0) {
        vec4 link = ENTRIES_quad(entry >> 1, 0);
        vec2 next = (entry & 1) == 0 ? link.xy : link.zw;
        add(at, r, entry >> 1, next.y);
        entry = int(next.x);
    }
#else
    for (int i = 0; i < count; ++i) {
        vec4 move = ENTRIES_quad(i, 0);
        if (move.x == float(prototype) && move.y != 0.0)
            add(at, r, i, move.y);
        if (move.z == float(prototype) && move.w != 0.0)
            add(at, r, i, move.w);
    }
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    for (int r = 0; r < BLOCK_ROWS; ++r)
        if (at.y * BLOCK_ROWS + r < output_size.x)
            add_entries(at, r);
#if HAS_M
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] += M_at(at, t);
#endif
}
