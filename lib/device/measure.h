/* Measuring the device profile by running operations. */
#ifndef GLNN__DEVICE_MEASURE_H
#define GLNN__DEVICE_MEASURE_H

#include "device/trial.h"
#include "pass/profile.h"

/* Measures a set of groups of a stage's profile, all of them in one session. It compiles programs and
 * waits for the GPU. It changes nothing in the context. */
glnn_status glnn__measure_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                  const glnn__stopwatch *watch, glnn__profile *out);

#endif
