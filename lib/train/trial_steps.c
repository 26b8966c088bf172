#include "train/trial_steps.h"

#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learner/evaluate.h"
#include "learner/visits.h"
#include "train/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps are timed several at once, if they are short, and in several rounds. Of a step that takes
 * long, two rounds are enough. */
static const double shortest_seconds = 5e-3, round_seconds = 0.03, long_seconds = 0.5;
enum { MOST_STEPS = 64, MOST_ROUNDS = 5, LEAST_ROUNDS = 3, LONG_ROUNDS = 2 };

/* ---- Leaving no trace */

/* All that a trial step changes. */
static void list(glnn_trainer *t, glnn__state *state)
{
    glnn__state_matrix(state, t->learner->metrics.rows, "metrics");
    glnn__learner_state(t->learner, state);
}

static glnn_status save(glnn_trainer *t, glnn__state *state)
{
    list(t, state);
    return glnn__state_keep(state);
}

static glnn_status restore(glnn_trainer *t, const glnn__state *saved)
{
    glnn__state state = glnn__state_from(saved);
    list(t, &state);
    return state.status;
}

/* ---- The samples of the steps */

/* The first samples of a group, which all candidates take. */
typedef struct sampling {
    glnn__order order;
    glnn__batch_iterator iterator;
    glnn__batch batch;
} sampling;

static int first_group(const glnn_trainer *t)
{
    const int *begins = t->samples.groups.begins;
    int group = 0;
    while (group + 1 < t->samples.groups.count && begins[group + 1] == begins[group])
        ++group;
    return group;
}

/* Samples of a group that are in a step of so many. */
static int samples_of(const glnn_trainer *t, int group, int samples)
{
    const int *begins = t->samples.groups.begins + group;
    return glnn__least(samples, begins[1] - begins[0]);
}

static glnn_status take_samples(const glnn_trainer *t, int most, sampling *out)
{
    const int group = first_group(t), count = samples_of(t, group, most);
    GLNN__TRY(glnn__order_create(count, 0, &out->order));
    memcpy(out->order.entries, t->samples.order.entries + t->samples.groups.begins[group],
           (size_t)count * sizeof *out->order.entries);
    if (!t->data->stream)
        GLNN__TRY(glnn__order_upload(t->ctx, &out->order));
    GLNN__TRY(glnn__batch_iterator_begin(t->data, &out->order, 0, count, count, &out->iterator));
    GLNN__TRY(glnn__batch_iterator_next(&out->iterator, count, &out->batch));
    out->batch.group = group + 1;
    return GLNN_OK;
}

static void free_samples(sampling *of)
{
    glnn__batch_iterator_end(&of->iterator);
    glnn__order_destroy(&of->order);
}

/* ---- Timing */

static glnn_status make_step(const glnn_trainer *t, const glnn__candidate *candidate,
                             const sampling *from)
{
    const bool is_alone = candidate->kind == GLNN_EXCHANGE_AUTO;
    const int part = glnn__ceil_div(candidate->samples, t->desc.accumulate);
    const int most = part > glnn__share_most(t) ? part : glnn__share_most(t);
    const int rows = t->learner->rows ? t->learner->rows : glnn__batch_rows(t->learner, most);
    glnn__batch own = from->batch;
    own.count = glnn__least(own.count, candidate->samples);
    glnn__step step = {
        .samples = is_alone ? own.count : glnn__step_size(t),
        .batch = t->desc.batch,
        .has_one_part = t->desc.accumulate == 1 && glnn__share_has_one_part(t),
        .epoch_samples = t->samples.count,
        .exchange = is_alone ? NULL : t->exchange,
    };
    return glnn__step_try(t, &own, &step, rows);
}

/* The processes begin together. */
static glnn_status wait_for_all(glnn_trainer *t, double own, double *most)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    double *all = malloc((size_t)ranks * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the times of %d processes", ranks);
    const glnn_status status = glnn__exchange_gather(t->exchange, &own, sizeof own, all);
    *most = own;
    for (int r = 0; r < ranks && !status; ++r)
        *most = fmax(*most, all[r]);
    free(all);
    return status;
}

static glnn_status time_steps(glnn_trainer *t, const glnn__candidate *candidate,
                              const sampling *from, int count, double *seconds)
{
    double ignored;
    if (candidate->kind != GLNN_EXCHANGE_AUTO)
        glnn__exchange_choose(t->exchange, candidate->kind, 1);
    glnn__gl_wait(t->ctx);
    GLNN__TRY(wait_for_all(t, 0, &ignored));
    const double begun = glnn__clock_seconds();
    for (int i = 0; i < count; ++i)
        GLNN__TRY(make_step(t, candidate, from));
    glnn__gl_wait(t->ctx);
    *seconds = (glnn__clock_seconds() - begun) / count;
    return GLNN_OK;
}

/* How often the steps of a candidate are timed: the same on all processes. */
typedef struct repeats {
    int steps, rounds;
} repeats;

static repeats repeats_for(double seconds)
{
    const double steps = fmin(fmax(ceil(shortest_seconds / seconds), 1), MOST_STEPS);
    const double rounds = ceil(round_seconds / (steps * seconds));
    return (repeats){(int)steps, seconds > long_seconds
                                     ? LONG_ROUNDS
                                     : (int)fmin(fmax(rounds, LEAST_ROUNDS), MOST_ROUNDS)};
}

/* Makes programs and buffers, and finds out how long a step takes. A step that takes long is timed
 * again, because drivers also compile in the steps after the first one. */
static glnn_status warm_up(glnn_trainer *t, const glnn__candidate *candidate, const sampling *from,
                           repeats *out)
{
    double seconds, most = INFINITY;
    if (candidate->kind != GLNN_EXCHANGE_AUTO)
        glnn__exchange_choose(t->exchange, candidate->kind, 1);
    for (int i = 0; i < LONG_ROUNDS && most > long_seconds; ++i) {
        GLNN__TRY(time_steps(t, candidate, from, 1, &seconds));
        GLNN__TRY(wait_for_all(t, seconds, &most));
    }
    *out = repeats_for(fmax(most, 1e-9));
    return GLNN_OK;
}

/* Rounds of all candidates in turn, so that a busy moment does not spoil all times of one. */
static glnn_status time_all(glnn_trainer *t, glnn__candidate *candidates, int count,
                            const sampling *from)
{
    repeats of[GLNN_EXCHANGE_COUNT];
    for (int i = 0; i < count; ++i) {
        GLNN__TRY(warm_up(t, &candidates[i], from, &of[i]));
        candidates[i].seconds = INFINITY;
    }
    for (int round = 0; round < MOST_ROUNDS; ++round)
        for (int i = 0; i < count; ++i) {
            double seconds;
            if (round >= of[i].rounds)
                continue;
            GLNN__TRY(time_steps(t, &candidates[i], from, of[i].steps, &seconds));
            candidates[i].seconds = fmin(candidates[i].seconds, seconds);
        }
    return GLNN_OK;
}

static glnn_status run(glnn_trainer *t, glnn__candidate *candidates, int count)
{
    sampling from = {.batch = {.count = 0}};
    int most = 1;
    for (int i = 0; i < count; ++i)
        most = candidates[i].samples > most ? candidates[i].samples : most;
    glnn_status status = take_samples(t, most, &from);
    if (!status)
        status = time_all(t, candidates, count, &from);
    free_samples(&from);
    return status;
}

glnn_status glnn__trial_steps_run(glnn_trainer *t, glnn__candidate *candidates, int count)
{
    glnn__state saved = {.ctx = t->ctx, .path = "trial steps"};
    const glnn__label former = glnn__label_part(t->ctx, "trial");
    glnn_status status = save(t, &saved);
    if (!status) {
        status = run(t, candidates, count);
        const glnn_status restored = restore(t, &saved);
        status = status ? status : restored;
    }
    glnn__state_free(&saved);
    return glnn__label_end(t->ctx, former, status);
}

int glnn__trial_steps_samples(const glnn_trainer *t)
{
    const int own =
        t->learner->updates_by_epoch ? glnn__share_most(t) : glnn__share_of(t, glnn__step_size(t));
    return samples_of(t, first_group(t), own > 0 ? own : 1);
}

glnn_status glnn__trial_steps_alone(glnn_trainer *t, int samples, double *seconds)
{
    glnn__candidate alone = {.samples = samples};
    GLNN__TRY(glnn__trial_steps_run(t, &alone, 1));
    return glnn__exchange_gather(t->exchange, &alone.seconds, sizeof alone.seconds, seconds);
}
