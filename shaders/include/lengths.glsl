// Sequences of different lengths: whether a time lies within the sequence of a sample. The first
// time always does, whatever the number is.

#if HAS_LENGTHS
bool is_within(int time, int sequence)
{
    return time == 0 || float(time) < LENGTHS_edge_element(sequence, 0);
}
#else
#define is_within(time, sequence) true
#endif
