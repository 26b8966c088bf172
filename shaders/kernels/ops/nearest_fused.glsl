//! use scan
// Finds the two winners (winners.glsl) of each sample without storing scores. A fragment computes
// the scores |m|^2 - 2 x m of the samples X and the prototypes M, and compares them at once. The
// norms |m|^2 come from NORMS, or are computed in the same loop.
//
// A fragment takes the samples in the rows of its block. For each of its texels across it takes
// part_prototypes prototypes. The parts of the prototypes follow each other along a row of blocks.
// Uniforms:
//   part_prototypes: prototypes of a part, a multiple of 8

#define GROUPS 2 // groups of four prototypes in a step

// An UNPACKED operand has no padding, so the features after the last full column group are read one
// by one.
#define HAS_REST (X_LAYOUT == GLNN_LAYOUT_UNPACKED || M_LAYOUT == GLNN_LAYOUT_UNPACKED)

vec4 products[BLOCK_ROWS * GROUPS];
vec4 norms[GROUPS];

// The texels that are multiplied next: of the samples, and of the prototypes of a step.
vec4 a[BLOCK_ROWS];
vec4 b[4 * GROUPS];

// Loads column group q of the features: of the samples in row y of blocks, and of the prototypes of
// a step, which begin with group `group`.
void load(int y, int group, int q)
{
    for (int i = 0; i < GROUPS; ++i)
        for (int c = 0; c < 4; ++c)
            b[4 * i + c] = M_tile(ivec2(q >> 1, min(group + i, (M_size.x - 1) >> 2)), c, q & 1);
    for (int r = 0; r < BLOCK_ROWS; ++r)
        a[r] = X_tile(ivec2(q >> 1, min(y, (X_size.x - 1) >> 2)), r, q & 1);
}

// Adds the products. One feature after the other, so that each multiply-add is one instruction.
void multiply()
{
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < GROUPS; ++i) {
            vec4 row = vec4(b[4 * i][k], b[4 * i + 1][k], b[4 * i + 2][k], b[4 * i + 3][k]);
            for (int r = 0; r < BLOCK_ROWS; ++r)
                products[r * GROUPS + i] += a[r][k] * row;
#if !HAS_NORMS
            norms[i] += row * row;
#endif
        }
}

// The products of the block's samples with the prototypes of a step, and the norms of the
// prototypes. After the last prototype the norms are infinite, so that none wins there.
void find_products(int y, int group)
{
    for (int i = 0; i < BLOCK_ROWS * GROUPS; ++i)
        products[i] = vec4(0.0);
    for (int i = 0; i < GROUPS; ++i)
        norms[i] = vec4(0.0);
    int groups = HAS_REST ? X_size.y >> 2 : (X_size.y + 3) >> 2;
    for (int q = 0; q < groups; ++q) {
        load(y, group, q);
        multiply();
    }
#if HAS_REST
    for (int k = groups << 2; k < X_size.y; ++k) {
        for (int j = 0; j < 4 * GROUPS; ++j)
            b[j] = vec4(M_edge_element(4 * group + j, k), 0.0, 0.0, 0.0);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            a[r] = vec4(X_edge_element(y * BLOCK_ROWS + r, k), 0.0, 0.0, 0.0);
        multiply();
    }
#endif
    for (int i = 0; i < GROUPS; ++i) {
#if HAS_NORMS
        norms[i] = NORMS_edge_group(0, group + i);
#endif
        norms[i] = before_end(norms[i], group + i, M_size.x);
    }
}

void scan_part(int y, int part, float labels[BLOCK_ROWS], out vec4 winners[BLOCK_ROWS])
{
    Scan scans[BLOCK_ROWS];
    for (int r = 0; r < BLOCK_ROWS; ++r)
        scans[r] = scan_begin();
    int begin = part * part_prototypes;
    int end = min(begin + part_prototypes, M_size.x);
    for (int p = begin; p < end; p += 4 * GROUPS) {
        find_products(y, p >> 2);
        for (int i = 0; i < GROUPS; ++i) {
            int group = (p >> 2) + i;
            vec4 classes = classes_of(group);
            for (int r = 0; r < BLOCK_ROWS; ++r)
                scan_add(scans[r], norms[i] - 2.0 * products[r * GROUPS + i], classes, labels[r],
                         group);
        }
    }
    for (int r = 0; r < BLOCK_ROWS; ++r)
        winners[r] = scan_end(scans[r]);
}

void block(ivec2 at)
{
    int row = at.y * BLOCK_ROWS;
    float labels[BLOCK_ROWS];
    vec4 winners[BLOCK_ROWS];
    for (int r = 0; r < BLOCK_ROWS; ++r)
        labels[r] = label_of(row + r);
    for (int t = 0; t < TEXELS_ACROSS; ++t) {
        scan_part(at.y, at.x * TEXELS_ACROSS + t, labels, winners);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            tile[r * TEXELS_ACROSS + t] = row + r < count ? winners[r] : NO_SAMPLE;
    }
}
