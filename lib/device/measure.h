/* Measuring the device profile by running operations. */
#ifndef GLNN__DEVICE_MEASURE_H
#define GLNN__DEVICE_MEASURE_H

#include "device/timing.h"
#include "pass/profile.h"

/* A measurement under way. */
struct glnn__session;

/* A group of the profile: adjacent numbers that are measured together. */
typedef struct glnn__group_info {
    const char *name; /* in the file that stores the profile */
    size_t offset;    /* in glnn__profile; its numbers end where the next group begins */
    /* Adds the group's timings to a session. */
    glnn_status (*add)(struct glnn__session *session, int choice);
    int choice; /* of writing: whether images are written; of products: the layout */
} glnn__group_info;

/* All groups in the order of glnn__profile_group, and an end. */
extern const glnn__group_info glnn__profile_groups[GLNN__PROFILE_GROUPS + 1];

/* Measures a set of groups of a stage's profile, piece by piece, all of them together. A piece
 * makes the matrices of a group, or is one of glnn__timings. It compiles programs and waits for the
 * GPU. Sessions change nothing in the context. To be ended after failure too. */
glnn_status glnn__session_begin(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                const glnn__stopwatch *watch, glnn__profile *out,
                                struct glnn__session **session);
glnn_status glnn__session_next(struct glnn__session *session, bool *is_over);
void glnn__session_end(struct glnn__session *session);

/* The share of the pieces that were run. */
double glnn__session_progress(const struct glnn__session *session);

/* All pieces at once. */
glnn_status glnn__measure_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                  const glnn__stopwatch *watch, glnn__profile *out);

#endif
