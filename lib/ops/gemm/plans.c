#include "ops/gemm/plans.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Places of the first table. */
#define FIRST_ROOM 64

typedef struct glnn__known_plan {
    glnn__gemm_key key;
    uint32_t hash;
    bool is_used;
    glnn__plan plan;
} known_plan;

static void forget(glnn__plans *plans)
{
    free(plans->places);
    plans->places = NULL;
    plans->room = plans->count = 0;
}

static void destroy_plans(glnn_context *ctx, void *state)
{
    (void)ctx;
    if (state)
        forget(state);
    free(state);
}

glnn_status glnn__plans_get(glnn_context *ctx, glnn__plans **out)
{
    if (!ctx->slots[GLNN__SLOT_OPS].state) {
        ctx->slots[GLNN__SLOT_OPS].state = calloc(1, sizeof(glnn__plans));
        ctx->slots[GLNN__SLOT_OPS].destroy = destroy_plans;
    }
    glnn__plans *plans = *out = ctx->slots[GLNN__SLOT_OPS].state;
    if (!plans)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the plans of matrix products");
    if (plans->profile_age != ctx->profile_age)
        forget(plans);
    plans->profile_age = ctx->profile_age;
    return GLNN_OK;
}

/* The place of a key, or the free one that it would take. */
static known_plan *place_of(const glnn__plans *plans, const glnn__gemm_key *key, uint32_t hash)
{
    uint32_t at = hash & (plans->room - 1);
    while (plans->places[at].is_used && (plans->places[at].hash != hash ||
                                         memcmp(&plans->places[at].key, key, sizeof *key) != 0))
        at = (at + 1) & (plans->room - 1);
    return &plans->places[at];
}

const glnn__plan *glnn__plans_find(const glnn__plans *plans, const glnn__gemm_key *key,
                                   uint32_t hash)
{
    if (plans->room == 0)
        return NULL;
    const known_plan *place = place_of(plans, key, hash);
    return place->is_used ? &place->plan : NULL;
}

/* Makes room for one more plan. */
static glnn_status grow(glnn__plans *plans)
{
    if (plans->count == GLNN__MOST_PLANS)
        forget(plans);
    if (2 * plans->count < plans->room)
        return GLNN_OK;
    glnn__plans larger = {.room = plans->room > 0 ? 2 * plans->room : FIRST_ROOM};
    larger.places = calloc(larger.room, sizeof *larger.places);
    if (!larger.places)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %u plans of matrix products", larger.room);
    for (uint32_t i = 0; i < plans->room; ++i)
        if (plans->places[i].is_used)
            *place_of(&larger, &plans->places[i].key, plans->places[i].hash) = plans->places[i];
    free(plans->places);
    plans->places = larger.places;
    plans->room = larger.room;
    return GLNN_OK;
}

glnn_status glnn__plans_keep(glnn__plans *plans, const glnn__gemm_key *key, uint32_t hash,
                             const glnn__plan *plan)
{
    GLNN__TRY(grow(plans));
    *place_of(plans, key, hash) =
        (known_plan){.key = *key, .hash = hash, .is_used = true, .plan = *plan};
    ++plans->count;
    return GLNN_OK;
}
