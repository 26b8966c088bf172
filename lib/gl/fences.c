#include "gl/fences.h"

#include "base/status.h"

#include <stdlib.h>
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
    free(all);
}

glnn_status glnn__fences_create(glnn_context *ctx)
{
    if (!strstr(ctx->info.renderer, "llvmpipe"))
        return GLNN_OK;
    fences *all = calloc(1, sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the fences of the context");
    ctx->slots[GLNN__SLOT_FENCES].state = all;
    ctx->slots[GLNN__SLOT_FENCES].destroy = destroy;
    return GLNN_OK;
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
    fences *all = ctx->slots[GLNN__SLOT_FENCES].state;
    glnn__fences_before_host(ctx);
    if (all)
        all->has_drawn = true;
}

void glnn__fences_before_host(glnn_context *ctx)
{
    fences *all = ctx->slots[GLNN__SLOT_FENCES].state;
    if (all && all->has_drawn)
        keep(all);
}
