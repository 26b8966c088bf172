/* Matrices under way between textures and the messenger. The messenger receives the numbers in the
 * order in which the messages were begun, whatever passes first. */
#include "exchange/message.h"

#include "base/clock.h"
#include "base/status.h"
#include "tex/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Memory */

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

/* Room for the values of a message, which the messenger can provide. */
static glnn_status allocate_values(const glnn_messenger *messenger, size_t bytes, float **out)
{
    glnn_status status = GLNN_OK;
    void *memory = NULL;
    if (messenger->allocate)
        status = messenger->allocate(messenger->user, bytes, &memory);
    else
        memory = malloc(bytes);
    *out = memory;
    if (status)
        return glnn__fail(status, "%s", messenger->get_error(messenger->user));
    return memory ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory to exchange %zu bytes", bytes);
}

static void release_values(const glnn_messenger *messenger, float *values)
{
    if (messenger->release)
        messenger->release(messenger->user, values);
    else
        free(values);
}

static void free_room(const glnn_messenger *messenger, glnn__message *m)
{
    glDeleteSync(m->computed);
    glDeleteSync(m->fence);
    glDeleteBuffers(1, &m->buffer);
    glnn__upload_destroy(&m->upload);
    release_values(messenger, m->room);
    free(m->all);
    free(m->begins);
    free(m->parts);
    m->computed = m->fence = NULL;
    m->all = NULL;
    m->begins = NULL;
    m->parts = NULL;
    m->buffer = 0;
    m->room = NULL;
    m->room_count = 0;
}

/* The buffers for the own floats of texels and those of all, unless they exist. */
static glnn_status make_room(glnn__exchange *exchange, glnn__message *m, size_t own, size_t count)
{
    glnn_context *ctx = exchange->ctx;
    const size_t bytes = own * sizeof(float), all_bytes = count * sizeof(float);
    if (m->room_count == count)
        return GLNN_OK;
    free_room(exchange->messenger, m);
    GLNN__TRY(allocate_values(exchange->messenger, all_bytes, &m->room));
    glGenBuffers(1, &m->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    GLNN__TRY(glnn__gl_check(ctx, "allocating a pixel buffer of %zu bytes", bytes));
    GLNN__TRY(glnn__upload_create(ctx, all_bytes, &m->upload));
    m->room_count = count;
    return GLNN_OK;
}

/* ---- From the texture to the messenger and back */

static glnn__blocks all_texels(const glnn_matrix *matrix)
{
    const glnn_rect all = {0, 0, matrix->rows, matrix->columns};
    return glnn__matrix_cover(matrix, &all);
}

static glnn_status read_texels(glnn_context *ctx, glnn__message *m)
{
    const glnn__blocks texels = all_texels(m->matrix);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m->buffer);
    glnn__matrix_read_blocks(ctx, m->matrix, &texels, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    m->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    return glnn__gl_check(ctx, "reading %s for other processes", m->matrix->name);
}

/* The texels have arrived in the pixel buffer. */
static glnn_status take_texels(glnn_context *ctx, glnn__message *m, int rank)
{
    const size_t bytes = m->count * sizeof(float);
    void *mapped;
    glDeleteSync(m->fence);
    m->fence = NULL;
    GLNN__TRY(
        glnn__buffer_map(ctx, GL_PIXEL_PACK_BUFFER, m->buffer, bytes, GL_MAP_READ_BIT, &mapped));
    const float *texels = mapped;
    float *own = m->values + (m->all ? m->begins[rank] / sizeof *own : 0);
    for (size_t i = 0; i < m->count; ++i)
        own[i] = m->weight * texels[i];
    GLNN__TRY(glnn__buffer_unmap(GL_PIXEL_PACK_BUFFER, m->buffer, bytes));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return GLNN_OK;
}

static glnn_status write_texels(glnn__message *m)
{
    float *mapped;
    GLNN__TRY(glnn__upload_begin(&m->upload, &mapped));
    memcpy(mapped, m->values, m->count * sizeof *mapped);
    const glnn__upload_part all = {m->matrix, m->matrix->rows, 0};
    return glnn__upload_end(&m->upload, &all, 1);
}

/* One upload for each of the other processes, because it takes the texels of one matrix. */
static glnn_status write_gathered(const glnn__exchange *exchange, glnn__message *m)
{
    const int ranks = exchange->messenger->ranks;
    float *mapped;
    int count = 0;
    GLNN__TRY(glnn__upload_begin(&m->upload, &mapped));
    memcpy(mapped, m->values, m->begins[ranks]);
    for (int r = 0; r < ranks; ++r)
        if (r != exchange->messenger->rank)
            m->parts[count++] =
                (glnn__upload_part){m->all[r], m->all[r]->rows, m->begins[r] / sizeof(float)};
    return glnn__upload_end(&m->upload, m->parts, count);
}

/* ---- When */

/* Notes when the device has computed the numbers, as far as this process looks. */
static void note_computed(glnn__message *m)
{
    if (m->computed && !glnn__fence_has_passed(m->computed, 0, 0))
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
    note_computed(m);
    *is_handed = !m->fence || glnn__fence_has_passed(m->fence, 0, nanoseconds);
    if (!*is_handed)
        return GLNN_OK;
    if (m->matrix)
        GLNN__TRY(take_texels(exchange->ctx, m, exchange->messenger->rank));
    note_computed(m);
    m->clock.handed_over = glnn__clock_seconds();
    exchange->reading = m->next_reading;
    m->state = GLNN__MESSAGE_TRAVELLING;
    const glnn_messenger *messenger = exchange->messenger;
    return glnn__exchange_check_call(
        exchange, m->all ? messenger->begin_gather(messenger->user, m->number, m->values, m->begins)
                         : messenger->begin_sum(messenger->user, m->number, m->values, m->count,
                                                GLNN_STORAGE_FLOAT32));
}

static glnn_status receive(const glnn__exchange *exchange, glnn__message *m)
{
    m->state = GLNN__MESSAGE_ARRIVED;
    note_arrived(&m->clock);
    if (m->all)
        return write_gathered(exchange, m);
    return m->matrix ? write_texels(m) : GLNN_OK;
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

static glnn_status begin_matrix(glnn__exchange *exchange, glnn__message *m, float weight,
                                glnn_matrix *matrix, size_t count)
{
    m->matrix = matrix;
    m->weight = weight;
    m->values = m->room;
    m->count = count;
    m->computed = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLNN__TRY(read_texels(exchange->ctx, m));
    return begin(exchange, m);
}

static size_t floats_of(const glnn_matrix *matrix)
{
    const glnn__blocks texels = all_texels(matrix);
    return glnn__blocks_floats(matrix->layout, &texels);
}

glnn_status glnn__exchange_begin_weighted(glnn__exchange *exchange, int number, float weight,
                                          glnn_matrix *matrix)
{
    glnn__message *m;
    if (!exchange || exchange->ctx->announces)
        return GLNN_OK;
    const size_t count = floats_of(matrix);
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(find_or_add(exchange, number, &m));
    if (m->all)
        free_room(exchange->messenger, m);
    GLNN__TRY(make_room(exchange, m, count, count));
    return begin_matrix(exchange, m, weight, matrix, count);
}

/* Lists the matrices of all, unless the list exists: they stay the same. */
static glnn_status list_all(glnn__message *m, glnn_matrix *const *all, size_t ranks)
{
    if (!m->all) {
        m->all = malloc(ranks * sizeof *m->all);
        m->begins = calloc(ranks + 1, sizeof *m->begins);
        m->parts = malloc(ranks * sizeof *m->parts);
    }
    if (!m->all || !m->begins || !m->parts)
        return glnn__fail(GLNN_E_NOMEM, "no memory to gather from %zu processes", ranks);
    memcpy(m->all, all, ranks * sizeof *m->all);
    return GLNN_OK;
}

glnn_status glnn__exchange_begin_gather(glnn__exchange *exchange, int number, glnn_matrix *own,
                                        glnn_matrix *const *all)
{
    glnn__message *m;
    if (!exchange || exchange->ctx->announces)
        return GLNN_OK;
    const int rank = exchange->messenger->rank, ranks = exchange->messenger->ranks;
    size_t count = 0;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(find_or_add(exchange, number, &m));
    if (!m->all)
        free_room(exchange->messenger, m);
    for (int r = 0; r < ranks; ++r)
        count += floats_of(r == rank ? own : all[r]);
    GLNN__TRY(make_room(exchange, m, floats_of(own), count));
    GLNN__TRY(list_all(m, all, (size_t)ranks));
    for (int r = 0; r < ranks; ++r)
        m->begins[r + 1] = m->begins[r] + sizeof(float) * floats_of(r == rank ? own : all[r]);
    return begin_matrix(exchange, m, 1, own, floats_of(own));
}

glnn_status glnn__exchange_begin(glnn__exchange *exchange, int number, glnn_matrix *matrix)
{
    return glnn__exchange_begin_weighted(exchange, number, 1, matrix);
}

glnn_status glnn__exchange_begin_numbers(glnn__exchange *exchange, int number, float *values,
                                         size_t count)
{
    glnn__message *m;
    if (!exchange || exchange->ctx->announces)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_check_alive(exchange));
    GLNN__TRY(find_or_add(exchange, number, &m));
    m->matrix = NULL;
    m->values = values;
    m->count = count;
    return begin(exchange, m);
}

/* This thread hands over the texels of later messages, so that it must not wait for the messenger
 * before. */
glnn_status glnn__exchange_end(glnn__exchange *exchange, int number)
{
    if (!exchange || exchange->ctx->announces)
        return GLNN_OK;
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
        free_room(exchange->messenger, m);
        free(m);
    }
    exchange->messages = exchange->reading = NULL;
}
