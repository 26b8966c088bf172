//! use winners
// Joins the winners of parts (winners.glsl), which are texels of PARTS in a row. Several are read
// before they are joined, so that their fetches overlap.
#define PARTS_AHEAD 8

#if HAS_PARTS
vec4 join_parts(vec4 winners, int row, int begin, int end)
{
    for (int q = begin; q < end; q += PARTS_AHEAD) {
        vec4 parts[PARTS_AHEAD];
        for (int i = 0; i < PARTS_AHEAD; ++i)
            parts[i] = PARTS_edge_group(row, q + i);
        for (int i = 0; i < PARTS_AHEAD; ++i)
            winners = join(winners, q + i < end ? parts[i] : NONE);
    }
    return winners;
}
#endif
