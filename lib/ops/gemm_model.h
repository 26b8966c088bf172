/* What an inner product costs, by the figures of the device, and the cut that costs least. */
#ifndef GLNN__OPS_GEMM_MODEL_H
#define GLNN__OPS_GEMM_MODEL_H

#include "pass/figures.h"

/* An inner product: rows x inner times inner x columns, into a layout. */
typedef struct glnn__shape {
    glnn_layout layout;
    int rows, columns, inner;
} glnn__shape;

/* How it may be cut: slices side by side (1: not at all), by a kernel with work groups of so many
 * invocations a side that share what they read (0: the kernel without), and so many blocks of the
 * output a fragment. */
typedef struct glnn__cut {
    int slices, group, stack;
    double expected_us; /* 0: not asked for */
} glnn__cut;

/* The cut whose expected time is least. Fragments may compute stacks where `can_stack`. */
glnn_status glnn__model_cut(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                            glnn__cut *out);

/* The work groups that so many slices are best made with. */
int glnn__model_group(const glnn_context *ctx, const glnn__shape *shape, int slices);

/* Microseconds that the passes of a cut are expected to take. */
double glnn__model_time(const glnn__figures *figures, const glnn__shape *shape,
                        const glnn__cut *cut);

/* Numbers of slices worth considering, ascending from 1; returns how many. */
#define GLNN__MAX_CUTS 12
int glnn__model_slices(const glnn_context *ctx, const glnn__shape *shape, int out[GLNN__MAX_CUTS]);

#endif
