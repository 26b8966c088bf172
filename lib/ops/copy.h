/* The kernel of copies, for those who time or test passes by it. */
#ifndef GLNN__OPS_COPY_H
#define GLNN__OPS_COPY_H

#include "pass/kernel.h"

/* X through its view, and OLD outside of a rectangle where there is an OLD. */
extern const glnn__kernel glnn__copy_kernel;

#endif
