#include "gl/lifetime.h"

#include <pthread.h>
#include <stdlib.h>

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
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static unsigned count;
    pthread_mutex_lock(&mutex);
    if (slot->number == 0)
        slot->number = ++count;
    pthread_mutex_unlock(&mutex);
    return slot->number;
}

glnn_status glnn__slot_get(glnn_context *ctx, glnn__slot *slot, void **out)
{
    *out = glnn__slot_state(ctx, slot);
    if (*out)
        return GLNN_OK;
    const unsigned number = number_of(slot);
    void *state = number < GLNN__SLOTS ? calloc(1, slot->size) : NULL;
    if (!state)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %s", slot->holds);
    const glnn_status status = slot->create ? slot->create(ctx, state) : GLNN_OK;
    if (status) {
        free(state);
        return status;
    }
    ctx->created[ctx->created_count++] = slot;
    *out = ctx->states[number] = state;
    return GLNN_OK;
}

void glnn__slots_destroy(glnn_context *ctx)
{
    while (ctx->created_count > 0) {
        glnn__slot *slot = ctx->created[--ctx->created_count];
        void **state = &ctx->states[slot->number];
        if (slot->destroy && *state)
            slot->destroy(ctx, *state);
        free(*state);
        *state = NULL;
    }
}

void glnn__context_bury(glnn_context *ctx)
{
    /* Listed, so that tools that look for leaks find the structures. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static glnn_context *buried;
    *ctx = (glnn_context){.is_destroyed = true};
    pthread_mutex_lock(&mutex);
    ctx->buried_before = buried;
    buried = ctx;
    pthread_mutex_unlock(&mutex);
}
