//! use store
// The fragment stage without render targets: a fragment computes its block and stores the texels in
// images. Here the block may consist of STACK blocks of the layout, one below the other, which lets
// a matrix product use each fetched operand more often.
void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
#if WRAP
    at = block_of(at);
    if (!is_in_region(at)) {
        store_padding(at);
        return;
    }
#endif
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        load(at, t);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        store(at, t, tile[t]);
}
