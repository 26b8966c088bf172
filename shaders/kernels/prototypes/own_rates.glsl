// OLVQ1: each prototype has a rate of its own, which changes with each sample that it wins, in the
// order of the samples. The output is the rates after a batch. With OF_MOVES it is instead MOVES,
// whose factors are 1 or -1, multiplied by the rate with which each sample moves its winner.
// Uniforms:
//   count: samples
//   rate_limit: the rate of the schedule, which no rate exceeds
//
// Each rate follows from the one before, so operations would need several passes for each sample.

// rate / (1 + s rate), with s = 1 for a won sample of the prototype's class and s = -1 for another.
// A rate is 0 before the first win; it starts with the schedule's.
vec4 next_rate(vec4 rate, float s)
{
    vec4 started = mix(min(rate, rate_limit), vec4(rate_limit), equal(rate, vec4(0.0)));
    return min(started / (1.0 + s * started), rate_limit);
}

// The rates of prototypes after the wins of samples 0 to end - 1.
vec4 rates_after(vec4 rates, vec4 indices, int end)
{
    for (int i = 0; i < end; ++i) {
        vec4 moves = MOVES_group(i, 0);
        bvec4 wins = equal(indices, moves.xxxx);
        if (any(wins))
            rates = mix(rates, next_rate(rates, sign(moves.y)), wins);
    }
    return rates;
}

vec4 column_group(int row, int group)
{
#if OF_MOVES
    vec4 moves = MOVES_group(row, group);
    if (row < count && group == 0 && moves.x >= 0.0)
        moves.y *= rates_after(vec4(RATES_element(0, int(moves.x))), moves.xxxx, row + 1).x;
    return moves;
#else
    vec4 indices = vec4(4 * group) + vec4(0.0, 1.0, 2.0, 3.0);
    return rates_after(RATES_edge_group(0, group), indices, count);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        vec4 values = column_group(min(block_row(at, t), output_size.x - 1), column >> 2);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = values[(column + c) & 3];
    }
}
