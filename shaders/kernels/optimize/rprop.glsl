//! use parameters
// The step of iRprop- (Igel, Huesken 2000, algorithm 4), as the epilogue of the pass that computes
// the gradient. STATE is the former gradient, or 0 where a gradient has just changed its sign. STEP
// is the length of each parameter's step, 0 before the first one.

TEXEL formers[TEXELS_HELD], lengths[TEXELS_HELD];

void epilogue_load(ivec2 at, int t)
{
    formers[HELD(t)] = STATE_load(at, t);
    lengths[HELD(t)] = STEP_load(at, t);
    load_low(at, t);
}

float next_length(float former, float agreement)
{
    if (former == 0.0)
        former = step_first;
    if (agreement > 0.0)
        return min(step_increase * former, step_max);
    if (agreement < 0.0)
        return max(step_decrease * former, step_min);
    return former;
}

TEXEL epilogue(ivec2 at, int t, TEXEL gradient)
{
    TEXEL length_of = lengths[HELD(t)];
    TEXEL agreement = sign(gradient) * sign(formers[HELD(t)]);
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(length_of, c) = next_length(COMPONENT(length_of, c), COMPONENT(agreement, c));
    gradient *= step(0.0, agreement);
    STATE_store(at, t, gradient);
    STEP_store(at, t, inside(length_of, at, t));
    return -sign(gradient) * length_of;
}
