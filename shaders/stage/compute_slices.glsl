//! use region
//! use store
// The compute stage for a sum that is cut into slices, such as a matrix product. SLICES
// invocations of a work group share a block. Each sums one slice into shared memory. After the
// barrier the work group adds the slices, always in the same order, and finishes the sums.
#define BLOCKS (GROUP * GROUP)
#define PARTS (BLOCKS * BLOCK_TEXELS)

layout(local_size_x = GROUP, local_size_y = GROUP, local_size_z = SLICES) in;

shared TEXEL parts[SLICES][PARTS];

void main()
{
#if WRAP
    ivec2 first = texels.xy + ivec2(gl_WorkGroupID.xy) * GROUP;
#else
    ivec2 first = region.xy + ivec2(gl_WorkGroupID.xy) * GROUP;
#endif
    ivec2 last = region.xy + region.zw - 1;
    ivec3 me = ivec3(gl_LocalInvocationID);
    ivec2 mine = min(block_of(first + me.xy), last);
    block(ivec2(mine.x, mine.y + me.z * slice_blocks));
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        parts[me.z][t * BLOCKS + me.y * GROUP + me.x] = tile[t];
    barrier();
    for (int i = int(gl_LocalInvocationIndex); i < PARTS; i += BLOCKS * SLICES) {
        ivec2 texel = first + ivec2(i % GROUP, i / GROUP % GROUP);
        if (!is_in_texels(texel))
            continue;
        ivec2 at = block_of(texel);
        int t = i / BLOCKS;
        TEXEL sum = TEXEL(0.0);
        for (int s = 0; s < SLICES; ++s)
            sum += parts[s][i];
        if (is_in_region(at)) {
            load(at, t);
            store(at, t, finish(sum, at, t));
        } else if (t == 0) {
            store_padding(at);
        }
    }
}
