// The fragment stage: a fragment computes the block at its place and writes one texel of it to each
// render target. Padding becomes zero here, for all kernels.
layout(location = 0) out TEXEL target[BLOCK_TEXELS];

TEXEL inside(TEXEL texel, int row, int column)
{
    if (row >= output_size.x)
        return TEXEL(0.0);
#if TEXEL_COLUMNS == 1
    return column < output_size.y ? texel : 0.0;
#else
    return mix(vec4(0.0), texel,
               lessThan(ivec4(column) + ivec4(0, 1, 2, 3), ivec4(output_size.y)));
#endif
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        target[t] = inside(tile[t], block_row(at, t), block_column(at, t));
}
