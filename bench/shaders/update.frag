// Adds the share of pattern `number`, or of the four patterns of texel `number`, in the gradient of
// a layer. With LAST that completes the gradient, and the result is the new weights.
layout(binding = 0) uniform sampler2D inputs;
#ifdef OUTPUT_LAYER
layout(binding = 1) uniform sampler2D outputs;
layout(binding = 2) uniform sampler2D targets;
#else
layout(binding = 1) uniform sampler2D deltas;
#endif
#ifdef LAST
layout(binding = 3) uniform sampler2D weights;
layout(location = 0) uniform float factor;
#endif
layout(location = 0) out float result;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef OUTPUT_LAYER
    VALUES delta = output_delta(outputs, targets, at.x, number);
#else
    VALUES delta = READ(deltas, at.x, number);
#endif
    result = sum_before().r + SUM_OF(READ(inputs, at.y, number) * delta);
#ifdef LAST
    result = WEIGHT(weights, at.x, at.y) + factor * result;
#endif
}
