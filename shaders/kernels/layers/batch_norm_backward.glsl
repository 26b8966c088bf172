//! use maps
// The delta of the input of batch_norm.glsl:
//
//   out = gamma / deviation (D - mean(D) - n mean(D n)) f'(x)
//
// with the normalised inputs n = (X - mean) / deviation. X has gone through f, given by ACTIVATION.
// SUMS has the sums of D n and of D (batch_norm_sums.glsl), STATISTICS the rows of moments.glsl.
// Uniforms:
//   rows: of the batch; those after them become zero

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int texel = block_texel(at, i);
        TEXEL mean = STATISTICS_texel(2, texel);
        TEXEL scale = STATISTICS_texel(3, texel);
        TEXEL weighted = SUMS_texel(0, texel) / float(rows);
        TEXEL plain = SUMS_texel(1, texel) / float(rows);
        TEXEL factor = PARAMETERS_texel(0, texel) * scale;
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int t = r * TEXELS_ACROSS + i;
            TEXEL x = X_at(at, t);
            TEXEL delta = factor * (D_at(at, t) - plain - (x - mean) * scale * weighted);
            delta *= map_derivative(ACTIVATION, x);
            tile[t] = block_row(at, t) < rows ? delta : TEXEL(0.0);
        }
    }
}
