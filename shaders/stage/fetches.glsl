// Counts fetches in place of writing a block: a fragment stands for a texel of one operand. It runs
// the kernel for one block, and counts how often the kernel fetches this texel. Compilers leave out
// all that computes the block, and keep what computes places. With COUNTS_POINTS the block is a
// texel that a point writes (stage/rows.vert), so only the point of that place counts.
UNIFORM_AT(REGION) ivec4 counted; // column and row of the block, wrap of the counts, points
layout(location = 0) out vec4 counts;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = texel.x >> counted.z;
    int row = texel.y << counted.z | texel.x & (1 << counted.z) - 1;
    own_texel = COUNTED_place(row, group);
#if COUNTS_POINTS
    int fetches = 0;
    for (int point = 0; point < counted.w; ++point) {
        fetch_count = 0;
        row_place = ivec2(-1);
        measure_row(point);
        fetches += row_place == POINT_place(counted.xy) ? fetch_count : 0;
    }
    fetch_count = fetches;
#elif SLICES
    for (int s = 0; s < SLICES; ++s)
        block(ivec2(counted.x, counted.y + s * slice_blocks));
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = finish(tile[t], counted.xy, t);
#else
    block(counted.xy);
#endif
    int columns = row < COUNTED_size.x ? COUNTED_size.y - COUNTED_COLUMNS * group : 0;
    counts = mix(vec4(0.0), vec4(fetch_count), lessThan(ivec4(0, 1, 2, 3), ivec4(columns)));
}
