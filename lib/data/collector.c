#include "data/collector.h"

#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Few enough to leave the program its processors: four already collect more than a bus to a GPU
 * carries. */
enum { MOST_THREADS = 4 };

/* Bytes of samples that a thread takes at a time: the size of the file is asked for after each. */
#define PIECE_BYTES (128 * 1024)

/* Shuffled rows are asked for some rows before they are copied, which halves the time. */
enum { ROWS_AHEAD = 3, MOST_BYTES_AHEAD = 1024, CACHE_LINE = 64 };

/* A value that is no finite number. */
typedef struct flaw {
    int row; /* of the collection; INT_MAX: nothing is wrong */
    int column;
    bool in_target;
    float value;
} flaw;

struct glnn__collector {
    const glnn__source *source;
    pthread_t threads[MOST_THREADS];
    int count;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_int next; /* the first row that no thread has taken */

    /* Under the lock, or read by threads that run. */
    glnn__collection what;
    unsigned started; /* collections so far                     */
    int running;      /* threads that are not done with the last */
    bool quits;
    bool is_unreadable; /* the file, to its former end */
    flaw first;
};

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

/* A row in whole texels; padding is zero. Returns false where a value is no finite number. */
static bool copy_row(const unsigned char *from, int columns, float *to)
{
    memcpy(to, from, (size_t)columns * sizeof *to);
    for (size_t i = (size_t)columns; i < glnn__texel_floats(columns); ++i)
        to[i] = 0;
    return is_finite(from, columns);
}

static int sample_at(const glnn__collection *what, int row)
{
    return what->order ? what->order[what->first + row] : what->first + row;
}

static const unsigned char *inputs_of(const glnn__source *source, int sample)
{
    return source->inputs + (size_t)sample * (size_t)source->features * sizeof(float);
}

static const unsigned char *targets_of(const glnn__source *source, int sample)
{
    return (const unsigned char *)(source->targets + (size_t)sample * (size_t)source->outputs);
}

static void ask_for_row(const glnn__source *source, const glnn__collection *what, int row)
{
    const unsigned char *inputs = inputs_of(source, sample_at(what, row));
    const size_t bytes = (size_t)source->features * sizeof(float);
    for (size_t i = 0; i < bytes && i < MOST_BYTES_AHEAD; i += CACHE_LINE)
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

/* What goes with the inputs: see glnn__target_columns. */
static bool collect_targets(const glnn__source *source, const glnn__collection *what, int row,
                            int sample)
{
    const int outputs = source->outputs;
    const size_t floats = glnn__texel_floats(glnn__target_columns(outputs, source->labels));
    const float weight = source->weights ? source->weights[sample] : 1;
    float *to = what->targets + (size_t)row * floats;
    memset(to, 0, floats * sizeof *to);
    if (source->targets) {
        const bool is_sound = copy_row(targets_of(source, sample), outputs, to);
        to[outputs] = weight;
        to[outputs + 1] = distance_from_mean(to, outputs, source->means);
        return is_sound;
    }
    if (source->labels) {
        to[0] = (float)source->labels[sample];
        to[1] = weight;
    }
    if (what->labels)
        what->labels[row] = source->labels[sample];
    return true;
}

static flaw flaw_of(const glnn__source *source, int sample, int row, bool in_target)
{
    const int columns = in_target ? source->outputs : source->features;
    const unsigned char *next = in_target ? targets_of(source, sample) : inputs_of(source, sample);
    flaw found = {.row = row, .in_target = in_target};
    for (; found.column < columns; ++found.column, next += sizeof found.value) {
        memcpy(&found.value, next, sizeof found.value);
        if (!isfinite(found.value))
            break;
    }
    return found;
}

/* Returns the first flaw of rows begin to end - 1. */
static flaw collect_rows(const glnn__source *source, const glnn__collection *what, int begin,
                         int end)
{
    flaw first = {.row = INT_MAX};
    const size_t stride = glnn__texel_floats(source->features);
    for (int row = begin; row < end; ++row) {
        if (what->order && row + ROWS_AHEAD < end)
            ask_for_row(source, what, row + ROWS_AHEAD);
        const int sample = sample_at(what, row);
        const bool has_inputs = copy_row(inputs_of(source, sample), source->features,
                                         what->inputs + (size_t)row * stride);
        const bool has_targets = collect_targets(source, what, row, sample);
        if (!(has_inputs && has_targets) && first.row == INT_MAX)
            first = flaw_of(source, sample, row, has_inputs);
    }
    return first;
}

/* Some rows, and what is found to be wrong with them. */
typedef struct piece {
    const glnn__source *source;
    const glnn__collection *what;
    int begin, end;
    flaw first;
} piece;

static void collect_piece(void *argument)
{
    piece *p = argument;
    p->first = collect_rows(p->source, p->what, p->begin, p->end);
}

/* Returns false where the file cannot be read to its former end. */
static bool read_piece(piece *p)
{
    if (p->source->file.bytes)
        return glnn__mapping_read(&p->source->file, collect_piece, p);
    collect_piece(p);
    return true;
}

static glnn_status explain_unreadable(const glnn__source *source)
{
    if (glnn__mapping_is_whole(&source->file))
        return glnn__fail(GLNN_E_IO, "%s: the file cannot be read", source->name);
    return glnn__fail(GLNN_E_IO, "%s: the file has become shorter than the %zu bytes it had",
                      source->name, source->file.size);
}

static glnn_status explain_flaw(const glnn__source *source, const glnn__collection *what,
                                const flaw *first)
{
    return glnn__fail(GLNN_E_FORMAT, "%s: %s %d of sample %d is %g, not finite", source->name,
                      first->in_target ? "target" : "feature", first->column,
                      sample_at(what, first->row), (double)first->value);
}

glnn_status glnn__collect(const glnn__source *source, const glnn__collection *what)
{
    piece all = {.source = source, .what = what, .end = what->count};
    if (!read_piece(&all))
        return explain_unreadable(source);
    return all.first.row == INT_MAX ? GLNN_OK : explain_flaw(source, what, &all.first);
}

static void collect_pieces(glnn__collector *collector)
{
    const glnn__source *source = collector->source;
    const glnn__collection *what = &collector->what;
    const size_t row_bytes = (size_t)source->features * sizeof(float);
    const int rows = row_bytes < PIECE_BYTES ? (int)(PIECE_BYTES / row_bytes) : 1;
    for (;;) {
        const int begin = atomic_fetch_add(&collector->next, rows);
        if (begin >= what->count)
            return;
        piece taken = {.source = source,
                       .what = what,
                       .begin = begin,
                       .end = what->count - begin < rows ? what->count : begin + rows,
                       .first.row = INT_MAX};
        const bool is_read = read_piece(&taken);
        pthread_mutex_lock(&collector->lock);
        collector->is_unreadable |= !is_read;
        if (taken.first.row < collector->first.row)
            collector->first = taken.first;
        pthread_mutex_unlock(&collector->lock);
    }
}

static void *run_thread(void *argument)
{
    glnn__collector *collector = argument;
    unsigned seen = 0;
    pthread_mutex_lock(&collector->lock);
    for (;;) {
        while (!collector->quits && collector->started == seen)
            pthread_cond_wait(&collector->wake, &collector->lock);
        if (collector->quits)
            break;
        seen = collector->started;
        pthread_mutex_unlock(&collector->lock);
        collect_pieces(collector);
        pthread_mutex_lock(&collector->lock);
        if (--collector->running == 0)
            pthread_cond_signal(&collector->done);
    }
    pthread_mutex_unlock(&collector->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static void start_threads(glnn__collector *collector)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = processors > MOST_THREADS ? MOST_THREADS : (int)processors - 1;
    sigset_t all, former;
    sigfillset(&all);
    sigdelset(&all, SIGBUS); /* a reading that fails raises it */
    pthread_sigmask(SIG_SETMASK, &all, &former);
    do {
        if (pthread_create(&collector->threads[collector->count], NULL, run_thread, collector) != 0)
            break;
    } while (++collector->count < wanted);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
}

glnn_status glnn__collector_create(const glnn__source *source, glnn__collector **out)
{
    glnn__collector *collector = calloc(1, sizeof *collector);
    if (!collector)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to collect samples", source->name);
    collector->source = source;
    pthread_mutex_init(&collector->lock, NULL);
    pthread_cond_init(&collector->wake, NULL);
    pthread_cond_init(&collector->done, NULL);
    start_threads(collector);
    if (collector->count == 0) {
        glnn__collector_destroy(collector);
        return glnn__fail(GLNN_E_NOMEM, "%s: no thread to collect samples", source->name);
    }
    *out = collector;
    return GLNN_OK;
}

void glnn__collector_destroy(glnn__collector *collector)
{
    if (!collector)
        return;
    glnn__collector_cancel(collector);
    pthread_mutex_lock(&collector->lock);
    collector->quits = true;
    pthread_cond_broadcast(&collector->wake);
    pthread_mutex_unlock(&collector->lock);
    for (int i = 0; i < collector->count; ++i)
        pthread_join(collector->threads[i], NULL);
    pthread_cond_destroy(&collector->done);
    pthread_cond_destroy(&collector->wake);
    pthread_mutex_destroy(&collector->lock);
    free(collector);
}

void glnn__collector_start(glnn__collector *collector, const glnn__collection *what)
{
    pthread_mutex_lock(&collector->lock);
    collector->what = *what;
    collector->first.row = INT_MAX;
    collector->is_unreadable = false;
    collector->running = collector->count;
    collector->started++;
    atomic_store(&collector->next, 0);
    pthread_cond_broadcast(&collector->wake);
    pthread_mutex_unlock(&collector->lock);
}

bool glnn__collector_is_sound(glnn__collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    const bool is_sound =
        collector->running == 0 && !collector->is_unreadable && collector->first.row == INT_MAX;
    pthread_mutex_unlock(&collector->lock);
    return is_sound;
}

static void wait_for_threads(glnn__collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    while (collector->running > 0)
        pthread_cond_wait(&collector->done, &collector->lock);
    pthread_mutex_unlock(&collector->lock);
}

glnn_status glnn__collector_finish(glnn__collector *collector)
{
    wait_for_threads(collector);
    if (collector->is_unreadable)
        return explain_unreadable(collector->source);
    return collector->first.row == INT_MAX
               ? GLNN_OK
               : explain_flaw(collector->source, &collector->what, &collector->first);
}

void glnn__collector_cancel(glnn__collector *collector)
{
    atomic_store(&collector->next, collector->what.count);
    wait_for_threads(collector);
}
