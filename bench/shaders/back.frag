// Adds the share of output unit `number` in the delta of each hidden unit.
layout(binding = 0) uniform sampler2D outputs;
layout(binding = 1) uniform sampler2D targets;
layout(binding = 2) uniform sampler2D weights;
layout(binding = 3) uniform sampler2D hidden;
layout(location = 0) out VALUES delta;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    VALUES h = READ(hidden, at.x, at.y);
    VALUES error = output_delta(outputs, targets, number, at.y);
    delta = VALUES_OF(sum_before()) + h * (1.0 - h) * WEIGHT(weights, number, at.x) * error;
}
