/* Row i of weight x + bias. */
float NAME_recurrent_sum(int i, int count, int weight, int bias, int x, int stride)
{
    float sum = NAME_constant(bias + i);
    for (int j = 0; j < count; ++j)
        sum += NAME_constant(weight + i * count + j) * NAME_numbers[x + j * stride];
    return sum;
}

/* The cell of a unit, by the sums of the input and of the state for each of its gates. */
float NAME_recurrent_cell(int gates, vec3 inputs, vec3 states, float state)
{
    if (gates == 1)
        return tanh(inputs.x + states.x);
    float r = 1.0 / (1.0 + exp(-inputs.x - states.x));
    float z = 1.0 / (1.0 + exp(-inputs.y - states.y));
    float n = tanh(inputs.z + r * states.z);
    return n + z * (state - n);
}

/* The weights are `gates` * units x channels or units. `length` is a number of times. `states` has
 * room for two states. */
void NAME_recurrent(NAME_sequence of, int weight_ih, int weight_hh, int bias_ih, int bias_hh,
                    int length, int x, int states, int y)
{
    int state = states, next = states + of.units;
    for (int i = 0; i < of.units; ++i)
        NAME_numbers[state + i] = 0.0;
    for (int t = 0; t < of.times; ++t) {
        bool is_within = t == 0 || of.has_length == 0 || float(t) < NAME_numbers[length];
        for (int i = 0; i < of.units && is_within; ++i) {
            vec3 inputs = vec3(0.0), sums = vec3(0.0);
            for (int g = 0; g < of.gates; ++g) {
                int row = g * of.units + i;
                inputs[g] =
                    NAME_recurrent_sum(row, of.channels, weight_ih, bias_ih, x + t, of.times);
                sums[g] = NAME_recurrent_sum(row, of.units, weight_hh, bias_hh, state, 1);
            }
            NAME_numbers[next + i] =
                NAME_recurrent_cell(of.gates, inputs, sums, NAME_numbers[state + i]);
        }
        for (int i = 0; i < of.units; ++i) {
            if (is_within)
                NAME_numbers[state + i] = NAME_numbers[next + i];
            if (of.all_states != 0)
                NAME_numbers[y + i * of.times + t] = is_within ? NAME_numbers[state + i] : 0.0;
        }
    }
    for (int i = 0; i < of.units && of.all_states == 0; ++i)
        NAME_numbers[y + i] = NAME_numbers[state + i];
}
