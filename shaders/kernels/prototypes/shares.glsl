//! use sample
//! use logit
//! use factors
// RSLVQ: the factor of x - m by which a sample moves each prototype,
//
//   rate (p_own - p_all),
//
// times the factor of the sample's loss, of the FACTORS.
// p_own and p_all are the shares of the prototype (logit.glsl) in two densities: that of the
// sample's class and that of all prototypes. p_own is 0 for prototypes of other classes. LOGARITHMS
// has the logarithms of the two densities, from moves.glsl. Rows without a sample become zero.
// Uniforms:
//   rate: the learning rate
//   entry: the place of the first row in the order of the epoch
//
// Differences, exponentials, a mask and a product would take 1.4 times as long for 1024 samples and
// 40 prototypes, 6 times for one sample (llvmpipe).

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        TEXEL scores = Z_at(at, t);
        tile[t] = TEXEL(0.0);
        if (row >= count)
            continue;
        float label = TARGET_element(sample_of(row), 0);
        float own = LOGARITHMS_element(row, 0);
        float all = LOGARITHMS_element(row, 1);
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            float z = logit(COMPONENT(scores, c));
            bool is_own = CLASSES_edge_element(0, block_column(at, t) + c) == label;
            COMPONENT(tile[t], c) = rate * ((is_own ? exp(z - own) : 0.0) - exp(z - all));
        }
        tile[t] = WEIGHED(tile[t], entry + row);
    }
}
