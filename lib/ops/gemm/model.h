/* What an inner product costs, by the profile of the device, and the cut that costs least. */
#ifndef GLNN__OPS_GEMM_MODEL_H
#define GLNN__OPS_GEMM_MODEL_H

#include "pass/pass.h"

/* An inner product: rows x inner times inner x columns, into a layout. */
typedef struct glnn__shape {
    glnn_layout layout;
    int rows, columns, inner;
} glnn__shape;

/* How it may be cut: slices side by side (1: not at all), by a kernel with work groups of so many
 * elements a side that share what they read (0: the kernel without), and so many blocks of the
 * output a fragment. Joined slices are GLNN__GROUP_SLICES, all of a block in one work group. */
typedef struct glnn__cut {
    int slices, group, stack;
    bool joined;
    double expected_us; /* 0: not asked for */
} glnn__cut;

/* The cut whose expected time is least. Fragments may compute stacks where `can_stack`. */
glnn_status glnn__model_cut(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                            glnn__cut *out);

/* Inner indices of each of so many slices. */
int glnn__model_slice(const glnn__cut *cut, int inner);

/* Work groups where nothing was measured: large ones where the output has room for them. */
int glnn__model_group(const glnn_context *ctx, const glnn__shape *shape);

/* Microseconds that the passes of a cut are expected to take. */
double glnn__model_time(const glnn__profile *profile, const glnn__shape *shape,
                        const glnn__cut *cut);

/* The cuts worth considering, the first one in one piece; returns how many. */
#define GLNN__MAX_CUTS 48
int glnn__model_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                     glnn__cut out[GLNN__MAX_CUTS]);

#endif
