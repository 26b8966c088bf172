#include "data/collect.h"

#include "base/integers.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of samples that a thread collects at a time. They fit the cache of a core, so copying them
 * from there into the pixel buffer adds little to reading them. */
#define PIECE_BYTES (128 * 1024)

/* Shuffled rows in memory are prefetched some rows before the copy, which halves its time. */
enum { ROWS_AHEAD = 3, MOST_BYTES_AHEAD = 1024, CACHE_LINE = 64 };

int glnn__target_columns(int outputs, const int *labels)
{
    if (labels)
        return 2;
    return outputs > 0 ? outputs + 2 : 1;
}

size_t glnn__texel_floats(int columns)
{
    return ((size_t)columns + 3) / 4 * 4;
}

static size_t row_bytes(const glnn__source *source)
{
    return (size_t)source->features * sizeof(float);
}

int glnn__collect_rows(const glnn__source *source)
{
    return row_bytes(source) < PIECE_BYTES ? (int)(PIECE_BYTES / row_bytes(source)) : 1;
}

/* The inputs of the rows, and the numbers of their samples. */
size_t glnn__collect_room(const glnn__source *source)
{
    return (size_t)glnn__collect_rows(source) * (row_bytes(source) + sizeof(int));
}

/* Two floats at a time: an exponent of all ones, which infinities and NaN have, carries into the
 * bit above it. */
static bool is_finite(const unsigned char *floats, int count)
{
    uint64_t carries = 0, two;
    uint32_t one = 0;
    int i = 0;
    for (; i + 2 <= count; i += 2) {
        memcpy(&two, floats + 4 * (size_t)i, sizeof two);
        carries |= (two & UINT64_C(0x7f8000007f800000)) + UINT64_C(0x0080000000800000);
    }
    if (i < count)
        memcpy(&one, floats + 4 * (size_t)i, sizeof one);
    carries |= (one & 0x7f800000u) + 0x00800000u;
    return !(carries & UINT64_C(0x8000000080000000));
}

/* A row in whole texels; padding is zero. Returns false if a value is not finite. */
static bool copy_row(const unsigned char *from, int columns, float *to)
{
    memcpy(to, from, (size_t)columns * sizeof *to);
    for (size_t i = (size_t)columns; i < glnn__texel_floats(columns); ++i)
        to[i] = 0;
    return is_finite(from, columns);
}

/* Rows of a collection, and their inputs one after the other; NULL: they are in memory, each at its
 * own place. */
typedef struct piece {
    const glnn__source *source;
    const glnn__collection *what;
    int begin, end;
    const unsigned char *inputs;
} piece;

static int sample_at(const glnn__collection *what, int row)
{
    return what->order ? what->order[what->first + row] : what->first + row;
}

static const unsigned char *inputs_of(const piece *p, int row)
{
    return p->inputs ? p->inputs + (size_t)(row - p->begin) * row_bytes(p->source)
                     : p->source->inputs + (size_t)sample_at(p->what, row) * row_bytes(p->source);
}

static const unsigned char *targets_of(const piece *p, int row)
{
    const size_t sample = (size_t)sample_at(p->what, row);
    return (const unsigned char *)(p->source->targets + sample * (size_t)p->source->outputs);
}

static void prefetch_row(const piece *p, int row)
{
    const unsigned char *inputs = inputs_of(p, row);
    for (size_t i = 0; i < row_bytes(p->source) && i < MOST_BYTES_AHEAD; i += CACHE_LINE)
        __builtin_prefetch(inputs + i);
}

/* The squared distance of a target from the mean one. */
static float distance_from_mean(const float *target, int outputs, const double *means)
{
    double sum = 0;
    for (int j = 0; j < outputs; ++j)
        sum += ((double)target[j] - means[j]) * ((double)target[j] - means[j]);
    return (float)sum;
}

/* Collects the columns of glnn__target_columns. */
static bool collect_targets(const piece *p, int row)
{
    const glnn__source *source = p->source;
    const int sample = sample_at(p->what, row), outputs = source->outputs;
    const size_t floats = glnn__texel_floats(glnn__target_columns(outputs, source->labels));
    const float weight = source->weights ? source->weights[sample] : 1;
    float *to = p->what->targets + (size_t)row * floats;
    memset(to, 0, floats * sizeof *to);
    if (source->targets) {
        const bool is_sound = copy_row(targets_of(p, row), outputs, to);
        to[outputs] = weight;
        to[outputs + 1] = distance_from_mean(to, outputs, source->means);
        return is_sound;
    }
    if (source->labels) {
        to[0] = (float)source->labels[sample];
        to[1] = weight;
    }
    if (p->what->labels)
        p->what->labels[row] = source->labels[sample];
    return true;
}

/* Fails because of the first value that is not finite. */
static glnn_status fail_row(const piece *p, int row, bool in_target)
{
    const int columns = in_target ? p->source->outputs : p->source->features;
    const unsigned char *next = in_target ? targets_of(p, row) : inputs_of(p, row);
    float value = 0;
    int column = 0;
    for (; column < columns; ++column, next += sizeof value) {
        memcpy(&value, next, sizeof value);
        if (!isfinite(value))
            break;
    }
    return glnn__fail(GLNN_E_FORMAT, "%s: %s %d of sample %d is %g; it must be finite",
                      p->source->name, in_target ? "target" : "feature", column,
                      sample_at(p->what, row), (double)value);
}

static glnn_status collect_rows(const piece *p)
{
    const size_t stride = glnn__texel_floats(p->source->features);
    for (int row = p->begin; row < p->end; ++row) {
        if (!p->inputs && p->what->order && row + ROWS_AHEAD < p->end)
            prefetch_row(p, row + ROWS_AHEAD);
        const bool has_inputs = copy_row(inputs_of(p, row), p->source->features,
                                         p->what->inputs + (size_t)row * stride);
        if (!collect_targets(p, row) || !has_inputs)
            return fail_row(p, row, has_inputs);
    }
    return GLNN_OK;
}

/* Rows from `row` on whose samples follow each other in the file, which one call reads. */
static int neighbours(const piece *p, int row)
{
    int count = 1;
    while (row + count < p->end &&
           sample_at(p->what, row + count) == sample_at(p->what, row) + count)
        ++count;
    return count;
}

static glnn_status read_file(const piece *p, unsigned char *room, glnn__tally *tally)
{
    const glnn__sample_file *file = &p->source->file;
    const size_t bytes = row_bytes(p->source);
    for (int row = p->begin, count; row < p->end; row += count) {
        count = neighbours(p, row);
        ++tally->reads;
        GLNN__TRY(
            glnn__sample_file_read(file, p->source->name, (size_t)sample_at(p->what, row) * bytes,
                                   (size_t)count * bytes, room + (size_t)(row - p->begin) * bytes));
    }
    return GLNN_OK;
}

/* The function may have failed without a sentence. */
static glnn_status call_reader(const piece *p, unsigned char *room, glnn__tally *tally)
{
    const glnn__source *source = p->source;
    const int count = p->end - p->begin;
    int *samples = (int *)(void *)(room + (size_t)count * row_bytes(source));
    for (int i = 0; i < count; ++i)
        samples[i] = sample_at(p->what, p->begin + i);
    ++tally->reads;
    glnn_last_error_set(GLNN_OK, "");
    const glnn_status status = source->read(source->user, samples, count, (float *)(void *)room);
    const char *sentence = glnn__last_sentence();
    if (!status)
        return GLNN_OK;
    return glnn__fail(status, "%s: %s", source->name,
                      *sentence ? sentence : "the function that reads samples failed");
}

glnn_status glnn__collect_piece(const glnn__source *source, const glnn__collection *what, int begin,
                                int end, void *room, glnn__tally *tally)
{
    piece p = {source, what, begin, end, source->inputs ? NULL : room};
    tally->bytes += (uint64_t)(end - begin) * row_bytes(source);
    if (source->read)
        GLNN__TRY(call_reader(&p, room, tally));
    else if (!source->inputs)
        GLNN__TRY(read_file(&p, room, tally));
    else
        ++tally->reads;
    return collect_rows(&p);
}

glnn_status glnn__collect(const glnn__source *source, const glnn__collection *what)
{
    const size_t bytes = glnn__collect_room(source);
    const int rows = glnn__collect_rows(source);
    void *room = malloc(bytes);
    glnn__tally tally = {0};
    glnn_status status = GLNN_OK;
    if (!room)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to read %zu bytes", source->name, bytes);
    for (int begin = 0; begin < what->count && !status; begin += rows) {
        const int end = begin + glnn__least(rows, what->count - begin);
        status = glnn__collect_piece(source, what, begin, end, room, &tally);
    }
    free(room);
    return status;
}
