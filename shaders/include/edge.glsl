// Padding becomes zero here, for all kernels: a select, not a product, so that NaN does not spread.
// A block begins inside the output, so its first row and column need no test.
TEXEL inside(TEXEL texel, ivec2 at, int t)
{
#if TEXEL_COLUMNS == 1
    return texel;
#else
    int columns = output_size.y - block_column(at, t); // from the texel's first one on
    if (t >= TEXELS_ACROSS && block_row(at, t) >= output_size.x)
        columns = 0;
    bvec4 is_inside = lessThan(ivec4(0, 1, 2, 3), ivec4(columns));
    is_inside.x = is_inside.x || t == 0;
    return mix(vec4(0.0), texel, is_inside);
#endif
}
