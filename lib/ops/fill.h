/* The kernel of fills, for those who time passes by it. */
#ifndef GLNN__OPS_FILL_H
#define GLNN__OPS_FILL_H

#include "pass/kernel.h"

/* Without options and uniforms: zeros. */
extern const glnn__kernel glnn__fill_kernel;

#endif
