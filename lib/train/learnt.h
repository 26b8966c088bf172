/* Whether what is learnt is finite. The loss of a batch tells only of the steps before its own. */
#ifndef GLNN__TRAIN_LEARNT_H
#define GLNN__TRAIN_LEARNT_H

#include "train/training.h"

/* Asks for the sum of all that is learnt, without a wait; *out is NULL where there is nothing to ask for.
 * The caller ends the download. */
glnn_status glnn__learnt_request(const glnn__learner *learner, glnn_download **out);

/* Fails with E_DIVERGED, and names the first element that is not finite, unless `sum` is. */
glnn_status glnn__learnt_check(const glnn_trainer *trainer, float sum);

/* Fails with E_DIVERGED if the loss of as many training samples as a batch has is not finite: steps may
 * have gone so far that what is learnt is finite but useless. Validation shows the same, and only a
 * learner with a rate can go too far, so that this measures nothing otherwise. */
glnn_status glnn__learnt_measure(const glnn_trainer *trainer);

#endif
