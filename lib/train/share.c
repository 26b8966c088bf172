#include "train/training.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/status.h"

#include <stdlib.h>

static const int *group_begins(const glnn_trainer *t)
{
    return t->samples.groups.begins + t->group;
}

static int group_size(const glnn_trainer *t)
{
    return group_begins(t)[1] - group_begins(t)[0];
}

/* Batches of a process from which on processes take whole batches in turn. */
#define LEAST_BATCHES 4

/* If the learner is updated once an epoch, processes exchange nothing in a step, so each can take
 * whole batches. A part of a batch would take as many passes as a whole one. */
static bool takes_turns(const glnn_trainer *t)
{
    return t->exchange && t->learner->updates_by_epoch &&
           t->batches * glnn__exchange_least_weight(t->exchange) >= LEAST_BATCHES;
}

glnn_status glnn__share_prepare(glnn_trainer *t)
{
    return takes_turns(t) ? glnn__exchange_take_turns(t->exchange, t->batches) : GLNN_OK;
}

/* This process's share of `count` samples, all of batch `batch` of the epoch. */
static int share_batch(const glnn_trainer *t, int batch, int count, int *first)
{
    if (!takes_turns(t))
        return glnn__exchange_share(t->exchange, count, first);
    *first = 0;
    return glnn__exchange_turn(t->exchange, batch) == glnn__exchange_rank(t->exchange) ? count : 0;
}

int glnn__share_most(const glnn_trainer *t)
{
    return takes_turns(t)
               ? t->desc.batch
               : glnn__exchange_most(t->exchange, t->desc.batch, glnn__exchange_rank(t->exchange));
}

int glnn__share_most_of_all(const glnn_trainer *t)
{
    return takes_turns(t) ? t->desc.batch : glnn__exchange_most_of_all(t->exchange, t->desc.batch);
}

bool glnn__share_has_one_part(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    return glnn__share_most_of_all(t) <= (learner->rows ? learner->rows : learner->capacity);
}

void glnn__share_log(const glnn_trainer *t)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    for (int r = 0; r < ranks && t->exchange; ++r)
        glnn__log(GLNN_LOG_INFO,
                  "rank %d of %d processes has %.4g %% of the samples: at most %d of a batch of %d",
                  r, ranks, 100 * glnn__exchange_weight(t->exchange, r),
                  takes_turns(t) ? t->desc.batch
                                 : glnn__exchange_most(t->exchange, t->desc.batch, r),
                  t->desc.batch);
}

int glnn__share_of(const glnn_trainer *t, int count)
{
    int first;
    const int batch = t->desc.batch;
    int own = 0;
    for (int i = 0; i * batch < count; ++i)
        own += share_batch(t, t->batches_done + i, glnn__least(batch, count - i * batch), &first);
    return own;
}

/* Lists the samples of this process, so that it reads no others. */
static glnn_status list_own(glnn_trainer *t)
{
    const int *entries = t->samples.order.entries + group_begins(t)[0];
    const int all = group_size(t), batch = t->desc.batch;
    int count = 0;
    if (!t->own_order.entries)
        GLNN__TRY(glnn__order_create(t->samples.count, 0, &t->own_order));
    for (int at = t->group_done, number = t->batches_done; at < all; at += batch, ++number) {
        int first;
        const int own = share_batch(t, number, glnn__least(batch, all - at), &first);
        for (int i = 0; i < own; ++i)
            t->own_order.entries[count++] = entries[at + first + i];
    }
    return count == 0
               ? GLNN_OK
               : glnn__batch_iterator_begin(t->data, &t->own_order, 0, count,
                                            glnn__least(glnn__share_most(t), count), &t->iterator);
}

glnn_status glnn__share_begin(glnn_trainer *t, int done)
{
    t->group_done = done;
    if (t->exchange && t->data->stream)
        return list_own(t);
    return glnn__batch_iterator_begin(t->data, &t->samples.order, group_begins(t)[0] + done,
                                      group_size(t) - done, t->desc.batch, &t->iterator);
}

int glnn__share_left(const glnn_trainer *t)
{
    return group_size(t) - t->group_done;
}

static glnn_status next_shared(glnn_trainer *t, glnn__batch *out, int *first, int *count)
{
    *count = glnn__least(t->desc.batch, glnn__share_left(t));
    const int own = share_batch(t, t->batches_done, *count, first);
    *out = (glnn__batch){.data = t->data};
    if (!t->data->stream) {
        GLNN__TRY(glnn__batch_iterator_next(&t->iterator, *count, out));
        out->first += *first;
        out->count = own;
    } else if (own > 0) {
        GLNN__TRY(glnn__batch_iterator_next(&t->iterator, own, out));
    }
    return GLNN_OK;
}

glnn_status glnn__share_next(glnn_trainer *t, glnn__batch *out, int *first, int *count)
{
    if (t->exchange) {
        GLNN__TRY(next_shared(t, out, first, count));
    } else {
        GLNN__TRY(glnn__batch_iterator_next(&t->iterator, t->desc.batch, out));
        *first = 0;
        *count = out->count;
    }
    t->group_done += *count;
    return GLNN_OK;
}

void glnn__share_end(glnn_trainer *t)
{
    glnn__batch_iterator_end(&t->iterator);
}

glnn_status glnn__share_sum(const glnn_trainer *t, glnn__totals *totals)
{
    double values[] = {(double)totals->loss, (double)totals->correct, (double)totals->finite,
                       (double)totals->samples};
    if (!t->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_sum(t->exchange, values, 4));
    *totals =
        (glnn__totals){(float)values[0], (float)values[1], (float)values[2], (float)values[3]};
    return GLNN_OK;
}
