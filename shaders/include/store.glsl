//! use edge
//! use blend
//! use round
//! use update
// How a block is written as an image: in the compute stage always, in the fragment stage where that
// is faster than render targets.
void store(ivec2 at, int t, TEXEL texel)
{
    texel = inside(texel, at, t);
#if BLENDS
    TEXEL former = TO_TEXEL(imageLoad(OUTPUT_texture, BLOCK_PLACE(at, t)));
    texel = blended(texel, former);
    update(at, t, former, texel);
#else
    update(at, t, TEXEL(0.0), texel);
#endif
    imageStore(OUTPUT_texture, BLOCK_PLACE(at, t), vec4(rounded(texel)));
}
