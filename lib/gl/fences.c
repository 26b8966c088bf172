#include "gl/fences.h"

#include <string.h>

/* llvmpipe has at most 64 scenes under way and draws them in order. When a fence leaves a ring of
 * this size, a later scene has been drawn. */
#define KEPT (64 + 4)

typedef struct fences {
    GLsync kept[KEPT]; /* a ring */
    unsigned next;
    bool has_drawn; /* since the last one was kept */
} fences;

static void destroy(glnn_context *ctx, void *state)
{
    fences *all = state;
    (void)ctx;
    glFinish();
    for (int i = 0; i < KEPT; ++i)
        glDeleteSync(all->kept[i]);
}

glnn__slot glnn__fences_slot = {
    .holds = "the fences of the context", .size = sizeof(fences), .destroy = destroy};

glnn_status glnn__fences_create(glnn_context *ctx)
{
    static const char name[] = "llvmpipe";
    void *all;
    if (strncmp(ctx->info.renderer, name, strlen(name)) != 0)
        return GLNN_OK;
    return glnn__slot_get(ctx, &glnn__fences_slot, &all);
}

static void keep(fences *all)
{
    GLsync *oldest = &all->kept[all->next++ % KEPT];
    glDeleteSync(*oldest);
    *oldest = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    all->has_drawn = false;
}

void glnn__fences_before_draw(glnn_context *ctx)
{
    fences *all = glnn__slot_state(ctx, &glnn__fences_slot);
    glnn__fences_before_host(ctx);
    if (all)
        all->has_drawn = true;
}

void glnn__fences_before_host(glnn_context *ctx)
{
    fences *all = glnn__slot_state(ctx, &glnn__fences_slot);
    if (all && all->has_drawn)
        keep(all);
}
