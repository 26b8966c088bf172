/* The device profile of a context: measured when it is needed, and kept on disk. */
#ifndef GLNN__DEVICE_PROFILER_H
#define GLNN__DEVICE_PROFILER_H

#include "pass/profile.h"

/* The profile that plans are made from; see glnn__device in pass/profile.h. */
glnn_status glnn__profiler_ask(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out);

/* These groups as they are measured on the device, whatever plans are made from. Programs are made, and
 * the GPU is waited for; the numbers are kept where they can be. */
glnn_status glnn__profiler_measured(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                    const glnn__profile **out);

/* Measures all groups of the context's stage anew. */
glnn_status glnn__profiler_measure_anew(glnn_context *ctx);

#endif
