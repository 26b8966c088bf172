/* The inside of a learning curve. */
#ifndef GLNN__LEARN_TRAIN_CURVE_H
#define GLNN__LEARN_TRAIN_CURVE_H

#include "learn/state.h"

#include <glnn/curve.h>

struct glnn_curve {
    int owners;           /* the caller, and trainers that share the curve with it */
    glnn_report *reports; /* of epochs, which ascend */
    size_t count, capacity;
    glnn_report start; /* its epoch, step and seconds are added to those of further reports */
};

/* Makes the calling object an owner too. Each owner passes the curve to glnn_curve_destroy, and the
 * last one destroys it. */
glnn_curve *glnn__curve_share(glnn_curve *curve);

/* Save or load metrics, a report, and the reports of a training in its curve, which may be NULL.
 * Members that a checkpoint does not have are those of `like`. */
void glnn__metrics_state(glnn__state *state, glnn_metrics *metrics, const char *of,
                         const char *name);
void glnn__report_state(glnn__state *state, glnn_report *report, const char *name);
void glnn__curve_state(glnn__state *state, glnn_curve *curve, const glnn_report *like);

#endif
