//! use maps
// out = f(gamma n + beta), where n = (X - mean) / deviation and f is given by ACTIVATION.
// PARAMETERS has gamma and beta of each column. MOMENTS has mean and 1 / deviation of each sample
// (sample_moments.glsl). A sample has PIXELS rows of X.

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        TEXEL gamma = PARAMETERS_texel(0, block_texel(at, i));
        TEXEL beta = PARAMETERS_texel(1, block_texel(at, i));
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int t = r * TEXELS_ACROSS + i;
            vec4 moments = MOMENTS_edge_group(block_row(at, t) / PIXELS, 0);
            tile[t] =
                map_value(ACTIVATION, gamma * ((X_at(at, t) - moments.x) * moments.y) + beta);
        }
    }
}
