// Any value of the expression of a loss: this shader compiles if the expression does.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(expression(float(block_row(at, t)), float(block_column(at, t))));
}
