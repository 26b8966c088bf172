//! use edge
// The fragment stage: a fragment computes the block at its place and writes one texel of it to each
// render target.
layout(location = 0) out TEXEL target[BLOCK_TEXELS];

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        target[t] = inside(tile[t], block_row(at, t), block_column(at, t));
}
