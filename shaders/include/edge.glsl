// inside(texel, at, t) sets the elements of a texel that lie outside the matrix to zero. All
// kernels end with it, so padding is always zero. It selects and does not multiply, because 0 * NaN
// is NaN. The first row and the first column of a block always lie inside, so they are not tested.
TEXEL inside(TEXEL texel, ivec2 at, int t)
{
#if TEXEL_COLUMNS == 1
    return texel;
#else
    int columns = output_size.y - block_column(at, t); // left from the first one of the texel on
    if (t >= TEXELS_ACROSS && block_row(at, t) >= output_size.x)
        columns = 0;
    bvec4 is_inside = lessThan(ivec4(0, 1, 2, 3), ivec4(columns));
    is_inside.x = is_inside.x || t == 0;
    return mix(vec4(0.0), texel, is_inside);
#endif
}
