//! use wrap
//! use edge
//! use round
//! use epilogue
// store(at, t, texel) writes a texel of a block as an image. The compute stage always does, and the
// fragment stage if images are faster than render targets. Before it, load(at, t) reads what the
// texel adds to. A driver keeps loads behind earlier stores to images, so a stage loads all texels
// of a block before it stores the first one.
#if BLENDS
TEXEL former[TEXELS_HELD];
#endif

void load(ivec2 at, int t)
{
#if BLENDS
    former[HELD(t)] = OUTPUT_load(at, t);
#endif
    epilogue_load(at, t);
}

void store(ivec2 at, int t, TEXEL texel)
{
    texel = epilogue(at, t, inside(texel, at, t));
#if BLENDS
    texel = epilogue_blended(at, t, texel, former[HELD(t)]);
#endif
    epilogue_sum(at, t, texel);
    OUTPUT_store(at, t, rounded(texel));
}

#if WRAP
// Writes zeros to a block that is padding.
void store_padding(ivec2 at)
{
    if (is_padding(at))
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            OUTPUT_store(at, t, 0.0);
}
#else
#define store_padding(at)
#endif
