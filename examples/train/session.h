/* All of a training that depends on its context. Failures end the program, as with CHECK. */
#ifndef TRAIN_SESSION_H
#define TRAIN_SESSION_H

#include "settings.h"

typedef struct session {
    glnn_context *ctx;
    samples data; /* `silent` is set by the caller; then nothing else is printed either */
    glnn_learner *learner;
    glnn_dataset *training, *test; /* NULL: no samples */
} session;

/* Makes the context that the settings ask for, and fills the session. */
void session_open(session *of, settings *with);

/* Loads the samples, makes the learner or loads it, and makes the data sets, in of->ctx. */
void session_fill(session *of, settings *with);

/* Destroys all but the context. */
void session_empty(session *of);

/* Destroys the context too. */
void session_close(session *of);

#endif
