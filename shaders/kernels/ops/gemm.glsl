//! use finish
//! use window
// Matrix product: out = finish(op(A) op(B)). One fragment computes one block of the output.
//
// The loop walks along the inner dimension, four inner indices in a step. For a block of 4 x 8
// elements a step fetches four texels of op(A) (a column group of each of its four rows) and eight
// of op(B) (four rows of two column groups). These 12 fetches serve 4 * 8 * 4 = 128 multiply-adds;
// an UNPACKED block, which is one element, needs 8 fetches for 4.
//
// The loop runs from inner_begin to inner_end. With PARTIAL the output holds one partial product
// per slice of the inner dimension, one below the other, each slice_blocks rows of blocks high. A
// slice has slice_length inner indices. Begins and lengths are multiples of 8, or of 4 if a work
// group computes all slices of a block; then the last slices may be empty. With UNALIGNED they are
// any numbers.
//
// SHARES: the GPU runs fragments in quads of 2 x 2, which can exchange registers. Two fragments
// above each other need the same columns of op(B), two side by side the same rows of op(A). Each
// fetches its operands for one of two tiles, multiplies, then swaps one operand with a neighbour
// that has fetched the other tile. This halves the fetches: 6 for 128 multiply-adds. All fetches of
// a fragment at a time lie in one layer, because texture units take twice as long for a quad that
// reads two layers.
//
// WINDOW: op(A) is windows of images, as include/window.glsl reads them, and inner indices 4 q to
// 4 q + 3 are one line of it. With WINDOW_BACKWARD a row of B belongs to a tap and a column of the
// output.
// Uniforms:
//   inner_begin, inner_end: the inner indices of the pass
//   slice_length: with PARTIAL
//   slice_blocks: with PARTIAL, and of the whole output if it is PHASED

// The texels of op(A) and op(B) that are multiplied next. They are variables of the shader, because
// some compilers of browsers copy the arrays that a function receives or returns.
#if TRANSPOSE_B
#define B_TYPE vec4
#else
#define B_TYPE TEXEL
#endif
vec4 a[BLOCK_ROWS];
B_TYPE b[TEXELS_ACROSS * 4];

#if WINDOW && !TRANSPOSE_A
// Of the rows of the block, found once.
ivec3 windows[BLOCK_ROWS];

void find_windows(int y)
{
    int first = y * BLOCK_ROWS;
#if PHASED
    first = find_phase(first);
#endif
#if BLOCK_ROWS == 1
    windows[0] = window_of(first);
#else
    for (int s = 0; s < STACK; ++s) {
        ivec3 four[4];
        windows_of(first + 4 * s, four);
        for (int r = 0; r < 4; ++r)
            windows[4 * s + r] = four[r];
    }
#endif
}

// Of the tap that was read last: where each window reads, and whether that is inside of its image.
// All column groups of a tap share them. Mesa's zink 22.3 cannot compile an array of bool.
int known_tap = -1;
ivec2 tap_rows[BLOCK_ROWS];
int tap_insides[BLOCK_ROWS];

void load_windows(int y, int q)
{
    int tap = int(uint(q) / uint(WINDOW_GROUPS));
    if (tap != known_tap) {
        ivec3 line = window_line(q);
        known_tap = tap;
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            bool is_inside;
            tap_rows[r] = window_place(windows[r], line.xy, is_inside);
            tap_insides[r] = int(is_inside);
        }
    }
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        vec4 value = window_stored(tap_rows[r], first_group + q - tap * WINDOW_GROUPS);
        a[r] = tap_insides[r] != 0 ? value : vec4(0.0);
    }
}
#elif WINDOW
// Of the stacked blocks, found once. A row after the last one has any line.
#define WINDOW_STACK (BLOCK_ROWS == 1 ? 1 : STACK)
ivec3 lines[WINDOW_STACK];

void find_windows(int y)
{
    for (int s = 0; s < WINDOW_STACK; ++s)
        lines[s] =
            window_line(min(BLOCK_ROWS == 1 ? y >> 2 : y * STACK + s, int(WINDOW_LINES) - 1));
}

void load_windows(int y, int q)
{
    ivec3 four[4];
    windows_of(4 * q, four);
#if BLOCK_ROWS == 1
    for (int i = 0; i < 4; ++i)
        a[0][i] = window_group(four[i], lines[0])[y & 3];
#else
    for (int s = 0; s < STACK; ++s) {
        mat4 columns;
        for (int i = 0; i < 4; ++i)
            columns[i] = window_group(four[i], lines[s]);
        for (int r = 0; r < 4; ++r)
            a[4 * s + r] = vec4(columns[0][r], columns[1][r], columns[2][r], columns[3][r]);
    }
#endif
}
#endif

// The columns of a block read the same rows of op(A). But with channels in groups, the columns of a
// texel have their own.
#if WINDOW && WINDOW_COLUMNS % BLOCK_COLUMNS != 0
#define SIDES TEXELS_ACROSS
#else
#define SIDES 1
#endif
#define SIDE_TEXELS (TEXELS_ACROSS / SIDES)

// Loads a[r][i] = op(A)(row r of the block `at`, inner index 8 h + 4 p + i) for a side of the
// block. h counts tiles of eight inner indices, p the two halves of a tile. With UNIT the
// transposed A has one more row, all ones, which makes the sums of the columns of B. If `is_rest`
// is true, inner indices may lie outside of A.
void load_a(ivec2 at, int side, int h, int p, bool is_rest)
{
    int y = at.y;
#if WINDOW
    find_first_group(block_column(at, side));
    load_windows(y, 2 * h + p);
#elif BLOCK_ROWS == 1 && TRANSPOSE_A
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
    int unit = A_LINES - y * BLOCK_ROWS;
    if (unit >= 0 && unit < BLOCK_ROWS)
        for (int r = 0; r < BLOCK_ROWS; ++r)
            a[r] = r == unit ? vec4(1.0) : a[r];
#endif
}

// Loads op(B) for inner indices 8 h + 4 p to 8 h + 4 p + 3. b[4 t + i] has the columns of texel t
// in inner index 8 h + 4 p + i. With TRANSPOSE_B it has all four inner indices of column 4 t + i.
B_TYPE texel_of_b(int x, int h, int p, bool is_rest, int t, int i)
{
#if BLOCK_ROWS == 1 && TRANSPOSE_B && WINDOW == WINDOW_BACKWARD
    return tap_group(x * TEXEL_COLUMNS + i, 2 * h + p);
#elif BLOCK_ROWS == 1 && TRANSPOSE_B
    int row = min(x * TEXEL_COLUMNS + i, B_size.x - 1);
    return is_rest ? B_edge_group(row, 2 * h + p) : B_group(row, 2 * h + p);
#elif BLOCK_ROWS == 1
    return B_texel(8 * h + 4 * p + i, x);
#elif TRANSPOSE_B && WINDOW == WINDOW_BACKWARD
    return tap_group_of_four(TEXELS_ACROSS * x + t, i, 2 * h + p);
#elif TRANSPOSE_B
    ivec2 place = ivec2(h, min(TEXELS_ACROSS * x + t, (B_size.x - 1) >> 2));
    return is_rest ? B_any_tile(place, i, p) : B_tile(place, i, p);
#else
    ivec2 place = ivec2(x, 2 * h + p);
    return is_rest ? B_any_tile_of_block(place, i, t) : B_tile_of_block(place, i, t);
#endif
}

void load_b(int x, int h, int p, bool is_rest)
{
    for (int t = 0; t < TEXELS_ACROSS; ++t)
        for (int i = 0; i < 4; ++i)
            b[4 * t + i] = texel_of_b(x, h, p, is_rest, t, i);
}

// The columns of texel t in inner index i of those that are loaded.
#if TRANSPOSE_B && TEXEL_COLUMNS == 4
#define B_ROW(t, i) vec4(b[4 * (t)][i], b[4 * (t) + 1][i], b[4 * (t) + 2][i], b[4 * (t) + 3][i])
#elif TRANSPOSE_B
#define B_ROW(t, i) b[4 * (t)][i]
#else
#define B_ROW(t, i) b[4 * (t) + (i)]
#endif

// tile += a b, for the columns of a side. One inner index after the other, so that each
// multiply-add is one instruction. All loops have constant bounds: Mesa unrolls no others, and then
// keeps the arrays in memory, which takes llvmpipe three times as long.
void multiply(int side)
{
    for (int i = 0; i < 4; ++i)
        for (int t = 0; t < TEXELS_ACROSS; ++t)
            if (t / SIDE_TEXELS == side)
                for (int r = 0; r < BLOCK_ROWS; ++r)
                    tile[r * TEXELS_ACROSS + t] += a[r][i] * B_ROW(t, i);
}

void add_half(ivec2 at, int h, int p)
{
    load_a(at, 0, h, p, false);
    load_b(at.x, h, p, false);
    multiply(0);
#if SIDES > 1
    load_a(at, 1, h, p, false);
    multiply(1);
#endif
}

#if SHARES
// Adds half p of tiles h and h + 1: first of the tile that this fragment fetches, then of the other
// one, whose operands come from the neighbours.
void add_shared_halves(ivec2 at, int h, int p, int own)
{
    load_b(at.x, h + own, p, false);
    load_a(at, 0, h + own, p, false);
    multiply(0);
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = subgroupQuadSwapHorizontal(a[r]);
    for (int i = 0; i < TEXELS_ACROSS * 4; ++i)
        b[i] = subgroupQuadSwapVertical(b[i]);
    multiply(0);
}
#endif

// add_part() adds the inner indices from `first` to before `last` of a half, at the end of the
// inner dimension, or with UNALIGNED at the begin or the end of a slice.
#if SHARES
// The loop below would make whole products of an H100 up to 13 % slower, even where it has no turn.
void add_part(ivec2 at, int h, int p, int first, int last)
{
    load_b(at.x, h, p, true);
    // As unsigned numbers, indices before the first one are large.
    bvec4 is_inside = lessThan(uvec4(ivec4(0, 1, 2, 3) - first), uvec4(last - first));
    for (int i = 0; i < TEXELS_ACROSS * 4; ++i)
#if TRANSPOSE_B
        b[i] = mix(vec4(0.0), b[i], is_inside);
#else
        b[i] = is_inside[i & 3] ? b[i] : B_TYPE(0.0);
#endif
    load_a(at, 0, h, p, true);
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = mix(vec4(0.0), a[r], is_inside);
    multiply(0);
}
#else
float component(vec4 x, int i)
{
    return i < 2 ? (i == 0 ? x.x : x.y) : (i == 2 ? x.z : x.w);
}

// The columns of texel t in inner index 8 h + 4 p + i, which is not a constant.
TEXEL row_of_b(int x, int h, int p, int t, int i)
{
#if TRANSPOSE_B
    TEXEL row;
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(row, c) = component(texel_of_b(x, h, p, true, t, c), i);
    return row;
#else
    return texel_of_b(x, h, p, true, t, i);
#endif
}

// The same sums as those of multiply(), with a quarter of the code: llvmpipe compiles the programs
// of a training step in two thirds of the time.
void add_part(ivec2 at, int h, int p, int first, int last)
{
    for (int side = 0; side < 2; ++side)
        if (side < SIDES) {
            load_a(at, side, h, p, true);
            for (int i = first; i < last; ++i)
                for (int t = 0; t < TEXELS_ACROSS; ++t)
                    if (t / SIDE_TEXELS == side) {
                        TEXEL row = row_of_b(at.x, h, p, t, i);
                        for (int r = 0; r < BLOCK_ROWS; ++r)
                            tile[r * TEXELS_ACROSS + t] += component(a[r], i) * row;
                    }
        }
}
#endif

// Without a transpose, UNIT is a column of ones after the last column of A. It adds the last row of
// B to each row.
void add_ones(ivec2 at, int end)
{
#if UNIT && !TRANSPOSE_A
    if (end == A_LINES)
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
#if WINDOW
    find_windows(place.y);
    end = window_end(end);
#endif
    int halves = end >> 2;
    int q = begin >> 2;
#if UNALIGNED
    // The loops begin with a whole tile.
    if ((begin & 3) > 0) {
        add_part(place, q >> 1, q & 1, begin & 3, min(end - 4 * q, 4));
        ++q;
    }
    if ((q & 1) > 0 && q < halves)
        add_half(place, q++ >> 1, 1);
#endif
#if SHARES
    int own = (at.x ^ at.y) & 1;
#if TRANSPOSE_B || A_LAYERED || B_LAYERED || (STACK > 1 && !TRANSPOSE_A)
    for (; q + 4 <= halves; q += 4) {
        add_shared_halves(place, q >> 1, 0, own);
        add_shared_halves(place, q >> 1, 1, own);
    }
#else
    // The same with half the code. It is faster in this case, and slower in the one above.
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
#else
    for (; q < halves; ++q)
        add_half(place, q >> 1, q & 1);
#endif
    if (4 * q < end)
        add_part(place, q >> 1, q & 1, 0, end - 4 * q);
    if (begin < end)
        add_ones(place, end);
#if !PARTIAL
    // The lower blocks of a stack may lie outside of the operands that finish() reads.
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        if (STACK == 1 || block_row(place, t) < output_size.x)
            tile[t] = finish(tile[t], place, t);
#endif
}
