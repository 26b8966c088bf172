/* The sampler objects of operands. */
#ifndef GLNN__PASS_SAMPLER_H
#define GLNN__PASS_SAMPLER_H

#include "pass/program.h"

/* The sampler object for the texture of an operand; 0: none. */
GLuint glnn__sampler_of(glnn__programs *programs, const glnn__operand *operand);

#endif
