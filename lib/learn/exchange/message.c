/* The states of messages. The messenger receives the numbers in the order in which the messages
 * were begun, even if the device computes those of a later message first. */
#include "learn/exchange/message.h"

#include "base/clock.h"
#include "base/status.h"
#include "pass/list.h"
#include "tex/buffer.h"

#include <math.h>
#include <stdlib.h>

/* How long to wait for the GPU before the messenger is asked again. */
#define GLANCE_NANOSECONDS UINT64_C(50000)

/* The longest wait for the GPU: a limit in case the driver has lost the device. */
#define PATIENCE_SECONDS 60

glnn__message *glnn__messages_find(const glnn__exchange *exchange, int number)
{
    glnn__message *m = exchange->messages;
    while (m && m->number != number)
        m = m->next;
    return m;
}

static glnn_status find_or_add(glnn__exchange *exchange, int number, glnn__message **out)
{
    *out = glnn__messages_find(exchange, number);
    if (*out)
        return GLNN_OK;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a message between processes");
    (*out)->number = number;
    (*out)->next = exchange->messages;
    exchange->messages = *out;
    return GLNN_OK;
}

/* ---- When */

/* Notes the time at which this process first sees that the device has computed the numbers. */
static void note_computed(const glnn_context *ctx, glnn__message *m)
{
    if (m->computed && !glnn__fence_has_passed(ctx, m->computed, 0, 0))
        return;
    glDeleteSync(m->computed);
    m->computed = NULL;
    if (m->clock.computed == 0)
        m->clock.computed = glnn__clock_seconds();
}

static void note_arrived(glnn__message_clock *clock)
{
    clock->arrived = glnn__clock_seconds();
    const double seconds = clock->arrived - clock->computed;
    clock->least = clock->least > 0 ? fmin(clock->least, seconds) : seconds;
}

/* ---- From one state to the next */

/* Hands the oldest message to the messenger, if its texels arrive within this time. */
static glnn_status hand_over(glnn__exchange *exchange, GLuint64 nanoseconds, bool *is_handed)
{
    glnn__message *m = exchange->reading;
    note_computed(exchange->ctx, m);
    *is_handed = !m->fence || glnn__fence_has_passed(exchange->ctx, m->fence, 0, nanoseconds);
    if (!*is_handed)
        return GLNN_OK;
    if (m->matrix)
        GLNN__TRY(glnn__texels_take(exchange, m));
    note_computed(exchange->ctx, m);
    m->clock.handed_over = glnn__clock_seconds();
    exchange->reading = m->next_reading;
    m->state = GLNN__MESSAGE_TRAVELLING;
    const glnn_messenger *messenger = exchange->messenger;
    return glnn__exchange_check_call(
        exchange, m->all ? messenger->begin_gather(messenger->user, m->number, m->values, m->begins)
                         : messenger->begin_sum(messenger->user, m->number, m->values, m->count));
}

static glnn_status receive(const glnn__exchange *exchange, glnn__message *m)
{
    m->state = GLNN__MESSAGE_ARRIVED;
    note_arrived(&m->clock);
    return m->matrix ? glnn__texels_write(exchange, m) : GLNN_OK;
}

static glnn_status receive_done(glnn__exchange *exchange)
{
    const glnn_messenger *messenger = exchange->messenger;
    for (glnn__message *m = exchange->messages; m; m = m->next) {
        bool is_done = false;
        if (m->state != GLNN__MESSAGE_TRAVELLING)
            continue;
        GLNN__TRY(glnn__exchange_check_call(
            exchange, messenger->is_done(messenger->user, m->number, &is_done)));
        if (is_done)
            GLNN__TRY(receive(exchange, m));
    }
    return GLNN_OK;
}

/* Moves all messages on as far as this takes no wait. */
static glnn_status move_on(glnn__exchange *exchange)
{
    bool is_handed = true;
    while (exchange->reading && is_handed)
        GLNN__TRY(hand_over(exchange, 0, &is_handed));
    return receive_done(exchange);
}

/* Hands over what the GPU computes, and receives sums meanwhile, until `m` has arrived or no texels
 * are awaited. NULL: until none are awaited. */
static glnn_status wait_for_texels(glnn__exchange *exchange, const glnn__message *m)
{
    const double end = glnn__clock_seconds() + PATIENCE_SECONDS;
    exchange->ctx->counters.waits += exchange->reading != NULL;
    while (exchange->reading && !(m && m->state == GLNN__MESSAGE_ARRIVED)) {
        bool is_handed;
        GLNN__TRY(hand_over(exchange, GLANCE_NANOSECONDS, &is_handed));
        GLNN__TRY(receive_done(exchange));
        if (!is_handed && glnn__clock_seconds() > end)
            return glnn__fail(GLNN_E_GL, "the GPU has not computed %s within %d seconds",
                              exchange->reading->matrix->name, PATIENCE_SECONDS);
    }
    return GLNN_OK;
}

glnn_status glnn__messages_hand_over(glnn__exchange *exchange)
{
    return wait_for_texels(exchange, NULL);
}

/* ---- Begin and end */

static glnn_status begin(glnn__exchange *exchange, glnn__message *m)
{
    glnn__message **last = &exchange->reading;
    while (*last)
        last = &(*last)->next_reading;
    m->next_reading = NULL;
    m->clock.computed = 0;
    m->state = GLNN__MESSAGE_READING;
    *last = m;
    return move_on(exchange);
}

static glnn_status begin_matrix(glnn__exchange *exchange, glnn__message *m)
{
    m->values = m->room;
    m->computed = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLNN__TRY(glnn__texels_read(exchange, m));
    return begin(exchange, m);
}

/* The arguments of a message that begins. */
typedef struct beginning {
    int number;
    float weight;
    glnn_matrix *matrix;
    glnn_matrix *const *all; /* NULL: matrices are summed */
} beginning;

static glnn_status begin_recorded(void *self, const void *what)
{
    glnn__exchange *exchange = self;
    const beginning *of = what;
    glnn__message *m;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(find_or_add(exchange, of->number, &m));
    GLNN__TRY(glnn__texels_make_room(exchange, m, of->matrix, of->all));
    m->weight = of->weight;
    return begin_matrix(exchange, m);
}

static glnn_status begin_or_record(glnn__exchange *exchange, const beginning *what)
{
    return exchange ? glnn__list_call(exchange->ctx, begin_recorded, exchange, what, sizeof *what)
                    : GLNN_OK;
}

glnn_status glnn__exchange_begin_weighted(glnn__exchange *exchange, int number, float weight,
                                          glnn_matrix *matrix)
{
    return begin_or_record(exchange, &(beginning){number, weight, matrix, NULL});
}

glnn_status glnn__exchange_begin_gather(glnn__exchange *exchange, int number, glnn_matrix *own,
                                        glnn_matrix *const *all)
{
    return begin_or_record(exchange, &(beginning){number, 1, own, all});
}

glnn_status glnn__exchange_begin(glnn__exchange *exchange, int number, glnn_matrix *matrix)
{
    return glnn__exchange_begin_weighted(exchange, number, 1, matrix);
}

glnn_status glnn__exchange_begin_numbers(glnn__exchange *exchange, int number, float *values,
                                         size_t count)
{
    glnn__message *m;
    if (!exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(find_or_add(exchange, number, &m));
    m->matrix = NULL;
    m->values = values;
    m->count = count;
    return begin(exchange, m);
}

/* This thread also hands over the texels of later messages, so it does that before it waits for the
 * messenger. */
static glnn_status end(void *self, const void *of)
{
    glnn__exchange *exchange = self;
    const int number = *(const int *)of;
    glnn__message *m = glnn__messages_find(exchange, number);
    const glnn_messenger *messenger = exchange->messenger;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    if (!m || m->state == GLNN__MESSAGE_IDLE)
        return GLNN_OK;
    GLNN__TRY(wait_for_texels(exchange, m));
    GLNN__TRY(glnn__exchange_check_call(exchange, messenger->end(messenger->user, number)));
    if (m->state != GLNN__MESSAGE_ARRIVED)
        GLNN__TRY(receive(exchange, m));
    m->state = GLNN__MESSAGE_IDLE;
    return GLNN_OK;
}

glnn_status glnn__exchange_end(glnn__exchange *exchange, int number)
{
    return exchange ? glnn__list_call(exchange->ctx, end, exchange, &number, sizeof number)
                    : GLNN_OK;
}

const float *glnn__exchange_get_sums(const glnn__exchange *exchange, int number)
{
    return glnn__messages_find(exchange, number)->values;
}

double glnn__exchange_get_seconds(const glnn__exchange *exchange, int number)
{
    const glnn__message *m = glnn__messages_find(exchange, number);
    return m ? m->clock.least : 0;
}

double glnn__exchange_count_numbers(const glnn__exchange *exchange, int first, int count)
{
    double numbers = 0;
    for (const glnn__message *m = exchange->messages; m; m = m->next)
        if (m->number >= first && m->number < first + count)
            numbers += (double)m->count;
    return numbers;
}

void glnn__exchange_forget_seconds(glnn__exchange *exchange)
{
    for (glnn__message *m = exchange->messages; m; m = m->next)
        m->clock.least = 0;
}

static glnn_status end_all(glnn__exchange *exchange)
{
    for (glnn__message *m = exchange->messages; m; m = m->next)
        GLNN__TRY(glnn__exchange_end(exchange, m->number));
    return GLNN_OK;
}

void glnn__messages_destroy(glnn__exchange *exchange)
{
    glnn__message *next;
    if (!exchange->is_over)
        glnn__exchange_fail(exchange, end_all(exchange));
    for (glnn__message *m = exchange->messages; m; m = next) {
        next = m->next;
        glnn__texels_free_room(exchange, m);
        free(m);
    }
    exchange->messages = exchange->reading = NULL;
}
