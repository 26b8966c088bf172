//! use maps
// out = D f'(x), where Y = f(x) and f is given by ACTIVATION. Without Y, f is the identity. The
// other operands are further factors. With RANGE, only the columns of a range are computed, and the
// others are 0.
// Uniforms:
//   column_begin, column_end: the range, the end excluded

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = D_at(at, t);
#if RANGE
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            if (column < column_begin || column >= column_end)
                COMPONENT(tile[t], c) = 0.0;
        }
#endif
#if HAS_FIRST
        tile[t] *= FIRST_at(at, t);
#endif
#if HAS_SECOND
        tile[t] *= SECOND_at(at, t);
#endif
#if HAS_THIRD
        tile[t] *= THIRD_at(at, t);
#endif
#if HAS_Y
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
    }
}
