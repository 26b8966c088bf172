//! use store
// The fragment stage without render targets: a fragment computes its block and stores the texels in
// images. Here the block may consist of STACK blocks of the layout, one below the other, which lets
// a matrix product use each fetched operand more often. With WRAPS the fragments are a rectangle of
// that width, and number the blocks row by row.
void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
#if WRAPS
    int number = at.y * WRAPS + at.x;
    int columns = (output_size.y + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS;
    at = ivec2(number % columns, number / columns);
    if (at.y * BLOCK_ROWS >= output_size.x)
        return;
#endif
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        store(at, t, tile[t]);
}
