//! use sample
// Seeding of centres as in k-means++: the squared distance of each sample of a pool to the nearest
// centre of its class. One centre per class has been added: row c of CENTRE is that of class c. D
// has the distances to the centres before, and the output is the lesser of both. Element (i, j)
// belongs to sample i * columns + j of the pool.
// Uniforms:
//   count: samples of the pool
//
// Gathering the pool for each centre, computing distances and taking a minimum would take 8 times
// as long (1024 samples of 784 features, llvmpipe).

// From differences, because |x|^2 - 2 x m + |m|^2 loses its digits where x is close to m.
float squared_distance(int row, int centre)
{
    vec4 squares = vec4(0.0);
    int whole = X_size.y >> 2;
    for (int q = 0; q < whole; ++q) {
        vec4 difference = X_group(row, q) - CENTRE_group(centre, q);
        squares += difference * difference;
    }
    float rest = 0.0;
    for (int j = whole << 2; j < X_size.y; ++j) {
        float difference = X_element(row, j) - CENTRE_element(centre, j);
        rest += difference * difference;
    }
    return ((squares.x + squares.y) + (squares.z + squares.w)) + rest;
}

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
