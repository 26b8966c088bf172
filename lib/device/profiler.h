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

/* Whether these groups are known, so that the function above measures nothing. */
glnn_status glnn__profiler_knows(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                 bool *is_known);

/* Measures all groups of the context's stage anew. Plans use the new numbers if they are stored. */
glnn_status glnn__profiler_measure_anew(glnn_context *ctx);

/* A context plans by these: its tuning, and the profile of its stage. */
typedef struct glnn__planning {
    glnn__profile profile;
    unsigned is_settled; /* the set of groups that are not measured any more */
    glnn_tuning tuning;
    int can_measure; /* 0: no */
} glnn__planning;

/* Whether measurements of the context decide how it computes: the tuning allows it, and later runs
 * can read the profile on disk. After glnn__profiler_take this is as in the other context. */
glnn_status glnn__profiler_can_measure(glnn_context *ctx, bool *can_measure);

/* Measures one more group of the profile that plans of the context's stage may need, if it can be
 * stored. *is_complete: there was none left. */
glnn_status glnn__profiler_measure_next(glnn_context *ctx, bool *is_complete);

/* Describes how a context plans. */
glnn_status glnn__profiler_give(glnn_context *ctx, glnn__planning *out);

/* Plans alike in another context of the same device and stage from now on: it measures nothing more
 * for plans, and does not change its files on disk. E_ARG: no context plans so. */
glnn_status glnn__profiler_take(glnn_context *ctx, const glnn__planning *planning);

#endif
