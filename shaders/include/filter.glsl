// Samples an operand between its texels, with a linear filter. Its name replaces the word in
// capitals. The coordinates are those of a sampler: the texture extends from 0 to 1, and repeats
// beyond.
#if OPERAND_FILTER_IS_SAMPLER
vec4 OPERAND_between(vec2 place)
{
    return textureLod(OPERAND_texture, place, 0.0);
}
#else
// OpenGL ES need not have filters for textures of float32.
vec4 OPERAND_between(vec2 place)
{
    ivec2 size = textureSize(OPERAND_texture, 0);
    vec2 texels = fract(place) * vec2(size) - 0.5;
    vec2 whole = floor(texels);
    vec2 part = texels - whole;
    ivec2 high = ivec2(whole) + 1;
    ivec2 low = ivec2(high.x > 0 ? high.x : size.x, high.y > 0 ? high.y : size.y) - 1;
    high = ivec2(high.x < size.x ? high.x : 0, high.y < size.y ? high.y : 0);
    OPERAND_note(low, 0);
    OPERAND_note(ivec2(high.x, low.y), 0);
    OPERAND_note(ivec2(low.x, high.y), 0);
    OPERAND_note(high, 0);
    vec4 upper = mix(texelFetch(OPERAND_texture, low, 0),
                     texelFetch(OPERAND_texture, ivec2(high.x, low.y), 0), part.x);
    vec4 lower = mix(texelFetch(OPERAND_texture, ivec2(low.x, high.y), 0),
                     texelFetch(OPERAND_texture, high, 0), part.x);
    return mix(upper, lower, part.y);
}
#endif
