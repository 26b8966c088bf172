/* How fast plain C is on this machine, for advice. */
#ifndef GLNN__OPS_CPU_FIGURES_H
#define GLNN__OPS_CPU_FIGURES_H

#include "gl/gl.h"

/* GFLOP/s of an inner product and GB/s of a copy, one thread; measured once and kept as the device's
 * figures are. */
glnn_status glnn__cpu_figures(glnn_context *ctx, double *gflops, double *gb);

#endif
