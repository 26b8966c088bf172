/* Shaders that do one thing, to find out how fast the device does it. They are drawn with OpenGL
 * itself, because the library has no operation that only computes or only fetches: each of them
 * comes with reads and writes of its own, and its figure would be a mixture. */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include "common/harness.h"

typedef enum probe_kind {
    PROBE_MULTIPLY_ADD,  /* registers only; a unit is one multiply-add of one float */
    PROBE_FETCH_FLOAT4,  /* texelFetch of RGBA32F; a unit is one texel              */
    PROBE_SAMPLE_FLOAT4, /* texture() of the same, nearest                          */
    PROBE_FETCH_HALF4,   /* texelFetch of RGBA16F                                   */
    PROBE_FETCH_FLOAT,   /* texelFetch of R32F                                      */
    PROBE_COUNT
} probe_kind;

/* The measured quantity, in words. */
const char *probe_name(probe_kind kind);

/* Units a second. */
double probe_rate(bench *b, probe_kind kind);

#endif
