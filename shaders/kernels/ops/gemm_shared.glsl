//! use finish
//! use window
//! use region
//! use store
// Matrix product of the compute stage: out = finish(op(A) op(B)), as in gemm.glsl, but with
// operands in memory that a work group shares.
//
// A work group computes SIDE x SIDE elements. In each step its invocations fetch DEPTH inner
// indices of both operands into shared memory, wait for each other, and multiply from there. Each
// fetched texel serves SIDE rows or columns. An invocation computes TILES x TILES squares of four
// rows and four columns. A side of 64 needs the fewest fetches; a side of 32 makes more work
// groups, which small outputs need to occupy the device. The output's texels have to hold column
// groups.
//
// The uniforms are those of gemm.glsl.
#define SIDE GROUP
#define ACROSS 8 // invocations along a side
#define TILES (SIDE / 4 / ACROSS)
#define FOURS (SIDE / 4) // fours of rows or columns
#define DEPTH 8
#define ENTRIES (FOURS * DEPTH) // of each operand in a step
#define LOADS (ENTRIES / (ACROSS * ACROSS))

layout(local_size_x = ACROSS, local_size_y = ACROSS) in;

// The sums only stay in registers if no index has to be computed, so all loops are unrolled.
#pragma optionNV(unroll all)

// The operands of a step. Entry i is a column group of the matrix as it is stored, and a `line` is
// a row of op(A) or a column of op(B). If column groups lie across the inner dimension, entry i has
// inner index i / FOURS of lines 4 q to 4 q + 3, with q = i % FOURS. If they lie along it, entry i
// has inner indices 4 (i / SIDE) to 4 (i / SIDE) + 3 of line line_of(i).
shared vec4 a_tile[ENTRIES];
shared vec4 b_tile[ENTRIES];

// Neighbouring invocations fetch lines that are four apart. Their fetches are then in one layer of
// a TILED operand, because texture units take one layer at a time, and their reads of shared memory
// are adjacent.
int line_of(int i)
{
    uint line = uint(i) % uint(SIDE);
    return int(line % uint(FOURS) * 4u + line / uint(FOURS));
}

int four_of(int i)
{
    return int(uint(i) % uint(FOURS));
}

#if WINDOW
// The window of the invocation's row of op(A); with TRANSPOSE_A, its line. Both are the same for
// all of its entries.
ivec3 mine;

void find_window(ivec2 first)
{
    int i = int(gl_LocalInvocationIndex);
#if TRANSPOSE_A
    mine = window_line(min((first.x >> 2) + four_of(i), int(WINDOW_LINES) - 1));
#elif PHASED
    mine = window_of(find_phase(first.x) + line_of(i));
#else
    mine = window_of(first.x + line_of(i));
#endif
}
#endif

// Entry i of A: along the inner dimension, or with TRANSPOSE_A across it.
vec4 a_entry(ivec2 first, int i, int k)
{
#if TRANSPOSE_A
    int group = (first.x >> 2) + four_of(i);
#if WINDOW
    vec4 value = window_group(window_of(k + int(uint(i) / uint(FOURS))), mine);
#else
    vec4 value = A_edge_group(k + int(uint(i) / uint(FOURS)), group);
#endif
#if UNIT
    // The row of ones of the transposed A.
    value = mix(value, vec4(1.0), equal(4 * group + ivec4(0, 1, 2, 3), ivec4(A_LINES)));
#endif
    return value;
#elif WINDOW
    return window_group(mine, window_line((k >> 2) + int(uint(i) / uint(SIDE))));
#else
    return A_edge_group(first.x + line_of(i), (k >> 2) + int(uint(i) / uint(SIDE)));
#endif
}

vec4 b_entry(ivec2 first, int i, int k)
{
#if WINDOW == WINDOW_BACKWARD
    return tap_group(first.y + line_of(i), (k >> 2) + int(uint(i) / uint(SIDE)));
#elif TRANSPOSE_B
    return B_edge_group(first.y + line_of(i), (k >> 2) + int(uint(i) / uint(SIDE)));
#else
    return B_edge_group(k + int(uint(i) / uint(FOURS)), (first.y >> 2) + four_of(i));
#endif
}

// The entry, with zeros after the end of the inner dimension.
vec4 before_end(vec4 entry, bool is_along, int i, int k, int end)
{
    ivec4 inner = is_along ? k + 4 * int(uint(i) / uint(SIDE)) + ivec4(0, 1, 2, 3)
                           : ivec4(k + int(uint(i) / uint(FOURS)));
    return mix(vec4(0.0), entry, lessThan(inner, ivec4(end)));
}

void fetch(ivec2 first, int k, int end, out vec4 a[LOADS], out vec4 b[LOADS])
{
    int thread = int(gl_LocalInvocationIndex);
    for (int l = 0; l < LOADS; ++l) {
        a[l] = a_entry(first, thread + l * ACROSS * ACROSS, k);
        b[l] = b_entry(first, thread + l * ACROSS * ACROSS, k);
    }
    if (k + DEPTH <= end)
        return;
    for (int l = 0; l < LOADS; ++l) {
        int i = thread + l * ACROSS * ACROSS;
        a[l] = before_end(a[l], !bool(TRANSPOSE_A), i, k, end);
        b[l] = before_end(b[l], bool(TRANSPOSE_B), i, k, end);
    }
}

void share(vec4 a[LOADS], vec4 b[LOADS])
{
    int thread = int(gl_LocalInvocationIndex);
    for (int l = 0; l < LOADS; ++l) {
        a_tile[thread + l * ACROSS * ACROSS] = a[l];
        b_tile[thread + l * ACROSS * ACROSS] = b[l];
    }
}

// Reads the four lines of each of the fours me + j * ACROSS of the side, for inner indices 4 h to 4
// h + 3. A vector has one inner index of four lines; or, along the inner dimension, four inner
// indices of one line.
#define LOAD_LINES(lines, entries, is_along, me, h)                                                \
    for (int i = 0; i < 4; ++i)                                                                    \
        for (int j = 0; j < TILES; ++j)                                                            \
            lines[j][i] = entries[(is_along ? (h) * SIDE + i * FOURS : (4 * (h) + i) * FOURS) +    \
                                  (me) + j * ACROSS];

// The sums of an invocation (x, y) belong to fours of rows y and y + ACROSS, and fours of columns x
// and x + ACROSS.
void multiply(inout vec4 sums[TILES][4][TILES])
{
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
    for (int h = 0; h < DEPTH / 4; ++h) {
        vec4 a[TILES][4], b[TILES][4];
        LOAD_LINES(a, a_tile, !bool(TRANSPOSE_A), me.y, h)
        LOAD_LINES(b, b_tile, bool(TRANSPOSE_B), me.x, h)
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < TILES; ++i)
                for (int r = 0; r < 4; ++r)
                    for (int j = 0; j < TILES; ++j) {
                        float factor = bool(TRANSPOSE_A) ? a[i][k][r] : a[i][r][k];
#if TRANSPOSE_B
                        for (int c = 0; c < 4; ++c)
                            sums[i][r][j][c] += factor * b[j][c][k];
#else
                        sums[i][r][j] += factor * b[j][k];
#endif
                    }
    }
}

void store_sums(ivec2 first, int end, int slice, vec4 sums[TILES][4][TILES])
{
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
    for (int i = 0; i < TILES; ++i)
        for (int r = 0; r < 4; ++r)
            for (int j = 0; j < TILES; ++j) {
                int row = first.x + 4 * (me.y + i * ACROSS) + r;
                int group = (first.y >> 2) + me.x + j * ACROSS;
                ivec2 at = ivec2(group / TEXELS_ACROSS, row / BLOCK_ROWS);
                int t = row % BLOCK_ROWS * TEXELS_ACROSS + group % TEXELS_ACROSS;
                vec4 sum = sums[i][r][j];
#if UNIT && !TRANSPOSE_A
                if (end == A_LINES)
                    sum += B_edge_group(end, group);
#endif
#if PARTIAL
                if (at.y >= slice_blocks)
                    continue;
                at.y += slice * slice_blocks;
#endif
                if (is_in_region(at)) {
                    load(at, t);
                    store(at, t, finish(sum, at, t));
                }
            }
}

void main()
{
    int slice = int(gl_WorkGroupID.z);
#if PARTIAL
    int begin = slice * slice_length;
    int end = min(begin + slice_length, inner_end);
#else
    int begin = inner_begin;
    int end = inner_end;
#endif
    ivec2 first = region.yx * ivec2(BLOCK_ROWS, BLOCK_COLUMNS) + ivec2(gl_WorkGroupID.yx) * SIDE;
    vec4 next_a[LOADS], next_b[LOADS]; // fetched for the next step during this one
    vec4 sums[TILES][4][TILES];
    for (int i = 0; i < TILES; ++i)
        for (int r = 0; r < 4; ++r)
            for (int j = 0; j < TILES; ++j)
                sums[i][r][j] = vec4(0.0);
#if WINDOW
    find_window(first);
    find_first_group(first.y);
    end = window_end(end);
#endif
    fetch(first, begin, end, next_a, next_b);
    for (int k = begin; k < end; k += DEPTH) {
        barrier();
        share(next_a, next_b);
        barrier();
        fetch(first, k + DEPTH, end, next_a, next_b);
        multiply(sums);
    }
    store_sums(first, end, slice, sums);
}
