/* The speed of plain C on this machine, which advice compares with the GPU. */
#ifndef GLNN__DEVICE_CPU_SPEED_H
#define GLNN__DEVICE_CPU_SPEED_H

#include "gl/gl.h"

/* GFLOP/s of a matrix product and GB/s of a copy, one thread; measured once and stored with the
 * device profile. */
glnn_status glnn__cpu_speed(glnn_context *ctx, double *gflops, double *gb);

#endif
