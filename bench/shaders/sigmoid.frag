// The activations of a layer. They are 0 in the padding behind the last pattern, so that its deltas
// are 0 as well.
layout(binding = 0) uniform sampler2D sums;
#ifdef PACKED
layout(location = 0) uniform int patterns;
#endif
layout(location = 0) out VALUES activation;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    activation = 1.0 / (1.0 + exp(-READ(sums, at.x, at.y)));
#ifdef PACKED
    activation *= vec4(lessThan(4 * at.y + ivec4(0, 1, 2, 3), ivec4(patterns)));
#endif
}
