/* Measuring the device and compiling programs before a training, in short pieces. Each piece of the
 * work prepares one kind of passes, such as those of a step or of the validation. It records these
 * passes in a list (pass/list.h), whose programs it then compiles one by one. */
#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "data/stream.h"
#include "device/profiler.h"
#include "learner/passes.h"
#include "learner/predict.h"
#include "learner/snapshot.h"
#include "train/training.h"

#include <glnn/map.h>
#include <glnn/trainer.h>

#include <math.h>
#include <stdlib.h>

/* ---- Steps */

static int first_group(const glnn_trainer *t)
{
    const int *begins = t->samples.groups.begins;
    int group = 0;
    while (begins[group + 1] == begins[group])
        ++group;
    return group;
}

static glnn_status record_order(glnn_trainer *t)
{
    glnn__order *order = &t->samples.order;
    if (t->desc.emphasis == 0)
        return GLNN_OK;
    GLNN__TRY(glnn__emphasis_draw(t->ctx, &t->emphasis, t->epoch, order->matrix));
    return glnn__emphasis_end(t->ctx, &t->emphasis, t->epoch);
}

static glnn_status record_end(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    glnn_download *nothing;
    if (learner->type->apply_epoch)
        GLNN__TRY(learner->type->apply_epoch(learner));
    if (t->desc.restore_best)
        GLNN__TRY(glnn__snapshot_take(learner));
    return glnn__learnt_request(learner, &nothing);
}

static glnn_status record_steps(void *trainer, const void *like)
{
    glnn_trainer *t = trainer;
    GLNN__TRY(record_order(t));
    GLNN__TRY(glnn_fill(t->ctx, 0, t->learner->metrics.rows));
    GLNN__TRY(glnn__step_record(t, like));
    return record_end(t);
}

/* ---- Measuring and predicting */

static glnn_status record_measuring(void *trainer, const void *like)
{
    const glnn_trainer *t = trainer;
    const glnn__metrics *measured = &t->learner->measured;
    GLNN__TRY(glnn_fill(t->ctx, 0, measured->rows));
    GLNN__TRY(glnn__learner_measure(t->learner, like));
    return glnn__metrics_sum(t->ctx, measured);
}

/* Samples of zeros are predicted, from downloads of zeros. */
static glnn_status record_prediction(void *trainer, const void *batch)
{
    glnn_learner *learner = ((glnn_trainer *)trainer)->learner;
    const glnn__batch *like = batch;
    const size_t count = (size_t)like->count, predicted = (size_t)learner->predicted;
    float *inputs = calloc(count * (size_t)learner->features, sizeof *inputs);
    float *outputs = calloc(count * predicted + 1, sizeof *outputs);
    int *classes = calloc(count, sizeof *classes);
    const glnn__piece piece = {.count = like->count, .inputs = inputs};
    const glnn_status status =
        inputs && outputs && classes
            ? learner->type->predict(learner, &piece, predicted > 0 ? outputs : NULL, classes)
            : glnn__fail(GLNN_E_NOMEM, "no memory for %zu predictions", count);
    free(inputs);
    free(outputs);
    free(classes);
    return status;
}

/* The samples of a prediction from a matrix: those of the data set if they are in one of the
 * program, otherwise a batch. More than the learner has room for are predicted in pieces, with the
 * same programs for any number of pieces. */
static int matrix_rows(const glnn_trainer *t)
{
    const int batch = t->desc.batch, capacity = t->learner->capacity;
    if (t->data->may_change)
        return t->data->samples;
    return batch / 2 < capacity ? batch : 2 * capacity;
}

/* Whether the targets are in a matrix of the program that is like one for predictions. */
static bool has_matrix_of_predictions(const glnn_trainer *t)
{
    const glnn_dataset *data = t->data;
    return data->may_change && data->targets && !data->labels && !t->learner->stores_classes &&
           data->targets->columns == t->learner->predicted &&
           data->targets->layout != GLNN_LAYOUT_PAGED;
}

/* A matrix as a program creates it, which the caller destroys; or `given`, if that is not NULL. */
static glnn_status get_matrix(const glnn_trainer *t, glnn_matrix *given, int columns,
                              glnn_matrix **own, glnn_matrix **out)
{
    *own = NULL;
    if (!given)
        GLNN__TRY(glnn_matrix_create(
            t->ctx, &(glnn_matrix_desc){.rows = matrix_rows(t), .columns = columns}, own));
    *out = given ? given : *own;
    return GLNN_OK;
}

/* The passes write nothing, so that targets can stand for predictions. */
static glnn_status record_piece(glnn_learner *learner, int count, const glnn_matrix *inputs,
                                glnn_matrix *outputs)
{
    const glnn__piece piece = {.count = count, .matrix = inputs};
    GLNN__TRY(learner->type->place(learner, &piece));
    return learner->type->store(learner, &piece, outputs);
}

static glnn_status record_stored_prediction(void *trainer, const void *batch)
{
    const glnn_trainer *t = trainer;
    const glnn__batch *like = batch;
    glnn_learner *learner = t->learner;
    const int columns = learner->stores_classes ? 1 : learner->predicted;
    glnn_matrix *own_inputs, *own_outputs = NULL, *inputs, *outputs;
    glnn_status status = get_matrix(t, t->data->may_change ? t->data->inputs : NULL,
                                    learner->features, &own_inputs, &inputs);
    if (!status)
        status = get_matrix(t, has_matrix_of_predictions(t) ? t->data->targets : NULL, columns,
                            &own_outputs, &outputs);
    if (!status)
        status = record_piece(learner, like->count, inputs, outputs);
    glnn__scratch_destroy(own_inputs);
    glnn__scratch_destroy(own_outputs);
    return status;
}

/* ---- Parts */

enum { PROFILE, STEPS, VALIDATION, EVALUATION, PREDICTION, STORED_PREDICTION, PARTS };

static glnn__describe_fn *const recorders[PARTS] = {
    [STEPS] = record_steps,
    [VALIDATION] = record_measuring,
    [EVALUATION] = record_measuring,
    [PREDICTION] = record_prediction,
    [STORED_PREDICTION] = record_stored_prediction,
};

/* The samples of a part. */
static glnn__range range_of(const glnn_trainer *t, int part)
{
    glnn_learner *learner = t->learner;
    const int group = first_group(t), *begins = t->samples.groups.begins + group;
    const int size = begins[1] - begins[0];
    glnn__range range = {.data = t->data, .count = t->data->samples};
    if (part == VALIDATION)
        return t->samples.validation[0];
    range.rows = part == STORED_PREDICTION
                     ? glnn__piece_rows(learner, matrix_rows(t))
                     : glnn__part_rows(learner, part == PREDICTION ? t->desc.batch : range.count);
    if (part != STEPS)
        return range;
    return (glnn__range){.data = t->data,
                         .order = &t->samples.order,
                         .first = begins[0],
                         .count = size,
                         .rows = glnn__least(t->desc.batch, size),
                         .group = group + 1};
}

/* A stream can be large enough for the steps, but too small to be evaluated. */
static bool is_needed(const glnn_trainer *t, int part, const glnn__range *of)
{
    if (part == VALIDATION)
        return t->samples.validation_count > 0 && of->count > 0;
    return part != EVALUATION || !of->data->stream || glnn__stream_holds(of->data, of->rows);
}

/* Nothing is done, so the results that exist stay the same. */
static glnn_status compile(glnn_trainer *t, int part, const glnn__batch *like, double end,
                           double *share)
{
    const unsigned flags = t->learner->flags;
    glnn__list_work work = {.until = end};
    glnn__list *list;
    glnn_status status = glnn__list_record(t->ctx, recorders[part], t, like, &list);
    t->learner->flags = flags;
    if (!status)
        status = glnn__list_compile(list, &work);
    *share = (double)work.complete / fmax(work.complete + work.left, 1);
    glnn__list_destroy(list);
    return status;
}

static glnn_status prepare(glnn_trainer *t, int part, const glnn__range *of)
{
    glnn_learner *learner = t->learner;
    if (part == STEPS)
        return glnn__step_prepare(t, of->group - 1);
    if (part == VALIDATION)
        GLNN__TRY(glnn__validation_prepare(t));
    return learner->type->prepare(learner, of->rows, of->group);
}

static glnn_status compile_part(glnn_trainer *t, int part, double end, double *share)
{
    const glnn__range of = range_of(t, part);
    glnn__batch_iterator batches;
    glnn__batch like;
    *share = 1;
    if (!is_needed(t, part, &of))
        return GLNN_OK;
    GLNN__TRY(prepare(t, part, &of));
    glnn_status status =
        glnn__batch_iterator_begin(of.data, of.order, of.first, of.count, of.rows, &batches);
    if (!status)
        status = glnn__batch_iterator_next(&batches, of.rows, &like);
    like.group = of.group;
    if (!status)
        status = compile(t, part, &like, end, share);
    glnn__batch_iterator_end(&batches);
    return status;
}

static glnn_status measure_profile(glnn_trainer *t, double end, double *share)
{
    const unsigned own =
        t->learner->layout == GLNN_LAYOUT_UNPACKED ? (unsigned)GLNN__PROFILE_UNPACKED : 0;
    return glnn__profiler_ask_until(t->ctx, GLNN__PROFILE_USUAL | own, end, share);
}

/* The passes read the order, as the first step uploads it. */
static glnn_status upload_order(glnn_trainer *t)
{
    glnn__order *order = &t->samples.order;
    return t->data->stream || order->matrix ? GLNN_OK : glnn__order_upload(t->ctx, order);
}

static glnn_status run_part(glnn_trainer *t, double end)
{
    double share;
    GLNN__TRY(t->warmed == PROFILE ? measure_profile(t, end, &share)
                                   : compile_part(t, t->warmed, end, &share));
    t->warmed += share == 1;
    t->warmth = fmax(t->warmth, (t->warmed + (share < 1 ? share : 0)) / PARTS);
    return GLNN_OK;
}

/* In pieces of which none begins after `end` by the clock but the first one. */
static glnn_status warm_up(glnn_trainer *t, double end)
{
    int before;
    GLNN__TRY(upload_order(t));
    do {
        before = t->warmed;
        if (before < PARTS)
            GLNN__TRY(run_part(t, end));
    } while (t->warmed > before && glnn__clock_seconds() < end);
    return GLNN_OK;
}

glnn_status glnn_trainer_warm_up(glnn_trainer *t, double milliseconds, double *progress)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    if (!(milliseconds >= 0) || !isfinite(milliseconds))
        return glnn__fail(GLNN_E_ARG, "%s: %g ms; they have to be finite and not negative",
                          __func__, milliseconds);
    const double now = glnn__clock_seconds();
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    const glnn_status status = glnn__trainer_leave(
        t, warm_up(t, milliseconds > 0 ? now + milliseconds / 1000 : (double)INFINITY));
    if (progress)
        *progress = t->warmth;
    return status;
}
