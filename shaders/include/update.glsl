//! use round
// What a pass does with the gradient of parameters before it is added to them: it goes into the STATE
// of an optimizer, and what that says is the step. A COPY of the sum is stored in 16 bits. Each texel
// is read and written by the one invocation that computes it.
#define UPDATE_MOMENTUM 1
#define UPDATE_NESTEROV 2
#define UPDATE_ADAM 3

#if UPDATE
layout(location = UPDATE_0) uniform float state_factor; // the state is factor * state + gradient
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
layout(location = UPDATE_5) uniform float beta2;

// Kingma, Ba 2015, algorithm 1, both moments freed from the bias of their start at zero. The gradient
// is what took the first moment from `former` to `state` = beta1 former + (1 - beta1) g.
TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    TEXEL gradient = (state - state_factor * former) / (1.0 - state_factor);
    TEXEL square = (1.0 - beta2) * gradient * gradient +
                   beta2 * TO_TEXEL(imageLoad(SQUARE_texture, BLOCK_PLACE(at, t)));
    imageStore(SQUARE_texture, BLOCK_PLACE(at, t), vec4(square));
    return -rate * mean_correction * state / (sqrt(square_correction * square) + epsilon);
}
#endif

#if UPDATE
TEXEL updated(ivec2 at, int t, TEXEL gradient)
{
    TEXEL former = TO_TEXEL(imageLoad(STATE_texture, BLOCK_PLACE(at, t)));
    precise TEXEL kept = state_factor * former;
    TEXEL state = gradient + kept;
    imageStore(STATE_texture, BLOCK_PLACE(at, t), vec4(state));
    return step_of(at, t, former, state);
}
#else
#define updated(at, t, gradient) gradient
#endif

void copy(ivec2 at, int t, TEXEL values)
{
#if HAS_COPY
    imageStore(COPY_texture, BLOCK_PLACE(at, t), vec4(to_half(values)));
#endif
}
