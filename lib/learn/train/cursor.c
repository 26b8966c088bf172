#include "learn/train/cursor.h"

#include "base/integers.h"
#include "base/status.h"

#include <math.h>

/* ---- Steps */

float glnn__cursor_rate(const glnn__cursor *at)
{
    const glnn_train_desc *desc = &at->of->desc;
    glnn_schedule schedule = desc->schedule;
    schedule.rate = at->rate;
    return glnn_schedule_get_rate(&schedule, glnn__cursor_step(at),
                                  glnn__samples_steps(&at->of->samples, desc->epochs), at->epoch);
}

void glnn__cursor_set_rate(glnn__cursor *at, float rate)
{
    at->rate = rate;
}

uint64_t glnn__cursor_step(const glnn__cursor *at)
{
    return glnn__samples_steps(&at->of->samples, at->epoch) + at->steps;
}

static int samples_left(const glnn__cursor *at)
{
    return glnn__samples_of_group(&at->of->samples, at->group) - at->group_done;
}

int glnn__cursor_step_samples(const glnn__cursor *at, int *own)
{
    const int all = glnn__least(samples_left(at), at->of->samples.step);
    *own = glnn__samples_own_of_all(&at->of->samples, at->batches, all);
    return all;
}

static glnn_status next_shared(glnn__cursor *at, glnn__batch *out, int *first, int *count)
{
    const glnn__samples *samples = &at->of->samples;
    *count = glnn__least(samples->batch, samples_left(at));
    const int own = glnn__samples_own(samples, at->batches, *count, first);
    *out = (glnn__batch){.data = at->of->data};
    if (!at->of->data->stream) {
        GLNN__TRY(glnn__batch_iterator_next(&at->iterator, *count, out));
        out->first += *first;
        out->count = own;
    } else if (own > 0) {
        GLNN__TRY(glnn__batch_iterator_next(&at->iterator, own, out));
    }
    return GLNN_OK;
}

glnn_status glnn__cursor_next(glnn__cursor *at, glnn__batch *out, int *first, int *count)
{
    if (at->of->exchange) {
        GLNN__TRY(next_shared(at, out, first, count));
    } else {
        GLNN__TRY(glnn__batch_iterator_next(&at->iterator, at->of->samples.batch, out));
        *first = 0;
        *count = out->count;
    }
    at->group_done += *count;
    at->batches++;
    return GLNN_OK;
}

void glnn__cursor_count_step(glnn__cursor *at)
{
    at->steps++;
}

/* ---- Groups */

/* Lists the samples of this process, so that it reads no others. */
static glnn_status list_own(glnn__cursor *at)
{
    const glnn__samples *samples = &at->of->samples;
    const int *entries = samples->order.entries + samples->groups.begins[at->group];
    const int all = glnn__samples_of_group(samples, at->group), batch = samples->batch;
    int count = 0;
    if (!at->own_order.entries)
        GLNN__TRY(glnn__order_create(samples->count, 0, &at->own_order));
    for (int done = at->group_done, number = at->batches; done < all; done += batch, ++number) {
        int first;
        const int own = glnn__samples_own(samples, number, glnn__least(batch, all - done), &first);
        for (int i = 0; i < own; ++i)
            at->own_order.entries[count++] = entries[done + first + i];
    }
    return count == 0 ? GLNN_OK
                      : glnn__batch_iterator_begin(at->of->data, &at->own_order, 0, count,
                                                   glnn__least(glnn__samples_most(samples), count),
                                                   &at->iterator);
}

/* Begins the batches of the group, from the sample on that it has got to. */
static glnn_status begin_batches(glnn__cursor *at)
{
    const glnn__samples *samples = &at->of->samples;
    if (at->of->exchange && at->of->data->stream)
        return list_own(at);
    return glnn__batch_iterator_begin(at->of->data, &samples->order,
                                      samples->groups.begins[at->group] + at->group_done,
                                      samples_left(at), samples->batch, &at->iterator);
}

static bool is_settled(const glnn__cursor *at)
{
    const glnn__totals *settled = at->of->learner->settled;
    return settled && settled[at->group].samples > 0;
}

/* Begins the first group from at->group on that still learns; without one the epoch is over. */
static glnn_status begin_group(glnn__cursor *at)
{
    const glnn__samples *samples = &at->of->samples;
    glnn__batch_iterator_end(&at->iterator);
    for (; at->group < samples->groups.count; ++at->group) {
        const int size = glnn__samples_of_group(samples, at->group);
        if (size > 0 && !is_settled(at)) {
            at->group_done = 0;
            return begin_batches(at);
        }
        at->batches += glnn__ceil_div(size, samples->batch);
        at->steps += (uint64_t)glnn__ceil_div(size, samples->step);
    }
    at->phase = GLNN__PHASE_EPOCH_END;
    return GLNN_OK;
}

glnn_status glnn__cursor_go_on(glnn__cursor *at)
{
    if (at->phase != GLNN__PHASE_STEPS || samples_left(at) > 0)
        return GLNN_OK;
    at->group++;
    return begin_group(at);
}

/* ---- Epochs */

glnn_status glnn__cursor_begin_epoch(glnn__cursor *at)
{
    at->phase = GLNN__PHASE_STEPS;
    at->group = at->batches = 0;
    at->steps = 0;
    at->stepping.seconds = 0;
    return begin_group(at);
}

void glnn__cursor_stop(glnn__cursor *at, bool is_over)
{
    at->stops = at->stops || is_over;
}

void glnn__cursor_leave_steps(glnn__cursor *at)
{
    glnn__batch_iterator_end(&at->iterator);
    at->phase = GLNN__PHASE_EPOCH_END;
}

int glnn__cursor_last_epoch(const glnn__cursor *at)
{
    const bool is_counted = at->phase == GLNN__PHASE_BETWEEN || at->phase == GLNN__PHASE_ENDED;
    return at->epoch - is_counted;
}

void glnn__cursor_count_epoch(glnn__cursor *at)
{
    at->epoch++;
}

void glnn__cursor_close_epoch(glnn__cursor *at)
{
    at->phase = GLNN__PHASE_BETWEEN;
}

void glnn__cursor_end(glnn__cursor *at)
{
    glnn__batch_iterator_end(&at->iterator);
    at->phase = GLNN__PHASE_ENDED;
}

void glnn__cursor_destroy(glnn__cursor *at)
{
    glnn__order_destroy(&at->own_order);
}

/* ---- Checkpoints */

void glnn__cursor_state(glnn__cursor *at, glnn__state *state, bool goes_on)
{
    double rate = (double)at->rate;
    int phase = (int)at->phase;
    int done = at->phase == GLNN__PHASE_STEPS ? at->group_done : 0;
    bool stops = at->stops && !goes_on;
    glnn__state_double(state, &rate, "rate");
    glnn__state_int(state, &phase, "phase");
    glnn__state_int(state, &done, "samples_done");
    glnn__state_bool(state, &stops, "stops");
    glnn__state_int(state, &at->epoch, "epoch");
    glnn__state_int(state, &at->group, "group");
    glnn__state_int(state, &at->batches, "batches_done");
    glnn__state_count(state, &at->steps, "steps_done");
    if (!state->file && !state->saved)
        return;
    at->rate = (float)rate;
    at->phase = (glnn__phase)phase;
    at->group_done = done;
    at->stops = stops;
}

void glnn__cursor_state_of_times(glnn__cursor *at, glnn__state *state)
{
    double seconds = glnn__elapsed_read(&at->calls);
    double of_epoch = glnn__elapsed_read(&at->stepping);
    glnn__state_double(state, &seconds, "seconds");
    glnn__state_double(state, &of_epoch, "epoch_seconds");
    if (!glnn__state_loads(state))
        return;
    glnn__elapsed_set(&at->calls, seconds);
    glnn__elapsed_set(&at->stepping, of_epoch);
}

static bool is_possible(const glnn__cursor *at)
{
    const glnn__samples *samples = &at->of->samples;
    const bool is_under_way = at->phase == GLNN__PHASE_STEPS;
    return at->phase <= GLNN__PHASE_ENDED && at->epoch >= 0 && at->group >= 0 &&
           at->group <= samples->groups.count - is_under_way && at->batches >= 0 &&
           at->batches <= samples->batches && at->steps <= samples->steps &&
           (!is_under_way || (at->group_done >= 0 && samples_left(at) > 0));
}

glnn_status glnn__cursor_check(const glnn__cursor *at, const char *path)
{
    const int epochs = at->of->desc.epochs;
    if (!is_possible(at))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the data set has no sample %d of group %d after %d batches of epoch "
                          "%d (phase %d)",
                          path, at->group_done, at->group, at->batches, at->epoch + 1,
                          (int)at->phase);
    if (at->epoch + (at->phase != GLNN__PHASE_ENDED) > epochs)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the checkpoint is of epoch %d, but the training has only %d", path,
                          at->epoch + 1, epochs);
    if (at->of->learner->default_rate == 0)
        return GLNN_OK;
    if (!(at->rate > 0) || !isfinite(at->rate))
        return glnn__fail(GLNN_E_FORMAT, "%s: the learning rate is %g", path, (double)at->rate);
    return glnn__training_check_rate(at->rate, at->of->learner);
}

glnn_status glnn__cursor_resume(glnn__cursor *at)
{
    glnn__batch_iterator_end(&at->iterator);
    return at->phase == GLNN__PHASE_STEPS ? begin_batches(at) : GLNN_OK;
}
