/* Expectation: the densities of samples, and what they come to over the components. */
#ifndef GLNN__MIXTURES_EXPECT_H
#define GLNN__MIXTURES_EXPECT_H

#include "data/batch.h"
#include "learn/metrics.h"
#include "mixtures/bank.h"

/* Puts the samples of a part in place, less the offset; or takes it from those of bank->samples. */
glnn_status glnn__gmm_gather(glnn__gmm_bank *bank, const glnn__batch *part);
glnn_status glnn__gmm_shift(glnn__gmm_bank *bank);

/* The densities of bank->samples, and their statistics over the `classes` that the bank has
 * components of. `part` gives the samples' classes; without labels (`uses_labels`), only its count
 * is looked at. Losses and counts are added to metrics, unless NULL. */
glnn_status glnn__gmm_expect(glnn__gmm_bank *bank, const glnn__batch *part, int classes,
                             bool uses_labels, const glnn__metrics *metrics);

#endif
