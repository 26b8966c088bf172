/* Inner products made in every promising way against the clock, for GLNN_TUNING_FULL. */
#ifndef GLNN__OPS_GEMM_RACE_H
#define GLNN__OPS_GEMM_RACE_H

#include "ops/gemm/plan.h"

/* Completes `plan`, which has all but its cut, by the fastest cut for the product's shape; holds the
 * race where it was not held and the tuning is FULL. *is_known is false where there is no winner. */
glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *product,
                              const glnn__shape *shape, glnn__plan *plan, bool *is_known);

#endif
