// The sums over the numbers of each sample that layer_norm_backward.glsl needs, in steps as those
// of sample_moments.glsl. Columns 0 and 1 of a row of the output are the sums of g n and of g, with
// g = gamma D and n are the normalised inputs. The FIRST step reads D and X. Later ones read the
// rows of the step before in D.
// Uniforms:
//   rows: of a sample in D
//   parts: rows that a step folds into one
//   folds: rows of a sample in the output

vec4 fold(int image, int begin, int end)
{
#if FIRST
    int columns = X_size.y;
    vec4 moments = MOMENTS_edge_group(image, 0);
    vec4 weighted = vec4(0.0);
    vec4 plain = vec4(0.0);
    for (int row = begin; row < end; ++row)
        for (int q = 0; 4 * q < columns; ++q) {
            vec4 g = mix(vec4(0.0), PARAMETERS_edge_group(0, q) * D_edge_group(row, q),
                         lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(columns)));
            weighted += g * ((X_edge_group(row, q) - moments.x) * moments.y);
            plain += g;
        }
    return vec4((weighted.x + weighted.y) + (weighted.z + weighted.w),
                (plain.x + plain.y) + (plain.z + plain.w), 0.0, 0.0);
#else
    vec4 sums = vec4(0.0);
    for (int row = begin; row < end; ++row)
        sums += D_edge_group(row, 0);
    return sums;
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int image = row / folds;
        int part = row - image * folds;
        tile[t] =
            fold(image, image * rows + part * parts, image * rows + min((part + 1) * parts, rows));
    }
}
