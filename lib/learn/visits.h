/* Uses of the list of a learner's tensors. */
#ifndef GLNN__LEARN_VISITS_H
#define GLNN__LEARN_VISITS_H

#include "learn/learner.h"

/* Saves or loads all that a training changes. */
void glnn__learner_state(glnn_learner *learner, glnn__state *state);

/* Fills the tensors of some roles with zeros. */
glnn_status glnn__learner_clear(glnn_learner *learner, unsigned roles);

/* ---- Several processes */

/* Begin and end to sum the matrices of some roles over all processes, each times its weight. */
glnn_status glnn__learner_begin_sums(glnn_learner *learner, unsigned roles,
                                     glnn__exchange *exchange, float weight);
glnn_status glnn__learner_end_sums(glnn_learner *learner, unsigned roles, glnn__exchange *exchange);

/* After step number `steps` of an exchange of averages: every few steps, parameters and statistics
 * become their means over all processes, weighted by the samples of each since the latest means.
 * Without an exchange, this and the next two functions do nothing. */
glnn_status glnn__learner_follow_averages(glnn_learner *learner, const glnn__step *step,
                                          uint64_t steps);

/* The same at once, for the optimizer's states too. */
glnn_status glnn__learner_average(glnn_learner *learner, glnn__exchange *exchange);

/* Brings together what each process has gathered in the epoch under way. */
glnn_status glnn__learner_join(glnn_learner *learner, glnn__exchange *exchange);

/* A layer whose gradients, parameters or activations processes exchange. */
typedef struct glnn__exchanged {
    int layer;
    const char *name;     /* a constant                                                   */
    int first, messages;  /* the numbers of its messages                                  */
    double parameters;    /* 0: unknown before the first message                          */
    double inputs, units; /* of a layer that can exchange activations; 0: it cannot       */
} glnn__exchanged;

/* Lists the layers of a learner that has several, and returns how many there are. */
int glnn__learner_list_exchanged(glnn_learner *learner,
                                 glnn__exchanged out[GLNN_EXCHANGE_MAX_LAYERS]);

#endif
