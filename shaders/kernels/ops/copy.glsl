// X through its view; outside the rectangle, where there is one, OLD.
layout(location = INTEGER_0) uniform ivec2 rect_begin; // row, column
layout(location = INTEGER_2) uniform ivec2 rect_end;

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = X_at(at, t);
#if HAS_OLD
        TEXEL old = OLD_at(at, t);
        int row = block_row(at, t);
        bool row_is_in = row >= rect_begin.x && row < rect_end.x;
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            if (!row_is_in || column < rect_begin.y || column >= rect_end.y)
                COMPONENT(tile[t], c) = COMPONENT(old, c);
        }
#endif
    }
}
