/* Sequences of `times` vectors. A channel of the input has its times one after the other, and so
 * has a unit of the output with all_states. */
struct NAME_sequence {
    int channels, units, times, gates, all_states, has_length;
};
