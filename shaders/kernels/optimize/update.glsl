//! use parameters
// The step of an optimizer, as the epilogue of the pass that computes the gradient g:
//
//   STATE = state_factor * STATE + g
//
// and the pass adds the step below to the parameters, or g itself with UPDATE_NONE. RMSprop has a
// STATE only with momentum, and adds its own step to it instead of g.
#if HAS_STATE
TEXEL states[TEXELS_HELD];
#endif
#if HAS_SQUARE
TEXEL squares[TEXELS_HELD];
#endif

void epilogue_load(ivec2 at, int t)
{
#if HAS_STATE
    states[HELD(t)] = STATE_load(at, t);
#endif
#if HAS_SQUARE
    squares[HELD(t)] = SQUARE_load(at, t);
#endif
    load_low(at, t);
}

#if UPDATE == UPDATE_MOMENTUM
TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    return -rate * state;
}
#elif UPDATE == UPDATE_NESTEROV
// Nesterov's step is -rate (g + momentum state). With g = state - momentum former it is -rate ((1 +
// momentum) state - momentum former), whose factors are in the two uniforms.

TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    return former_rate * former - rate * state;
}
#elif UPDATE == UPDATE_ADAM

// Adam (Kingma, Ba 2015, algorithm 1), with both moments corrected for their start at zero. The
// gradient g follows from the first moment: state = beta1 former + (1 - beta1) g.
TEXEL step_of(ivec2 at, int t, TEXEL former, TEXEL state)
{
    TEXEL gradient = (state - state_factor * former) / (1.0 - state_factor);
    TEXEL square = (1.0 - beta2) * gradient * gradient + beta2 * squares[HELD(t)];
    SQUARE_store(at, t, square);
    return -rate * mean_correction * state / (sqrt(square_correction * square) + epsilon);
}
#elif UPDATE == UPDATE_RMSPROP

// The gradient over the root of its mean square.
TEXEL normalised(ivec2 at, int t, TEXEL gradient)
{
    TEXEL square = (1.0 - beta2) * gradient * gradient + beta2 * squares[HELD(t)];
    SQUARE_store(at, t, square);
    return gradient / (sqrt(square) + epsilon);
}
#endif

TEXEL epilogue(ivec2 at, int t, TEXEL gradient)
{
    gradient = noisy(at, t, gradient);
#if UPDATE == UPDATE_NONE
    return gradient;
#elif UPDATE == UPDATE_RMSPROP
    TEXEL velocity = normalised(at, t, gradient);
#if HAS_STATE
    velocity += state_factor * states[HELD(t)];
    STATE_store(at, t, velocity);
#endif
    return -rate * velocity;
#else
    TEXEL former = states[HELD(t)];
    precise TEXEL decayed = state_factor * former;
    TEXEL state = gradient + decayed;
    STATE_store(at, t, state);
    return step_of(at, t, former, state);
#endif
}
