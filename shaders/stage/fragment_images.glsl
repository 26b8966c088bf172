//! use store
// The fragment stage without render targets: a fragment computes the block at its place and stores
// it in images. Blocks may be several blocks of the output's layout, one below the other.
void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        store(at, t, tile[t]);
}
