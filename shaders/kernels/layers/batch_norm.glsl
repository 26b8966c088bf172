//! use maps
// out = f(gamma n + beta), where n = (X - mean) / deviation and f is given by ACTIVATION.
// PARAMETERS has gamma and beta, STATISTICS the rows of moments.glsl. Mean and deviation are those
// of the batch, or with RUNNING the running ones.
// Uniforms:
//   epsilon: added to the variance

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int texel = block_texel(at, i);
        TEXEL gamma = PARAMETERS_texel(0, texel);
        TEXEL beta = PARAMETERS_texel(1, texel);
#if RUNNING
        TEXEL mean = STATISTICS_texel(0, texel);
        TEXEL scale = 1.0 / sqrt(STATISTICS_texel(1, texel) + epsilon);
#else
        TEXEL mean = STATISTICS_texel(2, texel);
        TEXEL scale = STATISTICS_texel(3, texel);
#endif
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int t = r * TEXELS_ACROSS + i;
            tile[t] = map_value(ACTIVATION, gamma * ((X_at(at, t) - mean) * scale) + beta);
        }
    }
}
