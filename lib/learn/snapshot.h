/* Copies of the parameters that a learner sets aside and brings back, with all that belongs to
 * them. */
#ifndef GLNN__LEARN_SNAPSHOT_H
#define GLNN__LEARN_SNAPSHOT_H

#include "learn/learner.h"

/* While passes are recorded, taking records the passes of both functions and leaves the former
 * snapshot as it was. */
glnn_status glnn__snapshot_take(glnn_learner *learner);
glnn_status glnn__snapshot_restore(glnn_learner *learner);

/* Saves or loads the snapshot, which need not exist. */
void glnn__snapshot_state(glnn_learner *learner, glnn__state *state);

void glnn__snapshot_destroy(glnn__snapshot *snapshot);

#endif
