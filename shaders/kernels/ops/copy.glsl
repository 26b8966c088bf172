// out = X through its view, which may shift or transpose it. With OLD, only the elements of a
// rectangle come from X and all others from OLD.
// Uniforms:
//   row_begin, row_end, column_begin, column_end: the rectangle, ends excluded

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = X_at(at, t);
#if HAS_OLD
        TEXEL old = OLD_at(at, t);
        int row = block_row(at, t);
        bool row_is_in = row >= row_begin && row < row_end;
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            if (!row_is_in || column < column_begin || column >= column_end)
                COMPONENT(tile[t], c) = COMPONENT(old, c);
        }
#endif
    }
}
