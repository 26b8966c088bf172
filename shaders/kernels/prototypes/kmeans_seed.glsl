//! use distance
//! use sample
// The squared distance of each sample of a pool from the nearest of its class's centres, when one
// centre is added to each class: row c of CENTRE is that of class c, and D has the distances from
// those before. Sample i of the pool stands in row i / columns, column i mod columns.
float least_distance(int place, float before)
{
    if (place >= count)
        return 0.0;
    int sample_index = sample_of(place);
#if HAS_TARGET
    int centre = int(TARGET_element(sample_index, 0));
#else
    int centre = 0;
#endif
    return min(before, squared_distance(sample_index, centre));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
#if HAS_D
        TEXEL before = D_at(at, t);
#else
        TEXEL before = TEXEL(INFINITY);
#endif
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            COMPONENT(tile[t], c) =
                row < output_size.x && column < output_size.y
                    ? least_distance(row * output_size.y + column, COMPONENT(before, c))
                    : 0.0;
        }
    }
}
