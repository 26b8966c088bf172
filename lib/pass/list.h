/* Lists: the passes of a step, recorded once and replayed whenever the step is made.
 *
 * While a list is recorded, functions that run passes add them to the list instead, with their
 * programs and everything that they bind. The numbers that differ from step to step are in slots
 * (pass.h). Other work between passes, such as sending a sum to other processes, is recorded as a
 * call. So the same code describes a step to all who need it: the trainer, which replays it;
 * warm-up, which compiles its programs; and the trace.
 *
 * A list is current as long as all that it is about exists. The owner asks before each replay. */
#ifndef GLNN__PASS_LIST_H
#define GLNN__PASS_LIST_H

#include "pass/program.h"

typedef struct glnn__list glnn__list;

/* Runs what the list is to have. While it is recorded, it finds ctx->list set. It must then read no
 * results, and count nothing as done. */
typedef glnn_status glnn__describe_fn(void *self, const void *what);

/* Records a list. A list that is being recorded already goes on afterwards. Owner: the caller.
 * After a failure *out is NULL. */
glnn_status glnn__list_record(glnn_context *ctx, glnn__describe_fn *describe, void *self,
                              const void *what, glnn__list **out);

/* The same in two steps: what runs between begin and end is recorded, unless begin fails. End fails
 * if the list is not current. The caller destroys the list in any case. */
glnn_status glnn__list_begin(glnn_context *ctx, glnn__list **out);
glnn_status glnn__list_end(glnn__list *list);

/* NULL does nothing. A list that is being recorded is ended first. */
void glnn__list_destroy(glnn__list *list);

bool glnn__list_is_current(const glnn__list *list);

/* Within a call that is going to replay the list: claims the texture units for single layers of
 * factors in a host's context. False: the host has bound objects there that could not be bound
 * again, so the factors have to be read as one texture. */
bool glnn__list_claims(const glnn__list *list);

/* The passes of a list, and the label that a pass has. NULL: there are no passes. */
int glnn__list_count(const glnn__list *list);
const glnn__pass *glnn__list_get(const glnn__list *list, int number, const glnn__label **label);

/* Draws the passes and makes the calls of a list whose objects all exist and whose units are
 * claimed. */
glnn_status glnn__list_replay(glnn__list *list);

/* Sees each pass of the lists that are replayed while it is ctx->watch. Its functions can run
 * passes and copy textures, and cannot fail. `before` and `after` find the label of the pass in the
 * context. Whatever else may write to matrices is followed by `forget`. */
typedef struct glnn__watch {
    void *self;
    void (*before)(void *self, const glnn__program *program, const glnn__pass *pass);
    void (*after)(void *self, const glnn__pass *pass);
    void (*forget)(void *self);
} glnn__watch;

/* The call that recorded the entry at which the last replay failed; NULL: it did not. */
const char *glnn__list_failed(const glnn__list *list);

/* Work on the programs of lists, piece by piece: a piece hands a program to the driver, waits for
 * it, or uses it once without writing anything. After `until`, by the clock, no piece begins but
 * the first one. If the driver compiles in parallel, no piece waits, unless `until` is INFINITY. */
typedef struct glnn__list_work {
    double until;
    int pieces;         /* that were worked on                                          */
    int complete, left; /* programs of the latest list; one of several passes counts several
                           times */
} glnn__list_work;

/* Works on the programs of a list that is current, until none is left or nothing more can be done
 * now. */
glnn_status glnn__list_compile(glnn__list *list, glnn__list_work *work);

/* ---- For functions that may be recorded */

/* Records a pass whose program is chosen. */
glnn_status glnn__list_add(glnn__list *list, glnn__program *program, const glnn__pass *pass);

typedef glnn_status glnn__list_call_fn(void *self, const void *arguments);

/* Calls a function; while a list is recorded, each replay does so. The arguments, of at most
 * GLNN__LIST_ARGUMENTS bytes, are copied. */
enum { GLNN__LIST_ARGUMENTS = 64 };
glnn_status glnn__list_call(glnn_context *ctx, glnn__list_call_fn *call, void *self,
                            const void *arguments, size_t size);

/* Destroys the matrix of an intermediate result, after the last pass that reads it. In a list, the
 * matrix has a texture from the first pass that is about it to this place. NULL does nothing. */
void glnn__scratch_destroy(glnn_matrix *matrix);

/* Between pause and resume, passes run at once. */
static inline glnn__list *glnn__list_pause(glnn_context *ctx)
{
    glnn__list *list = ctx->list;
    ctx->list = NULL;
    return list;
}

static inline void glnn__list_resume(glnn_context *ctx, glnn__list *list)
{
    ctx->list = list;
}

#endif
