#include "train/training.h"

#include "base/status.h"
#include "learner/evaluate.h"
#include "learner/visits.h"
#include "pass/list.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>
#include <stdlib.h>

/* The norm of what is learnt above which a loss may overflow although all parameters are finite. */
#define LARGE_NORM 1e6f

/* Sums of squares, which are finite only if all elements are. */
typedef struct sums {
    glnn_matrix *squares, *total;
} sums;

static glnn_status add_squares(void *user, const glnn__tensor *tensor)
{
    const sums *to = user;
    glnn_context *ctx = to->total->ctx;
    GLNN__TRY(
        glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, tensor->read, to->squares));
    return glnn_axpy(ctx, 1, to->squares, to->total);
}

static glnn_status request(glnn_learner *learner, sums *to, glnn_download **out)
{
    GLNN__TRY(glnn_fill(learner->ctx, 0, to->total));
    GLNN__TRY(glnn__learner_visit(learner, GLNN__ROLES_PARAMETER, add_squares, to));
    return glnn_download_begin(learner->ctx, to->total, NULL, out);
}

glnn_status glnn__learnt_request(glnn_learner *learner, glnn_download **out)
{
    glnn_context *ctx = learner->ctx;
    sums to = {NULL, NULL};
    *out = NULL;
    if (!learner->is_checked)
        return GLNN_OK;
    glnn_status status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, 1,
                                                     "squares of a matrix", &to.squares);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, 1, "squares", &to.total);
    const glnn__label former = glnn__label_part(ctx, "check parameters");
    if (!status)
        status = request(learner, &to, out);
    glnn__scratch_destroy(to.squares);
    glnn__scratch_destroy(to.total);
    return glnn__label_end(ctx, former, status);
}

static glnn_status check_elements(void *user, const glnn__tensor *tensor)
{
    const glnn_trainer *t = user;
    const glnn_matrix *matrix = tensor->read;
    const size_t columns = (size_t)matrix->columns, count = (size_t)matrix->rows * columns;
    float *values = malloc(count * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory to look at %zu parameters", count);
    glnn_status status = glnn_matrix_download(matrix->ctx, matrix, NULL, values, 0);
    size_t i = 0;
    while (!status && i < count && isfinite(values[i]))
        ++i;
    if (!status && i < count)
        status = glnn__fail(GLNN_E_DIVERGED,
                            "after epoch %d element (%zu, %zu) of %s %d is %g, not "
                            "finite%s",
                            t->report.epoch, i / columns, i % columns, matrix->name, tensor->layer,
                            (double)values[i], glnn__report_advise(t).text);
    free(values);
    return status;
}

glnn_status glnn__learnt_check(glnn_trainer *t)
{
    /* Squares of finite elements may overflow, too. */
    return isfinite(t->squares)
               ? GLNN_OK
               : glnn__learner_visit(t->learner, GLNN__ROLES_PARAMETER, check_elements, t);
}

glnn_status glnn__learnt_measure(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    const int rows = glnn__batch_rows(learner, t->desc.batch);
    const glnn__range first = {
        .data = t->data, .order = &t->samples.order, .count = rows, .rows = rows};
    glnn__totals totals;
    if (t->squares <= LARGE_NORM * LARGE_NORM || t->samples.validation_count > 0)
        return GLNN_OK;
    GLNN__TRY(glnn__measure(learner, &first, 1, &totals));
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED,
                      "after the last step of epoch %d the loss of %.0f of %d samples is "
                      "not finite%s",
                      t->report.epoch, (double)(totals.samples - totals.finite), rows,
                      glnn__report_advise(t).text);
}
