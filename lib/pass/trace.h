/* GLNN_TRACE=1: a line for every pass, and a table of all passes at the end of the context. */
#ifndef GLNN__PASS_TRACE_H
#define GLNN__PASS_TRACE_H

#include "pass/pass.h"

typedef struct glnn__trace glnn__trace;

/* NULL without memory; there is no trace then. */
glnn__trace *glnn__trace_create(const glnn_context *ctx);

/* Writes the line of a pass, which belongs to the context's label, and counts it in the table. */
void glnn__trace_pass(glnn__trace *trace, const glnn_context *ctx, const glnn__pass *pass,
                      double milliseconds);

/* Writes the table and frees the trace, which may be NULL. */
void glnn__trace_end(glnn__trace *trace);

#endif
