/* Measuring the device profile by running operations. */
#ifndef GLNN__DEVICE_MEASURE_H
#define GLNN__DEVICE_MEASURE_H

#include "device/trial.h"
#include "pass/profile.h"

struct glnn__session;

/* A group of the profile: adjacent numbers that are measured together. */
typedef struct glnn__group_info {
    const char *name; /* in the file that stores the profile */
    size_t offset;    /* in glnn__profile; its numbers end where the next group begins */
    /* Adds the group's trials to a session. */
    glnn_status (*add)(struct glnn__session *session, int choice);
    int choice; /* of writing: whether images are written; of products: the layout */
} glnn__group_info;

/* All groups in the order of glnn__profile_group, and an end. */
extern const glnn__group_info glnn__profile_groups[GLNN__PROFILE_GROUPS + 1];

/* Measures a set of groups of a stage's profile, all of them in one session. It compiles programs
 * and waits for the GPU. It changes nothing in the context. */
glnn_status glnn__measure_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                  const glnn__stopwatch *watch, glnn__profile *out);

#endif
