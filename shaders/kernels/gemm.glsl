//! use finish
// Inner products: finish(op(A) op(B)). A step of the loop takes four inner indices: a quad of each
// row of op(A) and four rows of op(B), which makes 12 fetches for 128 multiply-adds in a tiled
// block.
layout(location = INTEGER_0) uniform int inner_begin; // a multiple of 4
layout(location = INTEGER_1) uniform int inner_end;
layout(location = INTEGER_2) uniform int slice_length; // PARTIAL: a multiple of 4
layout(location = INTEGER_3) uniform int slice_blocks; // PARTIAL: rows of blocks of one slice

// a[r][i] = op(A)(row r of the block, 4 q + i)
void load_a(ivec2 at, int q, out vec4 a[BLOCK_ROWS])
{
#if !TRANSPOSE_A
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = A_quad(min(at.y * BLOCK_ROWS + r, A_size.x - 1), q);
#elif BLOCK_ROWS == 4
    mat4 columns = mat4(A_edge_quad(4 * q, at.y), A_edge_quad(4 * q + 1, at.y),
                        A_edge_quad(4 * q + 2, at.y), A_edge_quad(4 * q + 3, at.y));
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = vec4(columns[0][r], columns[1][r], columns[2][r], columns[3][r]);
#else
    int column = min(at.y, A_size.y - 1);
    a[0] = vec4(A_element(4 * q, column), A_element(4 * q + 1, column),
                A_element(4 * q + 2, column), A_element(4 * q + 3, column));
#endif
}

// op(A)(row r of the block, k)
float a_element(ivec2 at, int r, int k)
{
    int row = at.y * BLOCK_ROWS + r;
#if TRANSPOSE_A
    return A_edge_element(k, row);
#else
    return A_edge_element(row, k);
#endif
}

// op(B)(k, the columns of texel column t of the block)
TEXEL b_texel(ivec2 at, int t, int k)
{
    int column = at.x * TEXELS_ACROSS + t;
#if TRANSPOSE_B
    TEXEL result;
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(result, c) = B_edge_element(column * TEXEL_COLUMNS + c, k);
    return result;
#else
    return B_texel(k, column);
#endif
}

// For texel column t and i from 0 to 3: op(B)(4 q + i, the columns of t); transposed, the quad of
// inner indices from 4 q on of column 4 t + i.
#if TRANSPOSE_B
#define B_TYPE vec4
#define B_COUNT TEXEL_COLUMNS
#else
#define B_TYPE TEXEL
#define B_COUNT 4
#endif

B_TYPE b_fetched(ivec2 at, int q, int t, int i)
{
#if TRANSPOSE_B
    int row = (at.x * TEXELS_ACROSS + t) * TEXEL_COLUMNS + i;
    return B_quad(min(row, B_size.x - 1), q);
#else
    return b_texel(at, t, 4 * q + i);
#endif
}

// tile += op(A)(.., 4 q .. 4 q + 3) b
void multiply(ivec2 at, int q, B_TYPE b[TEXELS_ACROSS * B_COUNT])
{
    vec4 a[BLOCK_ROWS];
    load_a(at, q, a);
    for (int t = 0; t < TEXELS_ACROSS; ++t)
        for (int r = 0; r < BLOCK_ROWS; ++r) {
#if TRANSPOSE_B
            for (int c = 0; c < TEXEL_COLUMNS; ++c)
                COMPONENT(tile[r * TEXELS_ACROSS + t], c) += dot(a[r], b[t * B_COUNT + c]);
#else
            tile[r * TEXELS_ACROSS + t] += a[r].x * b[t * 4] + a[r].y * b[t * 4 + 1] +
                                           a[r].z * b[t * 4 + 2] + a[r].w * b[t * 4 + 3];
#endif
        }
}

void add_quad(ivec2 at, int q)
{
    B_TYPE b[TEXELS_ACROSS * B_COUNT];
    for (int t = 0; t < TEXELS_ACROSS; ++t)
        for (int i = 0; i < B_COUNT; ++i)
            b[t * B_COUNT + i] = b_fetched(at, q, t, i);
    multiply(at, q, b);
}

void add_single(ivec2 at, int k)
{
    for (int t = 0; t < TEXELS_ACROSS; ++t) {
        TEXEL b = b_texel(at, t, k);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            tile[r * TEXELS_ACROSS + t] += a_element(at, r, k) * b;
    }
}

// The constant unit: behind the last column of op(A) stand ones, which meet the last row of B.
// Transposed, they are one more row of op(A), which collects the sums of the columns of B.
void add_ones(ivec2 at, int begin, int end)
{
#if AUGMENT && TRANSPOSE_A
    int unit = A_size.y - at.y * BLOCK_ROWS;
    if (unit < 0 || unit >= BLOCK_ROWS)
        return;
    for (int t = 0; t < TEXELS_ACROSS; ++t) {
        TEXEL sum = TEXEL(0.0);
        for (int k = begin; k < end; ++k)
            sum += b_texel(at, t, k);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            if (r == unit)
                tile[r * TEXELS_ACROSS + t] = sum;
    }
#elif AUGMENT
    if (end == A_size.y)
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            tile[t] += b_texel(at, t % TEXELS_ACROSS, end);
#endif
}

void block(ivec2 at)
{
    int begin = inner_begin;
    int end = inner_end;
    ivec2 place = at;
#if PARTIAL
    int slice = at.y / slice_blocks;
    begin = slice * slice_length;
    end = min(begin + slice_length, inner_end);
    place.y = at.y - slice * slice_blocks;
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    int whole = end >> 2;
    for (int q = begin >> 2; q < whole; ++q)
        add_quad(place, q);
    for (int k = whole << 2; k < end; ++k)
        add_single(place, k);
    add_ones(place, begin, end);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = finish(tile[t], place, t);
}
