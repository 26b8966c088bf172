#include "learn/snapshot.h"

#include "base/status.h"
#include "pass/list.h"

#include <glnn/copy.h>

#include <stdlib.h>
#include <string.h>

/* The copy of a tensor of this name: a matrix, or numbers or a flag in main memory. */
typedef struct glnn__kept {
    char name[sizeof((glnn__tensor *)0)->name];
    glnn_matrix *matrix;
    float *values;
    bool flag;
} kept;

typedef struct visit {
    glnn__snapshot *snapshot;
    glnn__state *state; /* for checkpoints */
} visit;

/* The copy of a tensor, which is zeros at first. */
static glnn_status get_copy(const visit *of, const glnn__tensor *tensor, kept **out)
{
    glnn__snapshot *snapshot = of->snapshot;
    for (int i = 0; i < snapshot->count; ++i) {
        *out = &snapshot->all[i];
        if (strcmp((*out)->name, tensor->name) == 0)
            return GLNN_OK;
    }
    kept *all = realloc(snapshot->all, ((size_t)snapshot->count + 1) * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a snapshot");
    snapshot->all = all;
    *out = &all[snapshot->count++];
    **out = (kept){0};
    memcpy((*out)->name, tensor->name, sizeof tensor->name);
    return GLNN_OK;
}

static glnn_status create(const glnn_matrix *matrix, glnn_matrix **copy)
{
    return glnn__matrix_create_scratch(matrix->ctx, matrix->layout, matrix->rows, matrix->columns,
                                       "snapshot", copy);
}

/* ---- Taking */

/* Once its programs are compiled, the texture of the copy waits in the pool for the first
 * snapshot. */
static glnn_status record(void *user, const glnn__tensor *tensor)
{
    glnn_matrix *copy;
    (void)user;
    if (!tensor->matrix)
        return GLNN_OK;
    GLNN__TRY(create(tensor->matrix, &copy));
    glnn_status status = glnn_copy(copy->ctx, tensor->matrix, copy);
    if (!status)
        status = glnn_copy(copy->ctx, copy, tensor->matrix);
    glnn__scratch_destroy(copy);
    return status;
}

static glnn_status take_matrix(glnn_matrix *matrix, kept *to)
{
    if (!to->matrix)
        GLNN__TRY(create(matrix, &to->matrix));
    return glnn_copy(matrix->ctx, matrix, to->matrix);
}

static glnn_status take_values(const glnn__tensor *tensor, kept *to)
{
    const size_t size = tensor->count * sizeof *to->values;
    if (!to->values)
        to->values = malloc(size);
    if (!to->values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a snapshot of %zu numbers", tensor->count);
    memcpy(to->values, tensor->values, size);
    return GLNN_OK;
}

static glnn_status take(void *user, const glnn__tensor *tensor)
{
    kept *to;
    GLNN__TRY(get_copy(user, tensor, &to));
    if (tensor->matrix)
        return take_matrix(tensor->matrix, to);
    if (tensor->values)
        return take_values(tensor, to);
    to->flag = *tensor->flag;
    return GLNN_OK;
}

glnn_status glnn__snapshot_take(glnn_learner *learner)
{
    return glnn__learner_visit(learner, GLNN__ROLES_SNAPSHOT, learner->ctx->list ? record : take,
                               &(visit){&learner->snapshot, NULL});
}

/* ---- Restoring */

static glnn_status restore(void *user, const glnn__tensor *tensor)
{
    kept *from;
    GLNN__TRY(get_copy(user, tensor, &from));
    if (from->matrix)
        return glnn_copy(tensor->matrix->ctx, from->matrix, tensor->matrix);
    if (from->values)
        memcpy(tensor->values, from->values, tensor->count * sizeof *from->values);
    else if (tensor->flag)
        *tensor->flag = from->flag;
    return GLNN_OK;
}

glnn_status glnn__snapshot_restore(glnn_learner *learner)
{
    GLNN__TRY(glnn__learner_visit(learner, GLNN__ROLES_SNAPSHOT, restore,
                                  &(visit){&learner->snapshot, NULL}));
    glnn__learner_changed(learner);
    return GLNN_OK;
}

/* ---- Checkpoints */

static void exchange_values(glnn__state *state, const glnn__tensor *tensor, kept *copy)
{
    bool exists = copy->values != NULL;
    glnn__state_bool(state, &exists, "snapshot.%s.exists", tensor->name);
    if (!exists) {
        free(copy->values);
        copy->values = NULL;
    }
    if (!exists || state->status)
        return;
    if (!copy->values)
        state->status = take_values(tensor, copy);
    if (!state->status)
        glnn__state_floats(state, copy->values, tensor->count, "snapshot.%s", tensor->name);
}

static glnn_status exchange(void *user, const glnn__tensor *tensor)
{
    glnn__state *state = ((visit *)user)->state;
    kept *copy;
    GLNN__TRY(get_copy(user, tensor, &copy));
    if (tensor->matrix)
        glnn__state_copy(state, tensor->matrix, &copy->matrix, "snapshot.%s", tensor->name);
    else if (tensor->values)
        exchange_values(state, tensor, copy);
    else
        glnn__state_bool(state, &copy->flag, "snapshot.%s", tensor->name);
    return state->status;
}

void glnn__snapshot_state(glnn_learner *learner, glnn__state *state)
{
    visit of = {&learner->snapshot, state};
    const glnn_status status = glnn__learner_visit(learner, GLNN__ROLES_SNAPSHOT, exchange, &of);
    state->status = state->status ? state->status : status;
}

void glnn__snapshot_destroy(glnn__snapshot *snapshot)
{
    for (int i = 0; i < snapshot->count; ++i) {
        glnn_matrix_destroy(snapshot->all[i].matrix);
        free(snapshot->all[i].values);
    }
    free(snapshot->all);
    *snapshot = (glnn__snapshot){0};
}
