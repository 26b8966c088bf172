// The block of a kernel that a program gave as text: the text computes one element at a time.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = element(block_row(at, t), block_column(at, t) + c);
}
