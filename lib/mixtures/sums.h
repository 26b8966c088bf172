/* The sums that expectation hands to maximisation, over the samples x of a class and weighted by
 * the responsibilities r of each component. The sum of log p(x) is in the last row and column. */
#ifndef GLNN__MIXTURES_SUMS_H
#define GLNN__MIXTURES_SUMS_H

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

/* The sums in main memory: on their way, or NULL. */
typedef struct glnn__gmm_reading {
    glnn_download *first, *second;
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

/* Starts to read the sums; drops what is being read. */
glnn_status glnn__gmm_sums_request(const glnn__gmm_sums *sums, glnn__gmm_reading *out);
void glnn__gmm_reading_drop(glnn__gmm_reading *reading);

#endif
