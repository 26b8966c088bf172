//! use region
//! use store
// The compute stage: one invocation computes one block, as one fragment does in the fragment stage.
layout(local_size_x = GROUP, local_size_y = GROUP) in;

void main()
{
#if WRAP
    ivec2 texel = texels.xy + ivec2(gl_GlobalInvocationID.xy);
    if (!is_in_texels(texel))
        return;
    ivec2 at = block_of(texel);
#else
    ivec2 at = region.xy + ivec2(gl_GlobalInvocationID.xy);
#endif
    if (!is_in_region(at)) {
        store_padding(at);
        return;
    }
#if PICKS
    at.y = picked_row(at.y);
    if (at.y < 0)
        return;
#endif
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        load(at, t);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        store(at, t, tile[t]);
}
