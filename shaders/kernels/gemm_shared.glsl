//! use finish
//! use inner
//! use region
//! use store
// The inner product of the compute stage: finish(op(A) op(B)) like gemm.glsl, but a work group of
// GROUP x GROUP invocations keeps what it reads in shared memory. It computes SIDE x SIDE elements,
// eight inner indices a step: two texels of each operand are fetched for 1024 multiply-adds (GROUP
// 16: an invocation fetches one of each). Layouts may be any whose texels are quads.
#define SIDE (8 * GROUP)
#define QUADS (SIDE / 4)
#define DEPTH 8
#define THREADS (GROUP * GROUP)
#define LOADS (16 / GROUP)

layout(local_size_x = GROUP, local_size_y = GROUP) in;

// a_tile[k][q][c] = op(A)(row 4 q + c of the group, inner index k of the step); b_tile likewise for
// the columns of op(B).
shared vec4 a_tile[DEPTH][QUADS];
shared vec4 b_tile[DEPTH][QUADS];

// What an invocation has fetched for the next step while it works on this one.
vec4 next_a[LOADS];
vec4 next_b[LOADS];

// The components of a quad of inner indices from k on that lie before the end; the rest is zero.
vec4 before_end(vec4 quad, int k, int end)
{
    return mix(vec4(0.0), quad, lessThan(ivec4(k) + ivec4(0, 1, 2, 3), ivec4(end)));
}

// The row or column of the group that entry i is of, where quads run along the inner dimension:
// neighbours are four lines apart, so that what they fetch lies in one layer of a tiled operand.
// Texture units take a turn for each layer that neighbours read.
int line_of(int i)
{
    int line = i % SIDE;
    return line % QUADS * 4 + line / QUADS;
}

// Entry i of what the group fetches for the step at k. A quad either runs along the inner dimension,
// one a row (or column) of the group and half of the step, or across it, one a quad and inner index.
vec4 fetch_a(int i, int first_row, int k, int end)
{
#if TRANSPOSE_A
    int inner = k + i / QUADS;
    int quad = (first_row >> 2) + i % QUADS;
    vec4 value = inner < end ? A_edge_quad(inner, quad) : vec4(0.0);
#if AUGMENT
    // The row of ones behind the last column of A.
    if (inner < end)
        value = mix(value, vec4(1.0),
                    equal(ivec4(4 * quad) + ivec4(0, 1, 2, 3), ivec4(A_size.y)));
#endif
    return value;
#else
    int inner = k + 4 * (i / SIDE);
    return before_end(A_edge_quad(first_row + line_of(i), inner >> 2), inner, end);
#endif
}

vec4 fetch_b(int i, int first_column, int k, int end)
{
#if TRANSPOSE_B
    int inner = k + 4 * (i / SIDE);
    return before_end(B_edge_quad(first_column + line_of(i), inner >> 2), inner, end);
#else
    int inner = k + i / QUADS;
    return inner < end ? B_edge_quad(inner, (first_column >> 2) + i % QUADS) : vec4(0.0);
#endif
}

void fetch(ivec2 first, int k, int end)
{
    int thread = int(gl_LocalInvocationIndex);
    for (int l = 0; l < LOADS; ++l) {
        next_a[l] = fetch_a(thread + l * THREADS, first.x, k, end);
        next_b[l] = fetch_b(thread + l * THREADS, first.y, k, end);
    }
}

// Puts what was fetched where the group reads it; a quad along the inner dimension is spread.
void share()
{
    int thread = int(gl_LocalInvocationIndex);
    for (int l = 0; l < LOADS; ++l) {
        int i = thread + l * THREADS;
#if TRANSPOSE_A
        a_tile[i / QUADS][i % QUADS] = next_a[l];
#else
        for (int c = 0; c < 4; ++c)
            a_tile[4 * (i / SIDE) + c][line_of(i) >> 2][line_of(i) & 3] = next_a[l][c];
#endif
#if TRANSPOSE_B
        for (int c = 0; c < 4; ++c)
            b_tile[4 * (i / SIDE) + c][line_of(i) >> 2][line_of(i) & 3] = next_b[l][c];
#else
        b_tile[i / QUADS][i % QUADS] = next_b[l];
#endif
    }
}

// An invocation's sums: quads of rows y and y + GROUP, quads of columns x and x + GROUP, so that
// neighbours read neighbouring words of shared memory.
vec4 sums[2][4][2];

void multiply()
{
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
    for (int k = 0; k < DEPTH; ++k) {
        vec4 a0 = a_tile[k][me.y];
        vec4 a1 = a_tile[k][me.y + GROUP];
        vec4 b0 = b_tile[k][me.x];
        vec4 b1 = b_tile[k][me.x + GROUP];
        for (int r = 0; r < 4; ++r) {
            sums[0][r][0] += a0[r] * b0;
            sums[0][r][1] += a0[r] * b1;
            sums[1][r][0] += a1[r] * b0;
            sums[1][r][1] += a1[r] * b1;
        }
    }
}

void store_sums(ivec2 first, int end, int slice)
{
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
    for (int i = 0; i < 2; ++i)
        for (int r = 0; r < 4; ++r)
            for (int j = 0; j < 2; ++j) {
                int row = first.x + 4 * (me.y + i * GROUP) + r;
                int quad = (first.y >> 2) + me.x + j * GROUP;
                ivec2 at = ivec2(quad / TEXELS_ACROSS, row / BLOCK_ROWS);
                int t = row % BLOCK_ROWS * TEXELS_ACROSS + quad % TEXELS_ACROSS;
                vec4 sum = sums[i][r][j];
#if AUGMENT && !TRANSPOSE_A
                if (end == A_size.y)
                    sum += B_edge_quad(end, quad);
#endif
#if PARTIAL
                if (at.y >= slice_blocks)
                    continue;
                at.y += slice * slice_blocks;
#endif
                if (is_in_region(at))
                    store(at, t, finish(sum, at, t));
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
    for (int i = 0; i < 2; ++i)
        for (int r = 0; r < 4; ++r)
            sums[i][r] = vec4[2](vec4(0.0), vec4(0.0));
    fetch(first, begin, end);
    for (int k = begin; k < end; k += DEPTH) {
        barrier();
        share();
        barrier();
        fetch(first, k + DEPTH, end);
        multiply();
    }
    store_sums(first, end, slice);
}
