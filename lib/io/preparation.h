/* Copies of preparations, for learners. */
#ifndef GLNN__IO_PREPARATION_H
#define GLNN__IO_PREPARATION_H

#include <glnn/preparation.h>

/* The features that are scaled and projected. */
int glnn__preparation_features(const glnn_preparation *of);

/* glnn_preparation_copy for other arguments than null; `function` begins the sentence of an
 * error. */
glnn_status glnn__preparation_copy(const char *function, const glnn_preparation *preparation,
                                   glnn_preparation *out);

#endif
