// Each pass reads up to three rectangles, whose lower left corners are `from`, and writes one with
// the corner `to`. A vector is a rectangle with one column.
layout(binding = 0) uniform sampler2D sources[3];
layout(location = 0) uniform ivec2 to;
layout(location = 1) uniform ivec2 from[3];
layout(location = 0) out float result;

ivec2 at = ivec2(gl_FragCoord.xy) - to;

#define VALUE(source, column, row)                                                                 \
    texelFetch(sources[source], from[source] + ivec2(column, row), 0).r
