/* The training of a learner as the settings say. Failures end the program, as with CHECK. */
#ifndef TRAIN_TRAINING_H
#define TRAIN_TRAINING_H

#include "report.h"
#include "settings.h"

/* Ends the program if a call failed; a window of a stream that is too small has a sentence with the
 * option that helps. */
void training_check_budget(const settings *with, glnn_status status);

/* Trains. `test` is measured after each epoch unless the settings have other samples for that; it
 * is NULL if there are none. The epochs are added to the curve. */
void training_run(glnn_learner *of, const settings *with, const samples *data,
                  const glnn_dataset *training, const glnn_dataset *test, report *state,
                  glnn_curve *curve);

#endif
