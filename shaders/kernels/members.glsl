// Sums over the entries of each prototype in ascending order: a X, or with M the prototype that all
// its entries have moved, M + sum of a (X - M), the sum multiplied by limit / A where A, that of |a|,
// is more than the limit. Without X, columns are the sum of a and A. FIRST has the first entry of each
// prototype and ENTRIES (next, coefficient) of each entry; without FIRST, ENTRIES are (index,
// coefficient), all of which are looked at.
layout(location = SCALAR_0) uniform float limit; // with M
layout(location = INTEGER_0) uniform int count;  // without FIRST: rows of ENTRIES

// The part of a row that a block holds: the prototype before, and what its entries add.
TEXEL old[TEXELS_ACROSS];
TEXEL sum[TEXELS_ACROSS];
float size; // sum of |a|

void add(ivec2 at, int row, float coefficient)
{
    size += abs(coefficient);
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
#if HAS_X
        sum[i] += coefficient * (X_texel(row, at.x * TEXELS_ACROSS + i) - old[i]);
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
vec2 entry_at(int entry)
{
    vec4 moves = ENTRIES_quad(entry >> 1, 0);
    return (entry & 1) == 0 ? moves.xy : moves.zw;
}

// The first entry of a prototype from `entry` on.
int find_entry(int prototype, int entry)
{
    for (; entry < 2 * count; ++entry) {
        vec2 move = entry_at(entry);
        if (move.x == float(prototype) && move.y != 0.0)
            break;
    }
    return entry;
}

void add_entries(ivec2 at, int prototype)
{
    int entry = find_entry(prototype, 0);
    while (entry < 2 * count) {
        add(at, entry >> 1, entry_at(entry).y);
        entry = find_entry(prototype, entry + 1);
    }
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int prototype = at.y * BLOCK_ROWS + r;
        size = 0.0;
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            sum[i] = TEXEL(0.0);
#if HAS_M
            old[i] = M_at(at, r * TEXELS_ACROSS + i);
#else
            old[i] = TEXEL(0.0);
#endif
        }
        if (prototype < output_size.x)
            add_entries(at, prototype);
        // Constant indices keep the tile in registers where the loop over rows remains one.
        float scale = HAS_M == 1 && size > limit ? limit / size : 1.0;
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            if (t / TEXELS_ACROSS == r)
                tile[t] = old[t % TEXELS_ACROSS] + scale * sum[t % TEXELS_ACROSS];
    }
}
