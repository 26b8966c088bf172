#include "gl/lifetime.h"

#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

glnn_status glnn__context_check(const char *function, const char *holder, const glnn_context *ctx)
{
    if (!ctx->is_destroyed)
        return GLNN_OK;
    return holder
               ? glnn__fail(GLNN_E_STATE, "%s: the context of `%s` was destroyed", function, holder)
               : glnn__fail(GLNN_E_STATE, "%s: the context was destroyed", function);
}

void glnn__dependent_add(glnn_context *ctx, glnn__dependent *dependent)
{
    dependent->next = ctx->dependents;
    dependent->link = &ctx->dependents;
    if (dependent->next)
        dependent->next->link = &dependent->next;
    ctx->dependents = dependent;
}

void glnn__object_add(glnn_context *ctx, glnn__dependent *object, void (*report)(void *self),
                      void *self)
{
    if (ctx->depth > 0)
        return;
    *object = (glnn__dependent){.stop = report, .user = self};
    glnn__dependent_add(ctx, object);
}

void glnn__dependent_remove(glnn__dependent *dependent)
{
    if (!dependent->link)
        return;
    *dependent->link = dependent->next;
    if (dependent->next)
        dependent->next->link = dependent->link;
    dependent->next = NULL;
    dependent->link = NULL;
}

void glnn__dependents_stop(glnn_context *ctx)
{
    while (ctx->dependents) {
        glnn__dependent *dependent = ctx->dependents;
        glnn__dependent_remove(dependent);
        dependent->stop(dependent->user);
    }
}

/* Numbers are the same in all contexts, which several threads can create. */
static unsigned number_of(glnn__slot *slot)
{
    static glnn__mutex mutex = GLNN__MUTEX;
    static unsigned count;
    glnn__mutex_lock(&mutex);
    if (slot->number == 0)
        slot->number = ++count;
    glnn__mutex_unlock(&mutex);
    return slot->number;
}

static glnn_status create_state(glnn_context *ctx, glnn__slot *slot)
{
    const unsigned number = number_of(slot);
    void *state = number < GLNN__SLOTS ? calloc(1, slot->size) : NULL;
    if (!state)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %s", slot->holds);
    if (slot->create)
        slot->create(ctx, state);
    ctx->created[ctx->created_count++] = slot;
    ctx->states[number] = state;
    return GLNN_OK;
}

glnn_status glnn__slot_get(glnn_context *ctx, glnn__slot *slot, void *out)
{
    if (!glnn__slot_state(ctx, slot))
        GLNN__TRY(create_state(ctx, slot));
    memcpy(out, &ctx->states[slot->number], sizeof(void *));
    return GLNN_OK;
}

void glnn__slots_destroy(glnn_context *ctx)
{
    while (ctx->created_count > 0) {
        glnn__slot *slot = ctx->created[--ctx->created_count];
        void *state = glnn__slot_state(ctx, slot);
        if (slot->destroy)
            slot->destroy(ctx, state);
        free(state);
    }
}

void glnn__context_bury(glnn_context *ctx)
{
    /* Listed, so that tools that look for leaks find the structures. */
    static glnn__mutex mutex = GLNN__MUTEX;
    static glnn_context *buried;
    *ctx = (glnn_context){.is_destroyed = true};
    glnn__mutex_lock(&mutex);
    ctx->buried_before = buried;
    buried = ctx;
    glnn__mutex_unlock(&mutex);
}
