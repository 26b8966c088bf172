#include <math.h>
#include <string.h>

/* Row i of weight x + bias. */
static float recurrent_sum(int i, int count, const float *weight, const float *bias, const float *x,
                           int stride)
{
    float sum = bias[i];
    for (int j = 0; j < count; ++j)
        sum += weight[i * count + j] * x[j * stride];
    return sum;
}

/* The cell of a unit, by the sums of the input and of the state for each of its gates. */
static float recurrent_cell(int gates, const float *inputs, const float *states, float state)
{
    if (gates == 1)
        return tanhf(inputs[0] + states[0]);
    const float r = 1 / (1 + expf(-inputs[0] - states[0]));
    const float z = 1 / (1 + expf(-inputs[1] - states[1]));
    const float n = tanhf(inputs[2] + r * states[2]);
    return n + z * (state - n);
}

/* The weights are `gates` * units x channels or units. `length` is a number of times. `states` has
 * room for two states. */
static void recurrent(const struct sequence *of, const float *weight_ih, const float *weight_hh,
                      const float *bias_ih, const float *bias_hh, const float *length,
                      const float *x, float *states, float *y)
{
    float *state = states, *next = states + of->units;
    float sums[2][3];
    memset(states, 0, (size_t)of->units * sizeof *states);
    for (int t = 0; t < of->times; ++t) {
        const int is_within = t == 0 || !of->has_length || (float)t < *length;
        for (int i = 0; i < of->units && is_within; ++i) {
            for (int g = 0; g < of->gates; ++g) {
                const int row = g * of->units + i;
                sums[0][g] = recurrent_sum(row, of->channels, weight_ih, bias_ih, x + t, of->times);
                sums[1][g] = recurrent_sum(row, of->units, weight_hh, bias_hh, state, 1);
            }
            next[i] = recurrent_cell(of->gates, sums[0], sums[1], state[i]);
        }
        if (is_within)
            memcpy(state, next, (size_t)of->units * sizeof *state);
        for (int i = 0; i < of->units && of->all_states; ++i)
            y[i * of->times + t] = is_within ? state[i] : 0;
    }
    if (!of->all_states)
        memcpy(y, state, (size_t)of->units * sizeof *y);
}
