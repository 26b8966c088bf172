/* The end of a context. Handles that outlive it must fail and not crash, so a destroyed context
 * leaves its structure behind, empty and marked. The structures stay until the process ends: their
 * addresses never name another context. */
#ifndef GLNN__GL_LIFETIME_H
#define GLNN__GL_LIFETIME_H

#include "base/status.h"
#include "gl/gl.h"

/* Fails with E_STATE if the context was destroyed. `holder` names the argument that belongs to it;
 * NULL: the context itself is the argument. */
glnn_status glnn__context_check(const char *function, const char *holder, const glnn_context *ctx);

/* In a public function: fails if the context is null or was destroyed. */
#define GLNN__CONTEXT(ctx)                                                                         \
    do {                                                                                           \
        GLNN__NOT_NULL(ctx);                                                                       \
        GLNN__TRY(glnn__context_check(__func__, NULL, ctx));                                       \
    } while (0)

/* In a public function: fails if an object is null, or the context that it belongs to was
 * destroyed. */
#define GLNN__HELD(object)                                                                         \
    do {                                                                                           \
        GLNN__NOT_NULL(object);                                                                    \
        GLNN__TRY(glnn__context_check(__func__, #object, (object)->ctx));                          \
    } while (0)

/* Acts before its context is destroyed: work in other threads that uses memory of the context, or
 * an object of the program, which is reported. */
typedef struct glnn__dependent {
    void (*stop)(void *user); /* called before the context is destroyed, and then no more */
    void *user;
    struct glnn__dependent *next, **link; /* in the context's list */
} glnn__dependent;

void glnn__dependent_add(glnn_context *ctx, glnn__dependent *dependent);

/* Adds an object that a public function has created. `report` logs a line that names it. An object
 * that was created within a call belongs to another object, so it is not added. */
void glnn__object_add(glnn_context *ctx, glnn__dependent *object, void (*report)(void *self),
                      void *self);

/* Does nothing if it was never added or has been stopped. */
void glnn__dependent_remove(glnn__dependent *dependent);

/* Stops all dependents and removes them. */
void glnn__dependents_stop(glnn_context *ctx);

/* Destroys the states of all slots. */
void glnn__slots_destroy(glnn_context *ctx);

/* Empties the structure of a context and marks it as destroyed. */
void glnn__context_bury(glnn_context *ctx);

#endif
