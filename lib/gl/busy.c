#include "gl/busy.h"

#include "gl/gl.h"

void glnn__busy_join(glnn_context *ctx, glnn__busy_listener *listener)
{
    listener->next = ctx->listeners;
    ctx->listeners = listener;
}

void glnn__busy_leave(glnn_context *ctx, const glnn__busy_listener *listener)
{
    glnn__busy_listener **link = &ctx->listeners;
    while (*link && *link != listener)
        link = &(*link)->next;
    if (*link)
        *link = listener->next;
}

static void tell(const glnn_context *ctx, bool is_busy)
{
    for (const glnn__busy_listener *at = ctx->listeners; at; at = at->next)
        at->hear(at->user, is_busy);
}

void glnn__busy_begin(glnn_context *ctx)
{
    if (ctx->busy++ == 0)
        tell(ctx, true);
}

void glnn__busy_end(glnn_context *ctx)
{
    if (--ctx->busy == 0)
        tell(ctx, false);
}
