/* Measuring the device and compiling programs before a training, in short pieces. Each piece of the
 * work prepares one kind of passes, such as those of a step or of the validation. It records these
 * passes in a list (pass/list.h), whose programs it then compiles one by one. */
#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "data/stream.h"
#include "device/profiler.h"
#include "learn/passes.h"
#include "learn/predict.h"
#include "learn/snapshot.h"
#include "learn/train/step.h"
#include "learn/train/trainer.h"

#include <glnn/map.h>
#include <glnn/trainer.h>

#include <math.h>
#include <stdlib.h>

/* ---- Steps */

static glnn_status record_steps(void *trainer, const void *like)
{
    glnn_trainer *t = trainer;
    glnn__training *of = &t->training;
    glnn_learner *learner = of->learner;
    glnn_download *nothing;
    GLNN__TRY(glnn__training_record_order(of, t->cursor.epoch));
    GLNN__TRY(glnn_fill(of->ctx, 0, learner->metrics.rows));
    GLNN__TRY(glnn__step_record(&t->cursor, like));
    GLNN__TRY(glnn__learner_apply_epoch(learner));
    if (of->desc.restore_best)
        GLNN__TRY(glnn__snapshot_take(learner));
    return glnn__stopper_request(learner, &nothing);
}

/* ---- Measuring and predicting */

static glnn_status record_measuring(void *trainer, const void *like)
{
    glnn_learner *learner = ((glnn_trainer *)trainer)->training.learner;
    GLNN__TRY(glnn_fill(learner->ctx, 0, learner->measured.rows));
    GLNN__TRY(glnn__learner_measure(learner, like));
    return glnn__metrics_sum(learner->ctx, &learner->measured);
}

/* Samples of zeros are predicted, from downloads of zeros. */
static glnn_status record_prediction(void *trainer, const void *batch)
{
    glnn_learner *learner = ((glnn_trainer *)trainer)->training.learner;
    const glnn__batch *like = batch;
    const size_t count = (size_t)like->count;
    float *inputs = calloc(count * (size_t)learner->features, sizeof *inputs);
    float *outputs = calloc(count * (size_t)learner->predicted, sizeof *outputs);
    int *classes = calloc(count, sizeof *classes);
    const glnn__piece piece = {.count = like->count, .inputs = inputs};
    const glnn_status status =
        inputs && outputs && classes
            ? learner->type->predict(learner, &piece, outputs, classes)
            : glnn__fail(GLNN_E_NOMEM, "no memory for %zu predictions", count);
    free(inputs);
    free(outputs);
    free(classes);
    return status;
}

/* The samples of a prediction from a matrix: those of the data set if they are in one of the
 * program, otherwise a batch. More than the learner has room for are predicted in pieces, with the
 * same programs for any number of pieces. */
static int matrix_rows(const glnn__training *of)
{
    const int batch = of->desc.batch, capacity = of->learner->capacity;
    if (of->data->may_change)
        return of->data->samples;
    return batch / 2 < capacity ? batch : 2 * capacity;
}

/* Whether the targets are in a matrix of the program that is like one for predictions. */
static bool has_matrix_of_predictions(const glnn__training *of)
{
    const glnn_dataset *data = of->data;
    return data->may_change && data->targets && !data->labels && !of->learner->stores_classes &&
           data->targets->columns == of->learner->predicted &&
           data->targets->layout != GLNN_LAYOUT_PAGED;
}

/* A matrix as a program creates it, which the caller destroys; or `given`, if that is not NULL. */
static glnn_status get_matrix(const glnn__training *of, glnn_matrix *given, int columns,
                              glnn_matrix **own, glnn_matrix **out)
{
    *own = NULL;
    if (!given)
        GLNN__TRY(glnn_matrix_create(
            of->ctx, &(glnn_matrix_desc){.rows = matrix_rows(of), .columns = columns}, own));
    *out = given ? given : *own;
    return GLNN_OK;
}

/* The passes write nothing, so that targets can stand for predictions. */
static glnn_status record_piece(glnn_learner *learner, int count, const glnn_matrix *inputs,
                                glnn_matrix *outputs)
{
    return learner->type->store(learner, &(glnn__piece){.count = count, .matrix = inputs}, outputs);
}

static glnn_status record_stored_prediction(void *trainer, const void *batch)
{
    const glnn__training *of = &((glnn_trainer *)trainer)->training;
    const glnn__batch *like = batch;
    glnn_learner *learner = of->learner;
    const int columns = learner->stores_classes ? 1 : learner->predicted;
    glnn_matrix *own_inputs, *own_outputs = NULL, *inputs, *outputs;
    glnn_status status = get_matrix(of, of->data->may_change ? of->data->inputs : NULL,
                                    learner->features, &own_inputs, &inputs);
    if (!status)
        status = get_matrix(of, has_matrix_of_predictions(of) ? of->data->targets : NULL, columns,
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
static glnn__range range_of(const glnn__training *of, int part)
{
    const glnn__samples *samples = &of->samples;
    const int group = glnn__samples_first_group(samples);
    const int size = glnn__samples_of_group(samples, group);
    glnn__range range = {.data = of->data, .count = of->data->samples};
    if (part == VALIDATION)
        return samples->validation[0];
    range.rows =
        part == STORED_PREDICTION
            ? glnn__piece_rows(of->learner, matrix_rows(of))
            : glnn__part_rows(of->learner, part == PREDICTION ? of->desc.batch : range.count);
    if (part != STEPS)
        return range;
    return (glnn__range){.data = of->data,
                         .order = &samples->order,
                         .first = samples->groups.begins[group],
                         .count = size,
                         .rows = glnn__least(samples->batch, size),
                         .group = group + 1};
}

/* A stream can be large enough for the steps, but too small to be evaluated. */
static bool is_needed(const glnn__training *of, int part, const glnn__range *range)
{
    if (part == VALIDATION)
        return of->samples.validation_count > 0 && range->count > 0;
    return part != EVALUATION || !range->data->stream ||
           glnn__stream_holds(range->data, range->rows);
}

/* Nothing is done, so the results that exist stay the same. */
static glnn_status compile(glnn_trainer *t, int part, const glnn__batch *like, double end,
                           double *share)
{
    glnn_learner *learner = t->training.learner;
    const unsigned flags = learner->flags;
    glnn__list_work work = {.until = end};
    glnn__list *list;
    glnn_status status = glnn__list_record(learner->ctx, recorders[part], t, like, &list);
    learner->flags = flags;
    if (!status)
        status = glnn__list_compile(list, &work);
    *share = (double)work.complete / fmax(work.complete + work.left, 1);
    glnn__list_destroy(list);
    return status;
}

static glnn_status compile_part(glnn_trainer *t, int part, double end, double *share)
{
    const glnn__training *of = &t->training;
    const glnn__range range = range_of(of, part);
    const int rows = part == STEPS ? glnn__step_rows(of) : range.rows;
    glnn__batch_iterator batches;
    glnn__batch like;
    *share = 1;
    if (!is_needed(of, part, &range))
        return GLNN_OK;
    if (part == VALIDATION)
        GLNN__TRY(glnn__reporter_prepare_validation(&t->reporter));
    GLNN__TRY(of->learner->type->prepare(of->learner, rows, range.group));
    glnn_status status = glnn__batch_iterator_begin(range.data, range.order, range.first,
                                                    range.count, range.rows, &batches);
    if (!status)
        status = glnn__batch_iterator_next(&batches, range.rows, &like);
    like.group = range.group;
    if (!status)
        status = compile(t, part, &like, end, share);
    glnn__batch_iterator_end(&batches);
    return status;
}

static glnn_status run_part(glnn_trainer *t, double end)
{
    glnn__warmth *warmth = &t->warmth;
    const glnn_learner *learner = t->training.learner;
    const unsigned own = learner->layout == GLNN_LAYOUT_UNPACKED ? GLNN__PROFILE_UNPACKED : 0u;
    double share;
    GLNN__TRY(warmth->done == PROFILE
                  ? glnn__profiler_ask_until(learner->ctx, GLNN__PROFILE_USUAL | own, end, &share)
                  : compile_part(t, warmth->done, end, &share));
    warmth->done += share == 1;
    warmth->progress = fmax(warmth->progress, (warmth->done + (share < 1 ? share : 0)) / PARTS);
    return GLNN_OK;
}

/* In pieces of which none begins after `end` by the clock but the first one. */
static glnn_status warm_up(glnn_trainer *t, double end)
{
    int before;
    GLNN__TRY(glnn__training_upload_order(&t->training));
    do {
        before = t->warmth.done;
        if (before < PARTS)
            GLNN__TRY(run_part(t, end));
    } while (t->warmth.done > before && glnn__clock_seconds() < end);
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
        *progress = t->warmth.progress;
    return status;
}
