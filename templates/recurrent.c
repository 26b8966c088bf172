#include <math.h>
#include <string.h>

/* bias + weight x, for a row of the weight. */
static float recurrent_sum(int count, const float *weight, float bias, const float *x, int stride)
{
    for (int i = 0; i < count; ++i)
        bias += weight[i] * x[i * stride];
    return bias;
}

/* Sequences of `times` vectors. A channel of x has its times one after the other, a unit of y too
 * with all_states. The weights are `gates` * units x channels or units. */
struct recurrent {
    int channels, units, times, gates, all_states;
    const float *weight_ih, *weight_hh, *bias_ih, *bias_hh;
};

/* Sum number i of the input at a time, and of the state. */
static float input_sum(const struct recurrent *of, int i, const float *x)
{
    return recurrent_sum(of->channels, of->weight_ih + i * of->channels, of->bias_ih[i], x,
                         of->times);
}

static float state_sum(const struct recurrent *of, int i, const float *state)
{
    return recurrent_sum(of->units, of->weight_hh + i * of->units, of->bias_hh[i], state, 1);
}

static float next_state(const struct recurrent *of, int i, const float *x, const float *state)
{
    if (of->gates == 1)
        return tanhf(input_sum(of, i, x) + state_sum(of, i, state));
    const int update = of->units + i, candidate = 2 * of->units + i;
    const float r = 1 / (1 + expf(-input_sum(of, i, x) - state_sum(of, i, state)));
    const float z = 1 / (1 + expf(-input_sum(of, update, x) - state_sum(of, update, state)));
    const float n = tanhf(input_sum(of, candidate, x) + r * state_sum(of, candidate, state));
    return n + z * (state[i] - n);
}

/* `length` is a number of times, or NULL for all of them. `states` has room for two states. */
static void recurrent(const struct recurrent *of, const float *length, const float *x,
                      float *states, float *y)
{
    float *state = states, *next = states + of->units;
    memset(states, 0, (size_t)of->units * sizeof *states);
    for (int t = 0; t < of->times; ++t) {
        const int is_within = t == 0 || !length || (float)t < *length;
        for (int i = 0; i < of->units && is_within; ++i)
            next[i] = next_state(of, i, x + t, state);
        if (is_within)
            memcpy(state, next, (size_t)of->units * sizeof *state);
        for (int i = 0; i < of->units && of->all_states; ++i)
            y[i * of->times + t] = is_within ? state[i] : 0;
    }
    if (!of->all_states)
        memcpy(y, state, (size_t)of->units * sizeof *y);
}
