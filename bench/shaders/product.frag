// Adds the products of input unit `number` with its weights, for each pattern and each unit of the
// layer. The unit after the last one is the constant 1, and its weights are the thresholds.
layout(binding = 0) uniform sampler2D inputs;
layout(binding = 1) uniform sampler2D weights;
layout(location = 0) out VALUES total;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    total = VALUES_OF(sum_before()) + READ(inputs, number, at.y) * WEIGHT(weights, at.x, number);
}
