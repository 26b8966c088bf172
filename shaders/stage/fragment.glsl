//! use wrap
//! use edge
//! use round
//! use epilogue
// The fragment stage with render targets: one fragment computes one block. Each texel of the block
// goes to a target, a layer of the output. Where shaders only write render targets, the texels of
// side outputs go to further targets. With BLENDS the shader adds the former output, which it reads
// from another texture.
DECLARE_TARGETS

#if BLENDS && BLOCK_TEXELS > 1
UNIFORM_AT(FORMER_UNIT) sampler2DArray former_texture;
#elif BLENDS
UNIFORM_AT(FORMER_UNIT) sampler2D former_texture;
#endif

void main()
{
    TEXEL OUTPUT_texels[BLOCK_TEXELS];
    ivec2 at = ivec2(gl_FragCoord.xy);
#if WRAP
    at = block_of(at);
    if (!is_in_region(at)) {
        if (!is_padding(at))
            discard;
        CLEAR_TARGETS
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
        OUTPUT_texels[t] = rounded(texel);
    }
    WRITE_TARGETS
}
