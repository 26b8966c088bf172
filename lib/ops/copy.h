/* The pass of a copy, for those who measure or change it. */
#ifndef GLNN__OPS_COPY_H
#define GLNN__OPS_COPY_H

#include "pass/pass.h"

/* The pass that copies x to a matrix of the same size. */
glnn__pass glnn__copy_pass(const glnn_matrix *x, glnn_matrix *out);

#endif
