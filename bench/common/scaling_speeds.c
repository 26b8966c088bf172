#include "common/scaling_speeds.h"

#include "base/clock.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learn/exchange/message.h"

#include <math.h>
#include <stdlib.h>

/* Each time is the least one of several rounds. */
enum { ROUNDS = 6, COLUMNS = 1024, LEAST_ROWS = 16 };

/* The number of the messages. */
enum { MESSAGE };

/* ---- Exchanges of a matrix, with nothing else to do */

/* The least seconds of the parts of an exchange. */
typedef struct parts {
    double readback, message, upload;
} parts;

static glnn_status wait_for_all(glnn__exchange *exchange)
{
    double zero = 0;
    glnn__gl_wait(exchange->ctx);
    return glnn__exchange_sum(exchange, &zero, 1);
}

static glnn_status time_once(glnn__exchange *exchange, glnn_matrix *matrix, parts *least)
{
    GLNN__TRY(wait_for_all(exchange));
    const double begun = glnn__clock_seconds();
    GLNN__TRY(glnn__exchange_begin(exchange, MESSAGE, matrix));
    GLNN__TRY(glnn__exchange_end(exchange, MESSAGE));
    glnn__gl_wait(exchange->ctx);
    const glnn__message_clock *clock = &glnn__messages_find(exchange, MESSAGE)->clock;
    least->readback = fmin(least->readback, clock->handed_over - begun);
    least->message = fmin(least->message, clock->arrived - clock->handed_over);
    least->upload = fmin(least->upload, glnn__clock_seconds() - clock->arrived);
    return GLNN_OK;
}

static glnn_status time_matrix(glnn__exchange *exchange, int rows, int columns, parts *out)
{
    glnn_matrix *matrix;
    parts ignored = {INFINITY, INFINITY, INFINITY};
    *out = ignored;
    GLNN__TRY(glnn__matrix_create_scratch(exchange->ctx, GLNN_LAYOUT_PACKED, rows, columns,
                                          "the matrix that measures an exchange", &matrix));
    glnn_status status = time_once(exchange, matrix, &ignored);
    for (int round = 0; round < ROUNDS && !status; ++round)
        status = time_once(exchange, matrix, out);
    glnn_matrix_destroy(matrix);
    return status;
}

/* ---- Main memory */

/* Bytes a second of numbers that are added to others. */
static glnn_status time_addition(size_t count, double *speed)
{
    float *values = malloc(2 * count * sizeof *values);
    double least = INFINITY;
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu numbers to add", 2 * count);
    for (size_t i = 0; i < 2 * count; ++i)
        values[i] = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        volatile float *kept = values;
        const double begun = glnn__clock_seconds();
        for (size_t i = 0; i < count; ++i)
            values[i] += values[count + i];
        least = fmin(least, glnn__clock_seconds() - begun);
        kept[0] = kept[count - 1];
    }
    free(values);
    *speed = (double)(count * sizeof *values) / fmax(least, 1e-9);
    return GLNN_OK;
}

/* ---- All processes */

/* The slowest speeds of all, so that all make the same choices. */
static glnn_status agree(glnn__exchange *exchange, cost_speeds *speeds)
{
    const int ranks = glnn__exchange_ranks(exchange);
    cost_speeds *all = malloc((size_t)ranks * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the speeds of %d processes", ranks);
    const glnn_status status = glnn__exchange_gather(exchange, speeds, sizeof *speeds, all);
    for (int r = 0; r < ranks && !status; ++r) {
        speeds->readback = fmin(speeds->readback, all[r].readback);
        speeds->upload = fmin(speeds->upload, all[r].upload);
        speeds->transfer = fmax(speeds->transfer, all[r].transfer);
        speeds->add = fmin(speeds->add, all[r].add);
        speeds->link = fmin(speeds->link, all[r].link);
        speeds->latency = fmax(speeds->latency, all[r].latency);
    }
    free(all);
    return status;
}

/* A delay of 1 is an upper bound, and is right for a software rasteriser. To measure it, the
 * difference of two steps would be divided by the time of their transfers, which gives noise on a
 * busy machine if both are short. */
static cost_speeds speeds_of(const parts *small, const parts *large, double bytes, int ranks)
{
    return (cost_speeds){
        .readback = bytes / large->readback,
        .upload = bytes / large->upload,
        .transfer = fmax(small->readback, small->upload),
        .delay = 1,
        .latency = small->message / ceil(log2(ranks)),
    };
}

glnn_status speeds_measure(glnn__exchange *exchange, int numbers, cost_speeds *out)
{
    const int ranks = glnn__exchange_ranks(exchange);
    const int rows = numbers < LEAST_ROWS * COLUMNS ? LEAST_ROWS : numbers / COLUMNS;
    const double bytes = (double)sizeof(float) * rows * COLUMNS;
    parts small, large;
    GLNN__TRY(time_matrix(exchange, 1, 1, &small));
    GLNN__TRY(time_matrix(exchange, rows, COLUMNS, &large));
    *out = speeds_of(&small, &large, bytes, ranks);
    GLNN__TRY(time_addition((size_t)rows * COLUMNS, &out->add));
    out->link = cost_find_link(out, COST_ALLREDUCE, ranks, bytes, large.message);
    return agree(exchange, out);
}
