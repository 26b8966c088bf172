//! use finish
// Matrix products: finish(op(A) op(B)). A step of the loop takes four inner indices, which are half
// of a tile: a column group of each row of op(A) and four rows of op(B), which makes 12 fetches for
// 128 multiply-adds in a tiled block.
//
// The inner indices go from inner_begin to inner_end, or with PARTIAL in slices of slice_length of
// them, in `slice_blocks` rows of blocks each. Begins and lengths are multiples of 8, in a work
// group that computes all slices of 4; there the last ones may be empty.
//
// SHARES: in a quad of fragments, neighbours above each other need the same columns of op(B), those
// side by side the same rows of op(A). Each fetches its operands of one of two tiles, so that it
// can swap either with a neighbour who fetched the other tile: 6 fetches for 128 multiply-adds.
// What they fetch at a time lies in one layer: texture units take two turns for a quad that reads
// two layers.

// a[r][i] = op(A)(row r of the block in row y of blocks, inner index 8 h + 4 p + i). With UNIT the
// transposed A has one more row: the constant unit, which collects the sums of the columns of B.
// Where it `is_rest`, inner indices may lie outside of A.
void load_a(int y, int h, int p, bool is_rest, out vec4 a[BLOCK_ROWS])
{
#if BLOCK_ROWS == 1 && TRANSPOSE_A
    ivec4 k = 8 * h + 4 * p + ivec4(0, 1, 2, 3);
    if (is_rest)
        k = min(k, A_size.x - 1);
    int column = min(y, A_size.y - 1);
    a[0] = vec4(A_element(k.x, column), A_element(k.y, column), A_element(k.z, column),
                A_element(k.w, column));
#elif BLOCK_ROWS == 1
    int row = min(y, A_size.x - 1);
    a[0] = is_rest ? A_edge_group(row, 2 * h + p) : A_group(row, 2 * h + p);
#elif TRANSPOSE_A
    for (int s = 0; s < STACK; ++s) {
        int line = y * STACK + s;
        int x = min(line >> 1, (A_size.y - 1) >> 3);
        mat4 columns;
        for (int i = 0; i < 4; ++i)
            columns[i] = A_any_tile(ivec2(x, 2 * h + p), i, line & 1);
        for (int r = 0; r < 4; ++r)
            a[4 * s + r] = vec4(columns[0][r], columns[1][r], columns[2][r], columns[3][r]);
    }
#else
    for (int s = 0; s < STACK; ++s) {
        int line = min(y * STACK + s, (A_size.x - 1) >> 2);
        for (int r = 0; r < 4; ++r)
            a[4 * s + r] =
                is_rest ? A_any_tile(ivec2(h, line), r, p) : A_tile(ivec2(h, line), r, p);
    }
#endif
#if UNIT && TRANSPOSE_A
    int unit = A_size.y - y * BLOCK_ROWS;
    if (unit >= 0 && unit < BLOCK_ROWS)
        for (int r = 0; r < BLOCK_ROWS; ++r)
            a[r] = r == unit ? vec4(1.0) : a[r];
#endif
}

// For texel column t and i from 0 to 3: op(B)(8 h + 4 p + i, the columns of t) as b[4 t + i];
// transposed, the column group of inner indices of column 4 t + i.
#if TRANSPOSE_B
#define B_TYPE vec4
#define B_COUNT TEXEL_COLUMNS
#else
#define B_TYPE TEXEL
#define B_COUNT 4
#endif

void load_b(int x, int h, int p, bool is_rest, out B_TYPE b[TEXELS_ACROSS * B_COUNT])
{
    for (int t = 0; t < TEXELS_ACROSS; ++t)
        for (int i = 0; i < B_COUNT; ++i)
#if BLOCK_ROWS == 1 && TRANSPOSE_B
        {
            int row = min(x * TEXEL_COLUMNS + i, B_size.x - 1);
            b[i] = is_rest ? B_edge_group(row, 2 * h + p) : B_group(row, 2 * h + p);
        }
#elif BLOCK_ROWS == 1
            b[i] = B_texel(8 * h + 4 * p + i, x);
#elif TRANSPOSE_B
        {
            ivec2 place = ivec2(h, min(2 * x + t, (B_size.x - 1) >> 2));
            b[4 * t + i] = is_rest ? B_any_tile(place, i, p) : B_tile(place, i, p);
        }
#else
            b[4 * t + i] = B_tile(ivec2(x, 2 * h + p), i, t);
#endif
}

// tile += a b, one inner index after the other, so that each multiply-add is one instruction.
void multiply(vec4 a[BLOCK_ROWS], B_TYPE b[TEXELS_ACROSS * B_COUNT])
{
    for (int i = 0; i < 4; ++i)
        for (int t = 0; t < TEXELS_ACROSS; ++t)
            for (int r = 0; r < BLOCK_ROWS; ++r) {
#if TRANSPOSE_B
                for (int c = 0; c < TEXEL_COLUMNS; ++c)
                    COMPONENT(tile[r * TEXELS_ACROSS + t], c) += a[r][i] * b[t * B_COUNT + c][i];
#else
                tile[r * TEXELS_ACROSS + t] += a[r][i] * b[t * 4 + i];
#endif
            }
}

void add_half(ivec2 at, int h, int p)
{
    vec4 a[BLOCK_ROWS];
    B_TYPE b[TEXELS_ACROSS * B_COUNT];
    load_a(at.y, h, p, false, a);
    load_b(at.x, h, p, false, b);
    multiply(a, b);
}

#if SHARES
// The halves p of tiles h and h + 1: the own one first, then the one that the neighbours fetched.
void add_shared_halves(ivec2 at, int h, int p, int own)
{
    vec4 a[BLOCK_ROWS];
    B_TYPE b[TEXELS_ACROSS * B_COUNT];
    load_b(at.x, h + own, p, false, b);
    load_a(at.y, h + own, p, false, a);
    multiply(a, b);
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = subgroupQuadSwapHorizontal(a[r]);
    for (int i = 0; i < TEXELS_ACROSS * B_COUNT; ++i)
        b[i] = subgroupQuadSwapVertical(b[i]);
    multiply(a, b);
}
#endif

// The first `count` inner indices of a half. Its p is not constant, so that this code exists once.
void add_part(ivec2 at, int h, int p, int count)
{
    vec4 a[BLOCK_ROWS];
    B_TYPE b[TEXELS_ACROSS * B_COUNT];
    load_a(at.y, h, p, true, a);
    load_b(at.x, h, p, true, b);
    bvec4 is_inside = lessThan(ivec4(0, 1, 2, 3), ivec4(count));
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = mix(vec4(0.0), a[r], is_inside);
    for (int i = 0; i < TEXELS_ACROSS * B_COUNT; ++i)
#if TRANSPOSE_B
        b[i] = mix(vec4(0.0), b[i], is_inside);
#else
        b[i] = is_inside[i & 3] ? b[i] : B_TYPE(0.0);
#endif
    multiply(a, b);
}

// The constant unit of an A that is not transposed: ones stand after its last column, which meet
// the last row of B.
void add_ones(ivec2 at, int end)
{
#if UNIT && !TRANSPOSE_A
    if (end == A_size.y)
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            tile[t] += B_texel(end, block_texel(at, t));
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
    int halves = end >> 2;
    int q = begin >> 2;
#if SHARES
    int own = (at.x ^ at.y) & 1;
#if TRANSPOSE_B || A_LAYERED || B_LAYERED || (STACK > 1 && !TRANSPOSE_A)
    for (; q + 4 <= halves; q += 4) {
        add_shared_halves(place, q >> 1, 0, own);
        add_shared_halves(place, q >> 1, 1, own);
    }
#else
    // The same in half the code, which was the faster way here, and the slower one above.
    int ends = q + ((halves - q) & ~3);
    for (; q < ends; q += (q & 1) == 0 ? 1 : 3)
        add_shared_halves(place, q >> 1, q & 1, own);
#endif
#endif
#if A_LAYERED || B_LAYERED
    for (; q + 2 <= halves; q += 2) {
        add_half(place, q >> 1, 0);
        add_half(place, q >> 1, 1);
    }
    if (q < halves)
        add_half(place, q++ >> 1, 0);
    if (4 * q < end)
        add_part(place, q >> 1, q & 1, end - 4 * q);
#else
    for (; q < halves; ++q)
        add_half(place, q >> 1, q & 1);
    if (begin < end && (end & 3) > 0)
        add_part(place, halves >> 1, halves & 1, end & 3);
#endif
    if (begin < end)
        add_ones(place, end);
#if !PARTIAL
    // Of stacked blocks the lower ones may lie outside of the operands that finish() reads.
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        if (STACK == 1 || block_row(place, t) < output_size.x)
            tile[t] = finish(tile[t], place, t);
#endif
}
