/* Lists that a program records. */
#include <glnn/list.h>

#include "base/log.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "ops/kernel.h"
#include "pass/list.h"

#include <stdlib.h>

/* A matrix of a list, which the list shares, and its form when it was recorded. */
typedef struct used {
    glnn_matrix *matrix;
    int rows, columns;
    glnn_layout layout;
    glnn_storage storage;
} used;

struct glnn_list {
    glnn_context *ctx;
    glnn__list *list;
    bool is_recording, is_complete;
    used *matrices;
    int matrix_count;
    glnn_kernel **kernels; /* one for each pass; NULL: the library's */
    int pass_count;
    glnn__dependent object;
};

/* ---- The objects of a list */

/* An intermediate result, which is the list's, has no texture now. */
static void share_matrix(glnn_list *list, const glnn_matrix *matrix)
{
    if (!matrix || !matrix->texture)
        return;
    for (int i = 0; i < list->matrix_count; ++i)
        if (list->matrices[i].matrix == matrix)
            return;
    list->matrices[list->matrix_count++] = (used){glnn__matrix_share(matrix), matrix->rows,
                                                  matrix->columns, matrix->layout, matrix->storage};
}

static void share_objects(glnn_list *list, int pass, const glnn__pass *of)
{
    share_matrix(list, of->output);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        share_matrix(list, of->operands[i].matrix);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        share_matrix(list, glnn__pass_side_output(of, i));
    list->kernels[pass] = glnn__kernel_owner(of->kernel);
    if (list->kernels[pass])
        ++list->kernels[pass]->owners;
}

static glnn_status keep_objects(glnn_list *list)
{
    const size_t count = (size_t)glnn__list_count(list->list);
    const size_t most = count * (1 + GLNN__MAX_OPERANDS + GLNN__MAX_SIDE_OUTPUTS);
    list->matrices = calloc(most + 1, sizeof *list->matrices);
    list->kernels = calloc(count + 1, sizeof *list->kernels);
    if (!list->matrices || !list->kernels)
        return glnn__fail(GLNN_E_NOMEM, "glnn_list_end: no memory for a list of %zu passes", count);
    for (const glnn__label *label; list->pass_count < (int)count; ++list->pass_count)
        share_objects(list, list->pass_count, glnn__list_get(list->list, list->pass_count, &label));
    return GLNN_OK;
}

static glnn_status check_matrix(const used *of)
{
    const glnn_matrix *m = of->matrix;
    if (m->is_gone)
        return glnn__fail(GLNN_E_STATE,
                          "glnn_list_run: %s was destroyed after the list was recorded", m->name);
    if (m->rows == of->rows && m->columns == of->columns && m->layout == of->layout &&
        m->storage == of->storage)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "glnn_list_run: %s is %d x %d %s; when the list was recorded it was %d x %d "
                      "%s",
                      m->name, m->rows, m->columns, glnn_layout_name(m->layout), of->rows,
                      of->columns, glnn_layout_name(of->layout));
}

static glnn_status check_objects(const glnn_list *list)
{
    for (int i = 0; i < list->matrix_count; ++i)
        GLNN__TRY(check_matrix(&list->matrices[i]));
    for (int i = 0; i < list->pass_count; ++i)
        if (list->kernels[i] && list->kernels[i]->is_gone)
            return glnn__fail(GLNN_E_STATE,
                              "glnn_list_run: the kernel %s was destroyed after the list was "
                              "recorded",
                              list->kernels[i]->kernel.name);
    return GLNN_OK;
}

/* ---- The list */

static void report(void *self)
{
    (void)self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a list of operations still exists");
}

glnn_status glnn_list_begin(glnn_context *ctx, glnn_list **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__TRY(glnn__gl_enter(ctx)); /* no list may be recorded */
    GLNN__TRY(glnn__gl_leave(ctx, GLNN_OK));
    glnn_list *list = malloc(sizeof *list);
    if (!list)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a list", __func__);
    *list = (glnn_list){.ctx = ctx, .is_recording = true};
    const glnn_status status = glnn__fail_in(__func__, glnn__list_begin(ctx, &list->list));
    if (status) {
        free(list);
        return status;
    }
    ctx->is_recording = true;
    glnn__object_add(ctx, &list->object, report, list);
    *out = list;
    return GLNN_OK;
}

static glnn_status end(glnn_list *list)
{
    list->is_recording = list->ctx->is_recording = false;
    GLNN__TRY(glnn__list_end(list->list));
    GLNN__TRY(keep_objects(list));
    list->is_complete = true;
    return GLNN_OK;
}

glnn_status glnn_list_end(glnn_list *list)
{
    GLNN__HELD(list);
    if (!list->is_recording)
        return glnn__fail(GLNN_E_STATE, "%s: the list is not being recorded", __func__);
    return glnn__fail_in(__func__, end(list));
}

static glnn_status run(glnn_list *list)
{
    if (!glnn__list_claims(list->list))
        return glnn__fail(GLNN_E_STATE, "the host has bound objects to texture units of the list "
                                        "that could not be bound again");
    const glnn_status status = glnn__list_replay(list->list);
    const char *call = glnn__list_failed(list->list);
    return status && call ? glnn__fail(status, "in %s: %s", call, glnn__last_sentence()) : status;
}

glnn_status glnn_list_run(glnn_list *list)
{
    GLNN__HELD(list);
    if (!list->is_complete)
        return glnn__fail(GLNN_E_STATE, "%s: %s", __func__,
                          list->is_recording ? "the list is being recorded; call glnn_list_end"
                                             : "the recording of the list failed");
    GLNN__TRY(check_objects(list));
    GLNN__TRY(glnn__gl_enter(list->ctx));
    return glnn__gl_leave(list->ctx, run(list));
}

void glnn_list_destroy(glnn_list *list)
{
    if (!list)
        return;
    glnn__dependent_remove(&list->object);
    if (list->is_recording)
        list->ctx->is_recording = false;
    glnn__list_destroy(list->list);
    for (int i = 0; i < list->matrix_count; ++i)
        glnn__matrix_release(list->matrices[i].matrix);
    for (int i = 0; i < list->pass_count; ++i)
        if (list->kernels[i])
            glnn__kernel_release(list->kernels[i]);
    free(list->matrices);
    free(list->kernels);
    free(list);
}
