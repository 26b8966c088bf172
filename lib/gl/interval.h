/* The time that the device takes for some commands, by its own clock and without a wait. */
#ifndef GLNN__GL_INTERVAL_H
#define GLNN__GL_INTERVAL_H

#include "gl/gl.h"

/* The commands between begin and end. Zeros: none. */
typedef struct glnn__interval {
    GLuint stamps[2]; /* queries of the device's clock; 0: it has none */
    GLsync fence;     /* after the last command                        */
    double started;   /* by the wall clock                             */
} glnn__interval;

void glnn__interval_begin(glnn_context *ctx, glnn__interval *interval);

/* Has the driver hand the commands to the device. */
void glnn__interval_end(glnn_context *ctx, glnn__interval *interval);

/* Whether the device has carried out all commands of an interval that has ended. */
bool glnn__interval_has_passed(const glnn__interval *interval);

/* The seconds that the device took for an interval that has passed, at most those on the wall
 * clock; 0 if the device has no clock. Other commands that the device carried out meanwhile count.
 * The interval becomes zeros. */
double glnn__interval_take(glnn__interval *interval);

/* Forgets an interval, of whatever state, while its context exists. */
void glnn__interval_drop(glnn__interval *interval);

#endif
