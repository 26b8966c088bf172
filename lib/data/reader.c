#include "data/reader.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/integers.h"
#include "base/status.h"
#include "base/thread.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* With two threads, one slow read does not stop the others. With more than eight, little is
 * gained: they take processors from the program, and a bus to a GPU carries less. */
enum { LEAST_THREADS = 2, MOST_THREADS = 8 };

/* A buffer that is being filled. */
typedef struct filling {
    glnn__collection what;
    int next; /* the first row that no thread has taken */
    int left; /* rows that are not done                 */
    int flaw; /* the first row of the first piece that failed; INT_MAX: none */
    glnn_status status;
    char sentence[1024];
} filling;

typedef struct worker {
    glnn__reader *reader;
    glnn__thread thread;
    unsigned char *room; /* for a piece */
} worker;

struct glnn__reader {
    const glnn__source *source;
    int buffers, wanted; /* wanted: threads */
    worker *workers;
    int threads;         /* that run */
    unsigned char *room; /* for a piece that the caller reads, because no thread runs */
    glnn__mutex lock;
    glnn__condition wake, done;

    /* Under the lock, or read by the thread that writes them. Buffer i % buffers is filled as the
     * i-th one; the i-th ones from `taken` on to `filled` - 1 are with the threads. */
    filling *fillings;
    unsigned long filled, taken;
    int busy; /* threads with a piece */
    bool ends;
    glnn_stream_figures figures;
};

static filling *filling_of(const glnn__reader *reader, unsigned long i)
{
    return &reader->fillings[i % (unsigned long)reader->buffers];
}

/* ---- Pieces and the threads that read them */

typedef struct piece {
    filling *of;
    int begin, end;
} piece;

/* The first rows that no thread has taken, of the first buffer that has any. */
static bool find_piece(const glnn__reader *reader, piece *out)
{
    unsigned long i = reader->taken;
    while (i < reader->filled && filling_of(reader, i)->next == filling_of(reader, i)->what.count)
        ++i;
    if (i == reader->filled)
        return false;
    filling *of = filling_of(reader, i);
    const int rows = glnn__least(glnn__collect_rows(reader->source), of->what.count - of->next);
    *out = (piece){of, of->next, of->next + rows};
    of->next += rows;
    return true;
}

static void note_flaw(const piece *of, glnn_status status)
{
    if (!status || of->begin > of->of->flaw)
        return;
    of->of->flaw = of->begin;
    of->of->status = status;
    snprintf(of->of->sentence, sizeof of->of->sentence, "%s", glnn_last_error());
}

/* Called under the lock, which it gives up while it reads. */
static void read_piece(glnn__reader *reader, const piece *of, unsigned char *room)
{
    glnn__tally tally = {0};
    ++reader->busy;
    glnn__mutex_unlock(&reader->lock);
    const glnn_status status =
        glnn__collect_piece(reader->source, &of->of->what, of->begin, of->end, room, &tally);
    glnn__mutex_lock(&reader->lock);
    --reader->busy;
    note_flaw(of, status);
    of->of->left -= of->end - of->begin;
    reader->figures.reads += tally.reads;
    reader->figures.bytes += tally.bytes;
    if (of->of->left == 0 || reader->busy == 0)
        glnn__condition_signal(&reader->done);
}

static void *run_thread(void *argument)
{
    const worker *own = argument;
    glnn__reader *reader = own->reader;
    piece next;
    glnn__cores_unbind();
    glnn__mutex_lock(&reader->lock);
    while (!reader->ends)
        if (find_piece(reader, &next))
            read_piece(reader, &next, own->room);
        else
            glnn__condition_wait(&reader->wake, &reader->lock);
    glnn__mutex_unlock(&reader->lock);
    return NULL;
}

/* Returns false without memory or without a thread. */
static bool start_thread(glnn__reader *reader)
{
    worker *own = &reader->workers[reader->threads];
    *own = (worker){reader, .room = malloc(glnn__collect_room(reader->source))};
    if (own->room && glnn__thread_start(&own->thread, run_thread, own)) {
        ++reader->threads;
        return true;
    }
    free(own->room);
    return false;
}

void glnn__reader_start(glnn__reader *reader)
{
    if (reader->threads > 0)
        return;
    while (reader->threads < reader->wanted && start_thread(reader)) {
    }
    reader->wanted = reader->threads;
}

void glnn__reader_stop(glnn__reader *reader)
{
    glnn__reader_drop(reader);
    glnn__mutex_lock(&reader->lock);
    reader->ends = true;
    glnn__condition_broadcast(&reader->wake);
    glnn__mutex_unlock(&reader->lock);
    for (int i = 0; i < reader->threads; ++i) {
        glnn__thread_join(reader->workers[i].thread);
        free(reader->workers[i].room);
    }
    reader->threads = 0;
    reader->ends = false;
}

/* ---- Its life */

static int usual_threads(void)
{
    const int others = glnn__cores_count() - 1;
    return others < LEAST_THREADS ? LEAST_THREADS : glnn__least(others, MOST_THREADS);
}

glnn_status glnn__reader_create(const glnn__source *source, int buffers, int threads,
                                glnn__reader **out)
{
    glnn__reader *reader = calloc(1, sizeof *reader);
    if (reader) {
        reader->source = source;
        reader->buffers = buffers;
        reader->wanted = threads > 0 ? threads : usual_threads();
        reader->workers = calloc((size_t)reader->wanted, sizeof *reader->workers);
        reader->fillings = calloc((size_t)buffers, sizeof *reader->fillings);
        reader->room = malloc(glnn__collect_room(source));
        glnn__mutex_create(&reader->lock);
        glnn__condition_create(&reader->wake);
        glnn__condition_create(&reader->done);
        *out = reader;
    }
    if (reader && reader->workers && reader->fillings && reader->room)
        return GLNN_OK;
    glnn__reader_destroy(reader);
    *out = NULL;
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for threads that read samples", source->name);
}

void glnn__reader_destroy(glnn__reader *reader)
{
    if (!reader)
        return;
    glnn__reader_stop(reader);
    glnn__condition_destroy(&reader->done);
    glnn__condition_destroy(&reader->wake);
    glnn__mutex_destroy(&reader->lock);
    free(reader->workers);
    free(reader->fillings);
    free(reader->room);
    free(reader);
}

/* ---- The buffers */

int glnn__reader_next_free(const glnn__reader *reader)
{
    const unsigned long buffers = (unsigned long)reader->buffers;
    return reader->filled - reader->taken < buffers ? (int)(reader->filled % buffers) : -1;
}

int glnn__reader_next_taken(const glnn__reader *reader)
{
    return reader->taken < reader->filled ? (int)(reader->taken % (unsigned long)reader->buffers)
                                          : -1;
}

void glnn__reader_fill(glnn__reader *reader, const glnn__collection *what)
{
    glnn__mutex_lock(&reader->lock);
    filling *next = filling_of(reader, reader->filled);
    next->what = *what;
    next->next = 0;
    next->left = what->count;
    next->flaw = INT_MAX;
    next->status = GLNN_OK;
    ++reader->filled;
    glnn__condition_broadcast(&reader->wake);
    glnn__mutex_unlock(&reader->lock);
}

bool glnn__reader_is_ready(glnn__reader *reader)
{
    glnn__mutex_lock(&reader->lock);
    const filling *next = filling_of(reader, reader->taken);
    const bool is_ready = reader->taken < reader->filled && next->left == 0 && !next->status;
    glnn__mutex_unlock(&reader->lock);
    return is_ready;
}

/* Called under the lock, which it gives up meanwhile. */
static void wait_for(glnn__reader *reader, const filling *next)
{
    piece of;
    const double started = glnn__clock_seconds();
    ++reader->figures.windows;
    if (next->left == 0)
        ++reader->figures.hits;
    while (next->left > 0)
        if (reader->threads == 0 && find_piece(reader, &of))
            read_piece(reader, &of, reader->room);
        else
            glnn__condition_wait(&reader->done, &reader->lock);
    reader->figures.wait_seconds += glnn__clock_seconds() - started;
}

glnn_status glnn__reader_take(glnn__reader *reader)
{
    glnn__mutex_lock(&reader->lock);
    const filling *next = filling_of(reader, reader->taken);
    wait_for(reader, next);
    if (!next->status)
        ++reader->taken;
    glnn__mutex_unlock(&reader->lock);
    return next->status ? glnn__fail(next->status, "%s", next->sentence) : GLNN_OK;
}

void glnn__reader_drop(glnn__reader *reader)
{
    glnn__mutex_lock(&reader->lock);
    reader->taken = reader->filled;
    while (reader->busy > 0)
        glnn__condition_wait(&reader->done, &reader->lock);
    glnn__mutex_unlock(&reader->lock);
}

void glnn__reader_get_figures(glnn__reader *reader, glnn_stream_figures *out)
{
    glnn__mutex_lock(&reader->lock);
    *out = reader->figures;
    glnn__mutex_unlock(&reader->lock);
    out->buffers = reader->buffers;
    out->threads = reader->wanted;
}
