// The gradient of the parameters of batch_norm.glsl, in steps. A step folds parts of a column into
// larger parts, the LAST one into the whole column. Rows 4 k and 4 k + 1 of its output are the sums
// of D n and of D over part k, where n are the normalised inputs. The FIRST step reads D and X.
// Later steps read the parts of the step before in D.
//
// STATISTICS has mean and 1 / deviation of each column in rows 2 and 3. If PIXELS is not 0, it has
// those of each PIXELS rows of X, in columns 0 and 1 of a row of its own.
// Uniforms:
//   part_rows: rows in a part of D
//   rows: rows of a column, of which the last part can have fewer than the others
//   parts: that a step folds into one

void fold(int part, int texel, out TEXEL weighted, out TEXEL plain)
{
    int begin = part * parts;
    int end = min(begin + parts, (rows - 1) / part_rows + 1);
    weighted = TEXEL(0.0);
    plain = TEXEL(0.0);
#if FIRST && !PIXELS
    TEXEL mean = STATISTICS_texel(2, texel);
    TEXEL scale = STATISTICS_texel(3, texel);
#endif
    for (int i = begin; i < end; ++i) {
#if FIRST && PIXELS
        vec4 moments = STATISTICS_edge_group(i / PIXELS, 0);
        TEXEL mean = TEXEL(moments.x);
        TEXEL scale = TEXEL(moments.y);
#endif
#if FIRST
        TEXEL delta = D_texel(i, texel);
        weighted += delta * ((X_texel(i, texel) - mean) * scale);
        plain += delta;
#else
        weighted += D_texel(4 * i, texel);
        plain += D_texel(4 * i + 1, texel);
#endif
    }
}

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        TEXEL weighted, plain;
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int row = at.y * BLOCK_ROWS + r;
            if (r % 4 == 0)
                fold(row / 4, block_texel(at, i), weighted, plain);
            tile[r * TEXELS_ACROSS + i] =
                (row & 3) == 0 ? weighted : (row & 3) == 1 ? plain : TEXEL(0.0);
        }
    }
}
