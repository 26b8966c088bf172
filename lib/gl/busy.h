/* Long work of a context, for which others may have to wait: measuring the device and compiling. */
#ifndef GLNN__GL_BUSY_H
#define GLNN__GL_BUSY_H

#include <glnn/context.h>

/* Hears when long work begins and ends. */
typedef struct glnn__busy_listener {
    void (*hear)(void *user, bool is_busy);
    void *user;
    struct glnn__busy_listener *next;
} glnn__busy_listener;

/* The listener stays where it is until it leaves. To leave without having joined does nothing. */
void glnn__busy_join(glnn_context *ctx, glnn__busy_listener *listener);
void glnn__busy_leave(glnn_context *ctx, const glnn__busy_listener *listener);

/* Long work is done between these two; they nest. */
void glnn__busy_begin(glnn_context *ctx);
void glnn__busy_end(glnn_context *ctx);

#endif
