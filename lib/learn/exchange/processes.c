#include "learn/exchange/exchange.h"

#include "base/sized.h"
#include "base/status.h"
#include "learn/exchange/message.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps between two means. */
#define DEFAULT_EVERY 16

GLNN__DECLARE_NAMES(glnn_exchange_kind)

#define AT(member) offsetof(glnn_exchange_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(CHOICE, kind, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_exchange_kind),
    GLNN__ROW(INT, every, GLNN__NOT_KEPT, .standard = DEFAULT_EVERY, .stays = true, .least = 1),
    GLNN__ROW(BOOL, allow_activations, GLNN__NOT_KEPT),
    GLNN__ROW(FLOAT, share, GLNN__NOT_KEPT, .zero = "an equal one, or one by the measured speed"),
};

const glnn__fields glnn__exchange_fields = GLNN__DESCRIPTION(glnn_exchange_desc, fields);

static glnn_status check_messenger(const glnn_messenger *m)
{
    if (m->size < sizeof *m)
        return glnn__fail(GLNN_E_ARG,
                          "exchange.messenger: its size is %zu; set it to sizeof(glnn_messenger)",
                          m->size);
    if (m->ranks < 1 || m->rank < 0 || m->rank >= m->ranks)
        return glnn__fail(GLNN_E_ARG,
                          "exchange.messenger: rank %d of %d processes; ranks are numbered from 0",
                          m->rank, m->ranks);
    if (m->host_ranks < 0 || m->host_ranks > m->ranks)
        return glnn__fail(GLNN_E_ARG,
                          "exchange.messenger: host_ranks is %d; it has to be 0, or from 1 to the "
                          "%d processes",
                          m->host_ranks, m->ranks);
    if (!m->gather || !m->begin_sum || !m->begin_gather || !m->is_done || !m->end || !m->fail ||
        !m->get_error)
        return glnn__fail(GLNN_E_ARG, "exchange.messenger: a function is null");
    if (!m->allocate != !m->release)
        return glnn__fail(GLNN_E_ARG, "exchange.messenger: `%s` is null, but `%s` is not",
                          m->allocate ? "release" : "allocate",
                          m->allocate ? "allocate" : "release");
    return GLNN_OK;
}

glnn_status glnn__exchange_check(const glnn_exchange_desc *desc)
{
    if (!desc->messenger)
        return GLNN_OK;
    GLNN__TRY(check_messenger(desc->messenger));
    const char *kind = glnn_exchange_kind_name(desc->kind);
    const bool averages = desc->kind == GLNN_EXCHANGE_AVERAGES || desc->kind == GLNN_EXCHANGE_AUTO;
    if (desc->every > 0 && !averages)
        return glnn__fail(GLNN_E_ARG,
                          "exchange.every is %d, but the kind is %s; only averages are exchanged "
                          "after every few steps",
                          desc->every, kind);
    if (desc->allow_activations && desc->kind != GLNN_EXCHANGE_AUTO)
        return glnn__fail(
            GLNN_E_ARG,
            "exchange.allow_activations is set, but the kind is %s; only auto chooses "
            "among kinds",
            kind);
    const size_t size = sizeof *desc->plan;
    return desc->plan ? glnn__sized_check("exchange.plan", "glnn_exchange_plan", desc->plan->size,
                                          size, size)
                      : GLNN_OK;
}

static void tell_of_work(void *user, bool is_busy)
{
    const glnn__exchange *exchange = user;
    const glnn_messenger *messenger = exchange->messenger;
    if (messenger->set_busy && !exchange->is_over)
        messenger->set_busy(messenger->user, is_busy);
}

glnn_status glnn__exchange_create(glnn_context *ctx, const glnn_exchange_desc *desc,
                                  glnn__exchange **out)
{
    *out = NULL;
    if (!desc->messenger || desc->messenger->ranks == 1)
        return GLNN_OK;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the exchange between processes");
    (*out)->ctx = ctx;
    (*out)->desc = *desc;
    (*out)->messenger = desc->messenger;
    (*out)->listener = (glnn__busy_listener){.hear = tell_of_work, .user = *out};
    glnn__busy_join(ctx, &(*out)->listener);
    (*out)->pool = glnn__pool_create_share(desc->messenger->host_ranks);
    if (!(*out)->pool)
        return glnn__fail(GLNN_E_NOMEM, "no memory or no thread to copy for other processes");
    return glnn__shares_create(desc->messenger->ranks, &(*out)->shares);
}

void glnn__exchange_destroy(glnn__exchange *exchange)
{
    if (!exchange)
        return;
    glnn__busy_leave(exchange->ctx, &exchange->listener);
    if (!glnn__gl_enter_recording(exchange->ctx)) {
        glnn__messages_destroy(exchange);
        glnn__gl_leave(exchange->ctx, GLNN_OK);
    }
    glnn__shares_destroy(&exchange->shares);
    glnn__pool_destroy(exchange->pool);
    free(exchange);
}

int glnn__exchange_rank(const glnn__exchange *exchange)
{
    return exchange ? exchange->messenger->rank : 0;
}

int glnn__exchange_ranks(const glnn__exchange *exchange)
{
    return exchange ? exchange->messenger->ranks : 1;
}

void glnn__exchange_choose(glnn__exchange *exchange, glnn_exchange_kind kind, int every)
{
    exchange->desc.kind = kind;
    exchange->desc.every = every;
    exchange->ctx->lists_age++; /* steps have other passes from now on */
}

void glnn__exchange_choose_layer(glnn__exchange *exchange, int layer, glnn_exchange_kind kind)
{
    exchange->gathers[layer] = kind == GLNN_EXCHANGE_ACTIVATIONS;
    exchange->ctx->lists_age++;
}

bool glnn__exchange_gathers(const glnn__exchange *exchange, int layer)
{
    return exchange && exchange->desc.kind == GLNN_EXCHANGE_ACTIVATIONS && exchange->gathers[layer];
}

int glnn__exchange_averages(const glnn__exchange *exchange)
{
    if (!exchange || exchange->desc.kind != GLNN_EXCHANGE_AVERAGES)
        return 0;
    return exchange->desc.every > 0 ? exchange->desc.every : DEFAULT_EVERY;
}

_Static_assert(2 * GLNN_NETWORK_MAX_LAYERS <= GLNN__EXCHANGE_TENSORS, "layers have own numbers");
_Static_assert(GLNN_NETWORK_MAX_LAYERS <= GLNN_EXCHANGE_MAX_LAYERS, "a plan has all layers");

/* ---- Numbers of all processes */

/* All messages that have begun are handed to the messenger first, so that all processes call its
 * functions in the same order. */
glnn_status glnn__exchange_gather(glnn__exchange *exchange, const void *own, size_t bytes,
                                  void *all)
{
    const glnn_messenger *messenger = exchange->messenger;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(glnn__messages_hand_over(exchange));
    return glnn__exchange_check_call(exchange, messenger->gather(messenger->user, own, bytes, all));
}

/* Copies bytes from rank 0 to all processes, by a gather to which the others give none. */
glnn_status glnn__exchange_spread(glnn__exchange *exchange, void *values, size_t bytes)
{
    const glnn_messenger *messenger = exchange->messenger;
    size_t *begins = calloc((size_t)messenger->ranks + 1, sizeof *begins);
    if (!begins)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu bytes of rank 0", bytes);
    for (int r = 1; r <= messenger->ranks; ++r)
        begins[r] = bytes;
    glnn_status status = glnn__exchange_check_alive(exchange);
    if (!status)
        status = glnn__messages_hand_over(exchange);
    if (!status)
        status = glnn__exchange_check_call(
            exchange,
            messenger->begin_gather(messenger->user, GLNN__EXCHANGE_SPREAD, values, begins));
    free(begins);
    if (status)
        return status;
    return glnn__exchange_check_call(exchange,
                                     messenger->end(messenger->user, GLNN__EXCHANGE_SPREAD));
}

glnn_status glnn__exchange_sum(glnn__exchange *exchange, double *values, int count)
{
    const size_t ranks = (size_t)glnn__exchange_ranks(exchange), length = (size_t)count;
    if (!exchange)
        return GLNN_OK;
    double *all = malloc(ranks * length * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu numbers of %zu processes", length,
                          ranks);
    const glnn_status status =
        glnn__exchange_gather(exchange, values, length * sizeof *values, all);
    for (size_t i = 0; i < length && !status; ++i) {
        values[i] = all[i];
        for (size_t r = 1; r < ranks; ++r)
            values[i] += all[r * length + i];
    }
    free(all);
    return status;
}

/* No process has more than `rows` rows that are kept, so that none of them runs out of rows. */
static void merge(const float *all, size_t ranks, size_t rows, size_t columns, size_t *taken,
                  float *out)
{
    for (size_t row = 0; row < rows; ++row) {
        size_t best = 0;
        const float *greatest = all + taken[0] * columns;
        for (size_t r = 1; r < ranks; ++r) {
            const float *next = all + (r * rows + taken[r]) * columns;
            best = *next > *greatest ? r : best;
            greatest = *next > *greatest ? next : greatest;
        }
        memcpy(out + row * columns, greatest, columns * sizeof *out);
        taken[best]++;
    }
}

glnn_status glnn__exchange_keep_greatest(glnn__exchange *exchange, float *values, size_t rows,
                                         size_t columns)
{
    const size_t ranks = (size_t)exchange->messenger->ranks, length = rows * columns;
    float *all = malloc(ranks * length * sizeof *all);
    size_t *taken = calloc(ranks, sizeof *taken);
    const glnn_status status =
        all && taken
            ? glnn__exchange_gather(exchange, values, length * sizeof *values, all)
            : glnn__fail(GLNN_E_NOMEM, "no memory for %zu rows of %zu processes", rows, ranks);
    if (!status)
        merge(all, ranks, rows, columns, taken, values);
    free(all);
    free(taken);
    return status;
}

/* The end of something that rank 0 does for all. */
typedef struct answer {
    int status;
    char sentence[1020];
} answer;

glnn_status glnn__exchange_answer(glnn__exchange *exchange, glnn_status status)
{
    const int ranks = glnn__exchange_ranks(exchange);
    if (!exchange)
        return status;
    answer *all = calloc((size_t)ranks + 1, sizeof *all), *own = all + ranks;
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the answers of %d processes", ranks);
    own->status = (int)status;
    snprintf(own->sentence, sizeof own->sentence, "%s", status ? glnn_last_error() : "");
    glnn_status failed = glnn__exchange_gather(exchange, own, sizeof *own, all);
    all->sentence[sizeof all->sentence - 1] = 0;
    if (!failed && all->status && exchange->messenger->rank == 0)
        failed = glnn__fail(status, "%s", own->sentence);
    else if (!failed && all->status)
        failed = glnn__fail(GLNN_E_PROCESS, "rank 0: %s", all->sentence);
    exchange->is_known = all->status != 0;
    free(all);
    return failed;
}
