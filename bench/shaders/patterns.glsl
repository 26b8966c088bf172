// A texel of a pattern texture holds one unit of one pattern or, with PACKED, of four patterns:
// x is the unit and y the pattern, or the group of four.
flat in int number;

#ifdef PACKED
#define VALUES vec4
#define VALUES_OF(texel) (texel)
#define SUM_OF(values) dot(values, vec4(1.0))
#else
#define VALUES float
#define VALUES_OF(texel) (texel).r
#define SUM_OF(values) (values)
#endif

#define READ(patterns, unit, row) VALUES_OF(texelFetch(patterns, ivec2(unit, row), 0))
#define WEIGHT(weights, unit, from) texelFetch(weights, ivec2(unit, from), 0).r

// The derivative of the squared error by the sum of an output unit.
VALUES output_delta(sampler2D outputs, sampler2D targets, int unit, int row)
{
    VALUES y = READ(outputs, unit, row);
    return (y - READ(targets, unit, row)) * y * (1.0 - y);
}

// The sum of the passes before this one. Where the output is blended, it holds that sum itself.
#if defined(LAST) || !defined(BLENDS)
layout(binding = 4) uniform sampler2D sum;

vec4 sum_before()
{
    return number > 0 ? texelFetch(sum, ivec2(gl_FragCoord.xy), 0) : vec4(0.0);
}
#else
vec4 sum_before()
{
    return vec4(0.0);
}
#endif
