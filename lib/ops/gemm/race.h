/* Races, which time a matrix product in every promising way, for GLNN_TUNING_FULL. */
#ifndef GLNN__OPS_GEMM_RACE_H
#define GLNN__OPS_GEMM_RACE_H

#include "ops/gemm/plan.h"

/* The plan that won the race of a key. Runs the race if it is not known and the tuning is FULL;
 * `reading` has the way to read of its first plans. *is_known is false if there is no winner. */
glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *product,
                              const glnn__gemm_key *key, const glnn__cut *reading, glnn__plan *out,
                              bool *is_known);

#endif
