//! use wrap
//! use edge
//! use round
//! use epilogue
// The fragment stage with render targets: one fragment computes one block. Texel t of the block
// goes to target t, a layer of the output. With BLENDS the shader adds the former output, which it
// reads from another texture.
layout(location = 0) out TEXEL target[BLOCK_TEXELS];

#if BLENDS && BLOCK_TEXELS > 1
layout(location = FORMER_UNIT) uniform sampler2DArray former_texture;
#elif BLENDS
layout(location = FORMER_UNIT) uniform sampler2D former_texture;
#endif

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
#if WRAP
    at = block_of(at);
    if (!is_in_region(at)) {
        if (!is_padding(at))
            discard;
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            target[t] = TEXEL(0.0);
        return;
    }
#endif
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        epilogue_load(at, t);
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL texel = epilogue(at, t, inside(tile[t], at, t));
#if BLENDS
        texel = epilogue_blended(at, t, texel,
                                 TO_TEXEL(texelFetch(former_texture, BLOCK_PLACE(at, t), 0)));
#endif
        epilogue_sum(at, t, texel);
        target[t] = rounded(texel);
    }
}
