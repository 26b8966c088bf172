//! use maps
//! use cell
// The derivatives of the next state of a recurrent layer by the sums that it is a function of, for
// all times of all samples. X has the sums of the input, SUMS those of the former state, and STATES
// that state. The output has sections, as wide as a state. For h = tanh(x + s) it is one, 1 - h^2.
// Gated recurrent units have five: by the sums s of r, z and n, by the sum x of n, and by the
// former state itself.

void block(ivec2 at)
{
    int groups = (STATES_size.y + 3) >> 2;
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int section = block_texel(at, t) / groups;
        int group = block_texel(at, t) - section * groups;
        vec4 x[GATES];
        vec4 s[GATES];
        for (int g = 0; g < GATES; ++g) {
            x[g] = X_edge_group(row, g * groups + group);
            s[g] = SUMS_edge_group(row, g * groups + group);
        }
#if GATES == 3
        gates of = gates_of(x, s);
        vec4 by_candidate =
            (1.0 - of.update) * map_derivative(GLNN_MAP_TANH, of.candidate);
        if (section == 0)
            tile[t] = by_candidate * s[2] * map_derivative(GLNN_MAP_SIGMOID, of.reset);
        else if (section == 1)
            tile[t] = (STATES_edge_group(row, group) - of.candidate) *
                      map_derivative(GLNN_MAP_SIGMOID, of.update);
        else if (section == 2)
            tile[t] = by_candidate * of.reset;
        else
            tile[t] = section == 3 ? by_candidate : of.update;
#else
        tile[t] = map_derivative(GLNN_MAP_TANH, next_state(x, s, vec4(0.0)));
#endif
    }
}
