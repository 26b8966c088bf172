//! use maps
// The delta of the input of layer_norm.glsl:
//
//   out = (g - mean(g) - n mean(g n)) / deviation f'(x)
//
// with g = gamma D and the normalised inputs n = (X - mean) / deviation. The means are over the
// numbers of a sample, which has PIXELS rows of X. X has gone through f, given by ACTIVATION. SUMS
// has the sums of g n and of g (sample_sums.glsl), MOMENTS the mean and 1 / deviation.
// Uniforms:
//   rows: of the batch; those after them become zero

void block(ivec2 at)
{
    float count = float(PIXELS) * float(X_size.y);
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        TEXEL gamma = PARAMETERS_texel(0, block_texel(at, i));
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int t = r * TEXELS_ACROSS + i;
            int row = block_row(at, t);
            vec4 moments = MOMENTS_edge_group(row / PIXELS, 0);
            vec4 sums = SUMS_edge_group(row / PIXELS, 0) / count;
            TEXEL x = X_at(at, t);
            TEXEL n = (x - moments.x) * moments.y;
            TEXEL delta = moments.y * (gamma * D_at(at, t) - sums.y - n * sums.x);
            delta *= map_derivative(ACTIVATION, x);
            tile[t] = row < rows ? delta : TEXEL(0.0);
        }
    }
}
