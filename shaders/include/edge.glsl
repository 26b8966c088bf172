// Padding becomes zero here, for all kernels: a select, not a product, so that NaN does not spread.
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
