//! use sequence
// Multiplies by the factor of the loss at a place in the order of the epoch, if there are FACTORS.
#if HAS_FACTORS
#define WEIGHED(x, place) \
    ((x) * FACTORS_element(sequence_row(place), sequence_column(place)))
#else
#define WEIGHED(x, place) (x)
#endif
