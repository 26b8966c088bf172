/* GLNN_TRACE=1: a line for every pass. */
#ifndef GLNN__PASS_TRACE_H
#define GLNN__PASS_TRACE_H

#include "pass/pass.h"

/* Logs kernel, operands, output and time. */
void glnn__trace_pass(const glnn__pass *pass, double milliseconds);

#endif
