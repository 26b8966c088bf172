//! use round
// What a pass does beside writing its block: the step of an optimizer, where the block is the new
// state that the gradient went into and VALUES are the parameters, and the COPY of the parameters in
// 16 bits. Each texel is read and written by the one invocation that computes it.
#define UPDATE_VALUES 1 // the block holds the parameters themselves; the others, the state of
#define UPDATE_MOMENTUM 2
#define UPDATE_NESTEROV 3
#define UPDATE_ADAM 4

#if UPDATE > UPDATE_VALUES
layout(location = UPDATE_0) uniform float decay;
#endif

#if UPDATE == UPDATE_MOMENTUM
layout(location = UPDATE_1) uniform float rate;

TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    return -rate * state;
}
#elif UPDATE == UPDATE_NESTEROV
// The gradient g took the velocity from `former` to momentum former + g: the step g + momentum state
// is (1 + momentum) state - momentum former.
layout(location = UPDATE_1) uniform float state_rate;  // rate (1 + momentum)
layout(location = UPDATE_2) uniform float former_rate; // rate momentum

TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    return former_rate * former - state_rate * state;
}
#elif UPDATE == UPDATE_ADAM
layout(location = UPDATE_1) uniform float rate;
layout(location = UPDATE_2) uniform float epsilon;
layout(location = UPDATE_3) uniform float mean_correction;   // 1 / (1 - beta1^t)
layout(location = UPDATE_4) uniform float square_correction; // 1 / (1 - beta2^t)
layout(location = UPDATE_5) uniform float beta1;
layout(location = UPDATE_6) uniform float beta2;

// Kingma, Ba 2015, algorithm 1, both moments freed from the bias of their start at zero. The gradient
// is what took the first moment from `former` to `state` = beta1 former + (1 - beta1) g.
TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    TEXEL gradient = (state - beta1 * former) / (1.0 - beta1);
    TEXEL square = (1.0 - beta2) * gradient * gradient +
                   beta2 * TO_TEXEL(imageLoad(SQUARE_texture, BLOCK_PLACE(at, t)));
    imageStore(SQUARE_texture, BLOCK_PLACE(at, t), vec4(square));
    return -rate * mean_correction * state / (sqrt(square_correction * square) + epsilon);
}
#endif

#if UPDATE
void update(ivec2 at, int t, TEXEL former, TEXEL state)
{
#if UPDATE == UPDATE_VALUES
    TEXEL values = state;
#else
    precise TEXEL kept = decay * TO_TEXEL(imageLoad(VALUES_texture, BLOCK_PLACE(at, t)));
    precise TEXEL values = step_of(at, t, former, state) + kept;
    imageStore(VALUES_texture, BLOCK_PLACE(at, t), vec4(values));
#endif
#if HAS_COPY
    imageStore(COPY_texture, BLOCK_PLACE(at, t), vec4(to_half(values)));
#endif
}
#else
#define update(at, t, former, state)
#endif
