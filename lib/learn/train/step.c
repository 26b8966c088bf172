#include "learn/train/step.h"

#include "base/integers.h"
#include "base/status.h"
#include "learn/evaluate.h"
#include "learn/passes.h"
#include "learn/sink.h"
#include "learn/visits.h"

/* Rows of the matrices for parts of a batch of at most so many samples of this process. */
static int rows_for(const glnn_learner *learner, int most)
{
    return learner->rows ? learner->rows : glnn__batch_rows(learner, most);
}

int glnn__step_rows(const glnn__training *of)
{
    return rows_for(of->learner, glnn__samples_most(&of->samples));
}

bool glnn__step_has_one_part(const glnn__training *of)
{
    const glnn_learner *learner = of->learner;
    return glnn__samples_most_of_all(&of->samples) <=
           (learner->rows ? learner->rows : learner->capacity);
}

/* A step of so many samples of all processes, of which this one has `own`. */
static glnn__step describe(const glnn__cursor *at, int samples, int own)
{
    const glnn__training *of = at->of;
    const bool averages = glnn__exchange_averages(of->exchange) > 0;
    return (glnn__step){
        .samples = samples,
        .own_samples = own,
        .batch = of->samples.batch,
        .has_one_part = samples <= of->samples.batch && glnn__step_has_one_part(of),
        .epoch_samples = of->samples.count,
        .weight = 1 / (float)(averages ? own : samples),
        .rate = {.f = glnn__cursor_rate(at), .slot = &of->learner->rate},
        .is_summed = of->exchange && !averages,
        .exchange = of->exchange,
    };
}

/* The parts of one batch, whose place is set, after `done` samples of this process. A step without
 * own samples has one empty part. */
static glnn_status add_parts(const glnn__training *of, const glnn__batch *batch, glnn__step *step,
                             int done, int rows)
{
    int offset = 0;
    do {
        glnn__batch part = *batch;
        part.distorter = of->distorter;
        part.first += offset;
        part.entry += offset;
        part.place += offset;
        part.count = glnn__least(rows, batch->count - offset);
        step->is_first = done + offset == 0;
        step->is_last = done + offset + part.count == step->own_samples;
        GLNN__TRY(glnn__learner_gradient(of->learner, &part, step));
        offset += rows;
    } while (offset < batch->count);
    return GLNN_OK;
}

static void begin_step(glnn_learner *learner, const glnn__step *step)
{
    learner->rate.f = step->rate.f;
    learner->steps++;
    if (learner->optimizer)
        glnn__sink_begin(learner, step);
}

static glnn_status add_batches(glnn__cursor *at, glnn__step *step)
{
    const glnn__training *of = at->of;
    glnn_learner *learner = of->learner;
    const int rows = glnn__step_rows(of);
    for (int done = 0, own = 0, count; done < step->samples; done += count) {
        glnn__batch batch;
        int first;
        GLNN__TRY(glnn__cursor_next(at, &batch, &first, &count));
        batch.place = done + first;
        batch.group = at->group + 1;
        batch.step = glnn__cursor_step(at);
        if (batch.count == 0 && (step->own_samples > 0 || done > 0))
            continue;
        if (own == 0)
            begin_step(learner, step);
        GLNN__TRY(learner->type->prepare(learner, rows, batch.group));
        GLNN__TRY(add_parts(of, &batch, step, own, rows));
        own += batch.count;
    }
    return GLNN_OK;
}

glnn_status glnn__step_run(glnn__cursor *at, uint64_t number)
{
    int own;
    const int samples = glnn__cursor_step_samples(at, &own);
    glnn__step step = describe(at, samples, own);
    GLNN__TRY(add_batches(at, &step));
    GLNN__TRY(glnn__learner_apply(at->of->learner, &step));
    GLNN__TRY(glnn__learner_follow_averages(at->of->learner, &step, number));
    glnn__cursor_count_step(at);
    return GLNN_OK;
}

glnn_status glnn__step_try(const glnn__cursor *at, const glnn__batch *like, bool is_alone)
{
    const glnn__training *of = at->of;
    glnn_learner *learner = of->learner;
    const int part = glnn__ceil_div(like->count, of->desc.accumulate);
    const int most = glnn__samples_most(&of->samples);
    const int rows = rows_for(learner, part > most ? part : most);
    glnn__step step = describe(at, is_alone ? like->count : of->samples.step, like->count);
    glnn__batch batch = *like;
    batch.step = glnn__cursor_step(at);
    step.has_one_part = of->desc.accumulate == 1 && glnn__step_has_one_part(of);
    if (is_alone) {
        step.exchange = NULL;
        step.is_summed = false;
    }
    begin_step(learner, &step);
    GLNN__TRY(learner->type->prepare(learner, rows, batch.group));
    GLNN__TRY(add_parts(of, &batch, &step, 0, rows));
    GLNN__TRY(glnn__learner_apply(learner, &step));
    return glnn__learner_follow_averages(learner, &step, 0);
}

/* ---- Recording */

/* The batches of a step differ in three ways at most: the first one, those in the middle, and the
 * last one. */
#define DIFFERENT_BATCHES 3

/* The passes of a step of so many samples, of all processes. */
static glnn_status record_samples(const glnn__cursor *at, const glnn__batch *like, int size)
{
    const glnn__training *of = at->of;
    const int most = glnn__samples_most(&of->samples);
    const int own = glnn__exchange_most(of->exchange, size, glnn__exchange_rank(of->exchange));
    glnn__step step = describe(at, size, glnn__least(own, DIFFERENT_BATCHES * most));
    for (int done = 0; done < step.own_samples; done += most) {
        glnn__batch batch = *like;
        batch.place = done;
        batch.count = glnn__least(most, step.own_samples - done);
        GLNN__TRY(add_parts(of, &batch, &step, done, glnn__step_rows(of)));
    }
    return glnn__learner_apply(of->learner, &step);
}

glnn_status glnn__step_record(const glnn__cursor *at, const glnn__batch *like)
{
    const glnn__training *of = at->of;
    const int size = glnn__samples_of_group(&of->samples, like->group - 1);
    const int last = size % of->samples.step;
    GLNN__TRY(record_samples(at, like, glnn__least(of->samples.step, size)));
    if (last > 0)
        GLNN__TRY(record_samples(at, like, last));
    return glnn__metrics_sum(of->ctx, &of->learner->metrics);
}
