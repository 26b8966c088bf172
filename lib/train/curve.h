/* The inside of a learning curve. */
#ifndef GLNN__TRAIN_CURVE_H
#define GLNN__TRAIN_CURVE_H

#include <glnn/curve.h>

struct glnn_curve {
    glnn_report *reports; /* of epochs, which ascend */
    size_t count, capacity;
    glnn_report start; /* its epoch, step and seconds are added to those of further reports */
};

/* Adds a report as it is, without those of the same epoch and later ones. Errors: E_NOMEM. */
glnn_status glnn__curve_append(glnn_curve *curve, const glnn_report *report);

#endif
