#include "learn/train/stopper.h"

#include "base/status.h"
#include "gl/gl.h"
#include "learn/evaluate.h"
#include "learn/snapshot.h"
#include "learn/train/curve.h"
#include "pass/list.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>
#include <stdlib.h>

void glnn__stopper_begin(glnn__stopper *s)
{
    s->result.size = sizeof s->result;
    s->result.training = s->result.validation = s->reporter->report.validation;
}

void glnn__stopper_count_step(glnn__stopper *s)
{
    s->result.steps++;
}

/* ---- Finite parameters */

/* The norm of what is learnt above which a loss may overflow although all parameters are finite. */
#define LARGE_NORM 1e6f

/* The kernel has one fragment for each row of its output. */
enum { SQUARES_ROWS = 256, SQUARES_COLUMNS = 4 };

static const glnn__kernel squares_kernel = {
    .name = "learn/squares",
    .operands = {"X"},
    .unviewed = 1,
};

static glnn_status add_squares(void *user, const glnn__tensor *tensor)
{
    glnn_matrix *rows = user;
    return glnn__pass_run(rows->ctx,
                          &(glnn__pass){.kernel = &squares_kernel,
                                        .operands = {{.matrix = glnn__tensor_read(tensor)}},
                                        .output = rows,
                                        .blend = true,
                                        .blend_factor.f = 1});
}

glnn_status glnn__stopper_request(glnn_learner *learner, glnn_download **out)
{
    glnn_context *ctx = learner->ctx;
    glnn_matrix *rows = NULL, *total = NULL;
    *out = NULL;
    if (!learner->is_checked)
        return GLNN_OK;
    glnn_status status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, SQUARES_ROWS,
                                                     SQUARES_COLUMNS, "squares of rows", &rows);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, SQUARES_COLUMNS, "squares",
                                             &total);
    const glnn__label former = glnn__label_part(ctx, "check parameters");
    if (!status)
        status = glnn_fill(ctx, 0, rows);
    if (!status)
        status = glnn__learner_visit(learner, GLNN__ROLES_PARAMETER, add_squares, rows);
    if (!status)
        status = glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, rows, total);
    if (!status)
        status = glnn_download_begin(ctx, total, NULL, out);
    glnn__scratch_destroy(rows);
    glnn__scratch_destroy(total);
    return glnn__label_end(ctx, former, status);
}

glnn_status glnn__stopper_ask(glnn__stopper *s)
{
    return glnn__stopper_request(s->of->learner, &s->asked);
}

bool glnn__stopper_has_arrived(const glnn__stopper *s)
{
    return glnn__metrics_ready(&s->of->learner->metrics) &&
           (!s->asked || glnn_download_is_ready(s->asked));
}

static glnn_status check_elements(void *user, const glnn__tensor *tensor)
{
    const glnn__stopper *s = user;
    const glnn_matrix *matrix = glnn__tensor_read(tensor);
    const size_t columns = (size_t)matrix->columns, count = (size_t)matrix->rows * columns;
    float *values = malloc(count * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory to look at %zu parameters", count);
    glnn_status status = glnn_matrix_download(matrix->ctx, matrix, NULL, values, 0);
    size_t i = 0;
    while (!status && i < count && isfinite(values[i]))
        ++i;
    if (!status && i < count)
        status =
            glnn__fail(GLNN_E_DIVERGED,
                       "after epoch %d element (%zu, %zu) of %s %d is %g, not "
                       "finite%s",
                       s->reporter->report.epoch, i / columns, i % columns, matrix->name,
                       tensor->layer, (double)values[i], glnn__reporter_advise(s->reporter).text);
    free(values);
    return status;
}

glnn_status glnn__stopper_check(glnn__stopper *s)
{
    glnn_download *asked = s->asked;
    s->asked = NULL;
    float squares[SQUARES_COLUMNS] = {0}; /* stays, if nothing was asked for */
    GLNN__TRY(glnn_download_end(asked, squares, 0));
    s->squares = squares[0] + squares[1] + squares[2] + squares[3];
    /* Squares of finite elements may overflow, too. */
    return isfinite(s->squares)
               ? GLNN_OK
               : glnn__learner_visit(s->of->learner, GLNN__ROLES_PARAMETER, check_elements, s);
}

void glnn__stopper_drop(glnn__stopper *s)
{
    glnn_download_end(s->asked, NULL, 0);
    s->asked = NULL;
}

/* Fails with E_DIVERGED if parameters are so large that the loss of as many training samples as a
 * batch has is not finite. It measures nothing if validation has, or if the parameters are not
 * large. */
static glnn_status measure(const glnn__stopper *s)
{
    const glnn__training *of = s->of;
    const int rows = glnn__batch_rows(of->learner, of->samples.batch);
    const glnn__range first = {
        .data = of->data, .order = &of->samples.order, .count = rows, .rows = rows};
    glnn__totals totals;
    if (s->squares <= LARGE_NORM * LARGE_NORM || of->samples.validation_count > 0)
        return GLNN_OK;
    GLNN__TRY(glnn__measure(of->learner, &first, 1, &totals));
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED,
                      "after the last step of epoch %d the loss of %.0f of %d samples is "
                      "not finite%s",
                      s->reporter->report.epoch, (double)(totals.samples - totals.finite), rows,
                      glnn__reporter_advise(s->reporter).text);
}

/* ---- Epochs */

void glnn__stopper_note(glnn__stopper *s)
{
    s->result.training = s->reporter->report.training;
    s->result.validation = s->reporter->report.validation;
}

glnn_status glnn__stopper_take_snapshot(glnn__stopper *s)
{
    GLNN__TRY(glnn__snapshot_take(s->of->learner));
    s->has_snapshot = true;
    return GLNN_OK;
}

static bool is_desired(const glnn_train_desc *desc, const glnn_metrics *metrics)
{
    return (desc->desired_loss != 0 && metrics->loss <= (double)desc->desired_loss) ||
           (desc->desired_error > 0 && 1 - metrics->accuracy <= (double)desc->desired_error);
}

glnn_status glnn__stopper_judge(glnn__stopper *s, int epoch, bool *is_best, bool *is_over)
{
    const glnn_train_desc *desc = &s->of->desc;
    const glnn_report *report = &s->reporter->report;
    const glnn_metrics *metrics =
        s->of->samples.validation_count > 0 ? &report->validation : &report->training;
    const double loss = metrics->loss;
    glnn_train_result *result = &s->result;
    result->epochs = epoch;
    *is_best = result->best_epoch == 0 || loss < s->best_loss - (double)desc->min_improvement;
    if (*is_best && desc->restore_best) {
        GLNN__TRY(measure(s));
        GLNN__TRY(glnn__stopper_take_snapshot(s));
    }
    if (*is_best) {
        s->best_loss = loss;
        s->best_steps = result->steps;
        result->best_epoch = epoch;
    }
    *is_over = (desc->patience > 0 && epoch - result->best_epoch >= desc->patience) ||
               is_desired(desc, metrics);
    return GLNN_OK;
}

void glnn__stopper_add_epoch(glnn__stopper *s, double seconds)
{
    s->result.train_seconds += seconds;
}

void glnn__stopper_set_seconds(glnn__stopper *s, double seconds)
{
    s->result.seconds = seconds;
}

/* Without a best epoch, or if it was the last one, the last parameters stay. */
glnn_status glnn__stopper_end(glnn__stopper *s, glnn_status status, bool is_stopped)
{
    const bool has_best = s->of->desc.restore_best && s->result.best_epoch > 0;
    s->result.stopped = is_stopped;
    if (s->reporter->is_cut_off)
        return status;
    if (has_best && (status || s->best_steps < s->result.steps)) {
        const glnn_status restored = glnn__snapshot_restore(s->of->learner);
        return status ? status : restored;
    }
    return status || has_best ? status : measure(s);
}

/* ---- Checkpoints */

void glnn__stopper_state(glnn__stopper *s, glnn__state *state)
{
    glnn__state_double(state, &s->best_loss, "best_loss");
    glnn__state_count(state, &s->best_steps, "best_steps");
    glnn__state_bool(state, &s->has_snapshot, "has_snapshot");
}

void glnn__stopper_state_of_result(glnn__stopper *s, glnn__state *state)
{
    glnn_train_result *result = &s->result;
    glnn__state_int(state, &result->epochs, "result.epochs");
    glnn__state_count(state, &result->steps, "result.steps");
    glnn__state_bool(state, &result->stopped, "result.stopped");
    glnn__state_int(state, &result->best_epoch, "result.best_epoch");
    glnn__metrics_state(state, &result->training, "result", "training");
    glnn__metrics_state(state, &result->validation, "result", "validation");
    glnn__state_double(state, &result->train_seconds, "result.train_seconds");
}
