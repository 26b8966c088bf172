/* The training of a learner as the settings say. Failures end the program, as with CHECK. */
#ifndef TRAIN_TRAINING_H
#define TRAIN_TRAINING_H

#include "report.h"
#include "session.h"

/* Ends the program if a call failed; a window of a stream that is too small has a sentence with the
 * option that helps. */
void training_check_budget(const settings *with, glnn_status status);

/* Trains, and adds the epochs to the curve. The test samples are measured after each epoch unless
 * the settings have other samples for that. With --checkpoint, a training whose device was lost
 * goes on in a new context, so all of the session may be new afterwards. */
void training_run(session *on, settings *with, report *state, glnn_curve *curve);

#endif
