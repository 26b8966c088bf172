/* The device profile of a context: measured when it is needed, and stored on disk. */
#ifndef GLNN__DEVICE_PROFILER_H
#define GLNN__DEVICE_PROFILER_H

#include "pass/profile.h"

/* The profile that plans are made from; see glnn__device in pass/profile.h. */
glnn_status glnn__profiler_ask(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out);

/* The groups that learners and products of any layout but UNPACKED need. */
#define GLNN__PROFILE_USUAL                                                                        \
    ((unsigned)GLNN__PROFILE_TILED | GLNN__PROFILE_PACKED | GLNN__PROFILE_REDUCTIONS |             \
     GLNN__PROFILE_LAYOUTS)

/* Measures groups of the context's stage piece by piece, as far as plans would have them measured
 * (glnn__device). At least one piece is run, and no piece begins after `end`, by the clock.
 * *progress is the share of the pieces that were run; 1: there are no more. */
glnn_status glnn__profiler_ask_until(glnn_context *ctx, unsigned groups, double end,
                                     double *progress);

/* The profile with these groups as measured on the device, even if plans use other numbers. The
 * function measures missing groups, for which it compiles programs and waits for the GPU, and
 * stores them on disk if possible. */
glnn_status glnn__profiler_measured(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                    const glnn__profile **out);

/* Measures all groups of the context's stage anew. Plans use the new numbers if they are stored. */
glnn_status glnn__profiler_measure_anew(glnn_context *ctx);

#endif
