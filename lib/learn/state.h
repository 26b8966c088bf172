/* All that a training changes, listed once: the same list saves it in a checkpoint and loads it
 * from one. A list is a function that hands matrices, arrays and numbers to the functions below,
 * always in the same order. Each module that keeps numbers from one step to the next has a list of
 * them. Checkpoints are made between two steps, so that numbers in use within a step have no place
 * in it. */
#ifndef GLNN__LEARN_STATE_H
#define GLNN__LEARN_STATE_H

#include "io/growing_text.h"
#include "tex/matrix.h"

#include <glnn/safetensors.h>

typedef struct glnn__state_array glnn__state_array;

/* All zeros but for `ctx`, `path` and, if it loads, `left` and one of `file` and `saved`. */
typedef struct glnn__state {
    glnn_context *ctx;
    const char *path;
    glnn_status status; /* the first error; the functions below do nothing after it */

    glnn__state_array *arrays; /* to be saved */
    size_t count, room;
    glnn__growing_text numbers; /* to be saved: lines of a name, a blank and a number */

    /* To load from: a file, or a state whose arrays were taken. Both NULL: the state is saved. */
    const glnn_safetensors *file;
    const struct glnn__state *saved;
    const char *left; /* of the lines of numbers */
} glnn__state;

/* Whether the list loads, and has not failed. A list asks for it if it has to make room, or if
 * something follows from the numbers that were loaded. */
static inline bool glnn__state_loads(const glnn__state *state)
{
    return (state->file || state->saved) && !state->status;
}

/* The names follow as for printf; they are unique in a checkpoint. NULL matrices are left out. */

__attribute__((format(printf, 3, 4))) void
glnn__state_matrix(glnn__state *state, glnn_matrix *matrix, const char *name, ...);

/* A matrix of the shape of `of` that need not exist; loading creates it, or destroys it. */
__attribute__((format(printf, 4, 5))) void glnn__state_copy(glnn__state *state,
                                                            const glnn_matrix *of,
                                                            glnn_matrix **copy, const char *name,
                                                            ...);

/* Numbers in main memory; `count` is at least 1. */
__attribute__((format(printf, 4, 5))) void glnn__state_floats(glnn__state *state, float *values,
                                                              size_t count, const char *name, ...);

/* Single numbers; doubles may be infinite or NAN. */
__attribute__((format(printf, 3, 4))) void glnn__state_int(glnn__state *state, int *value,
                                                           const char *name, ...);
__attribute__((format(printf, 3, 4))) void glnn__state_bool(glnn__state *state, bool *value,
                                                            const char *name, ...);
__attribute__((format(printf, 3, 4))) void glnn__state_count(glnn__state *state, uint64_t *value,
                                                             const char *name, ...);
__attribute__((format(printf, 3, 4))) void glnn__state_double(glnn__state *state, double *value,
                                                              const char *name, ...);

/* ---- For checkpoints, in the C locale */

/* Waits for the matrices that are saved, and sets *tensors to all arrays; these belong to the
 * state, and the list of them to the caller, who frees it. The list may be loaded from the state
 * then. */
glnn_status glnn__state_take(glnn__state *state, glnn_tensor **tensors);

/* The same without a list: the state is kept in main memory, to be loaded again. */
glnn_status glnn__state_keep(glnn__state *state);

/* The state that loads what was kept. */
glnn__state glnn__state_from(const glnn__state *kept);

/* Gives back what saving needed. */
void glnn__state_free(glnn__state *state);

#endif
