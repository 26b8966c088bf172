/* The plans of matrix products that a context remembers. */
#ifndef GLNN__OPS_GEMM_PLANS_H
#define GLNN__OPS_GEMM_PLANS_H

#include "ops/gemm/plan.h"

/* Before a context remembers more plans than these, it forgets all of them. They are far more than
 * a program's different products, and take about a megabyte. */
#define GLNN__MOST_PLANS 4096

/* A hash table with open addressing. At least half of its places are free, so that a search takes
 * one or two steps. */
typedef struct glnn__plans {
    struct glnn__known_plan *places;
    uint32_t room, count; /* places, a power of two, or 0; plans */
    unsigned profile_age; /* of the profile that the plans come from */
    uint64_t chosen;      /* plans that were chosen since the context was created */
} glnn__plans;

/* The plans of the context. Those of a former profile are forgotten. */
glnn_status glnn__plans_get(glnn_context *ctx, glnn__plans **out);

/* The plan of a key with this hash, until another one is kept; NULL: it is unknown. */
const glnn__plan *glnn__plans_find(const glnn__plans *plans, const glnn__gemm_key *key,
                                   uint32_t hash);

/* Remembers the plan of a key that is unknown. */
glnn_status glnn__plans_keep(glnn__plans *plans, const glnn__gemm_key *key, uint32_t hash,
                             const glnn__plan *plan);

#endif
