//! use sample
// Seeding of centres as in k-means++: squared distances of the samples of a pool to the nearest
// centre of their class. Each class has some candidates for its next centre: candidate l of class c
// is row c * candidates + l of CENTRE. Columns 64 l to 64 l + 63 of the output have the distances
// as if candidate l were a centre. Column 64 l + j of row i belongs to sample 64 i + j of the pool.
// D is the output for the centre before. Of its candidates, class c took the one that row
// classes * candidates + c of CHOICE names. The output is PACKED.
// Uniforms:
//   count: samples of the pool
//   candidates: of a class
//
// Four to six candidates take 3.2 to 5.3 times as long as one, with the rest of the seeding
// (llvmpipe).

const int GRID_SAMPLES = 64;

// From differences, because |x|^2 - 2 x m + |m|^2 loses its digits where x is close to m.
vec4 squared_distances(ivec4 rows, ivec4 centres)
{
    vec4 sums = vec4(0.0);
    int whole = X_size.y >> 2;
    for (int q = 0; q < whole; ++q) {
        vec4 a = X_group(rows.x, q) - CENTRE_group(centres.x, q);
        vec4 b = X_group(rows.y, q) - CENTRE_group(centres.y, q);
        vec4 c = X_group(rows.z, q) - CENTRE_group(centres.z, q);
        vec4 d = X_group(rows.w, q) - CENTRE_group(centres.w, q);
        sums += vec4(dot(a, a), dot(b, b), dot(c, c), dot(d, d));
    }
    for (int j = whole << 2; j < X_size.y; ++j) {
        vec4 x = vec4(X_element(rows.x, j), X_element(rows.y, j), X_element(rows.z, j),
                      X_element(rows.w, j));
        vec4 m = vec4(CENTRE_element(centres.x, j), CENTRE_element(centres.y, j),
                      CENTRE_element(centres.z, j), CENTRE_element(centres.w, j));
        sums += (x - m) * (x - m);
    }
    return sums;
}

int class_of(int sample_index)
{
#if HAS_TARGET
    return int(TARGET_element(sample_index, 0));
#else
    return 0;
#endif
}

// The distance of the sample at a place of the grid, in column `column` of its row, without the
// newest candidates.
float former_distance(int row, int column, int own_class, int classes)
{
#if HAS_D
    int choice = int(CHOICE_element(classes * candidates + own_class, 0));
    return D_element(row, choice * GRID_SAMPLES + column);
#else
    return INFINITY;
#endif
}

void block(ivec2 at)
{
    int row = block_row(at, 0);
    int candidate = block_column(at, 0) / GRID_SAMPLES;
    int column = block_column(at, 0) - candidate * GRID_SAMPLES;
    int classes = CENTRE_size.x / candidates;
    ivec4 samples_here, centres;
    vec4 before;
    for (int c = 0; c < 4; ++c) {
        int sample_index = sample_of(row * GRID_SAMPLES + column + c);
        int own_class = class_of(sample_index);
        samples_here[c] = sample_index;
        centres[c] = own_class * candidates + candidate;
        before[c] = former_distance(row, column + c, own_class, classes);
    }
    tile[0] = min(before, squared_distances(samples_here, centres));
}
