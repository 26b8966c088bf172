/* Sums that expectation computes for maximisation: over the samples x of a class, with the
 * responsibilities r of each component. The last column has the sums of log p(x), in the last row,
 * which stands for ones. */
#ifndef GLNN__MIXTURES_SUMS_H
#define GLNN__MIXTURES_SUMS_H

#include "learn/state.h"
#include "learn/tensor.h"
#include "mixtures/bank.h"

typedef struct glnn__gmm_sums {
    glnn_matrix *first;  /* DIAGONAL, SPHERICAL: (features + 1) x (components + 1): r x; the last
                                 row r alone */
    glnn_matrix *second; /* FULL: (features + 1) x (components wide + components + 1): r x (x - m)'
                                 with as the last row r (x - m)', then r x with as the last row r;
                                 else features x (components + 1): r x^2 */

    /* Of training: */
    glnn_matrix *responsibilities; /* rows x (components + 1): the last column has log p(x)   */
    glnn_matrix *weighted;         /* FULL: rows x columns of `second`, see weighted.glsl     */
} glnn__gmm_sums;

/* The sums on their way to main memory or, once visited, in it; all NULL: not asked for. */
typedef struct glnn__gmm_reading {
    glnn_download *first, *second;
    float *values; /* of `first`, and then of `second` */
} glnn__gmm_reading;

/* For the components of a bank. To be destroyed after failure too. */
glnn_status glnn__gmm_sums_create(const glnn__gmm_bank *bank, glnn__gmm_sums *out);
void glnn__gmm_sums_destroy(glnn__gmm_sums *sums);

/* Makes what parts of bank->rows samples need for training, and gives it back. */
glnn_status glnn__gmm_sums_prepare(const glnn__gmm_bank *bank, glnn__gmm_sums *sums);
void glnn__gmm_sums_release(glnn__gmm_sums *sums);

/* Adds the first `count` samples of the bank, of which the densities are expected, to the sums;
 * these begin with them if `is_first`. */
glnn_status glnn__gmm_accumulate(const glnn__gmm_bank *bank, int count, bool is_first,
                                 glnn__gmm_sums *sums);

/* Sets the sums to zero. */
glnn_status glnn__gmm_sums_clear(const glnn__gmm_sums *sums);

/* Starts to read the sums. */
glnn_status glnn__gmm_sums_request(const glnn__gmm_sums *sums, glnn__gmm_reading *out);

static inline bool glnn__gmm_reading_exists(const glnn__gmm_reading *reading)
{
    return reading->second || reading->values;
}

/* Ends a reading, whose numbers go to arrays of the shapes of the sums. `first` is not used with
 * FULL. */
glnn_status glnn__gmm_reading_take(const glnn__gmm_sums *sums, glnn__gmm_reading *reading,
                                   float *first, float *second);

/* Saves or loads whether a reading exists. */
void glnn__gmm_reading_state(const glnn__gmm_sums *sums, glnn__gmm_reading *reading, int class,
                             glnn__state *state);

/* Lists its numbers, which it then has in main memory. */
void glnn__gmm_reading_visit(const glnn__gmm_sums *sums, glnn__gmm_reading *reading, int class,
                             glnn__visitor *visitor);

/* Drops what was read. */
void glnn__gmm_reading_drop(glnn__gmm_reading *reading);

#endif
