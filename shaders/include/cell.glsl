// The cells of recurrent layers. A state has GROUPS column groups, the last one padded with zeros.
// Sums of weighted numbers have those of each gate: GATES is 1 for h = tanh(x + s), and 3 for gated
// recurrent units, whose gates are r, z and n.

#if GATES == 3
struct gates {
    vec4 reset, update, candidate;
};

// x: sums of the input, s: of the former state.
gates gates_of(vec4 x[GATES], vec4 s[GATES])
{
    gates of;
    of.reset = map_value(GLNN_MAP_SIGMOID, x[0] + s[0]);
    of.update = map_value(GLNN_MAP_SIGMOID, x[1] + s[1]);
    of.candidate = map_value(GLNN_MAP_TANH, x[2] + of.reset * s[2]);
    return of;
}
#endif

vec4 next_state(vec4 x[GATES], vec4 s[GATES], vec4 former)
{
#if GATES == 3
    gates of = gates_of(x, s);
    return of.candidate + of.update * (former - of.candidate);
#else
    return map_value(GLNN_MAP_TANH, x[0] + s[0]);
#endif
}
