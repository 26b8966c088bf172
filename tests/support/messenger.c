#include "messenger.h"

#include "workers.h"

#include "base/clock.h"
#include "tex/layout.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

enum { MOST_RANKS = MOST_WORKERS, GATHER = -1 };

/* A message of all processes. */
typedef struct message {
    struct message *next;
    int number; /* or GATHER */
    bool is_sum;
    size_t count; /* of a sum, or of bytes */
    size_t begins[MOST_RANKS + 1];
    void *values[MOST_RANKS]; /* NULL: this process has not begun it */
    const void *own[MOST_RANKS];
    int begun, ended;
    bool is_complete;
    double ready; /* when it may arrive */
    bool has_ended[MOST_RANKS];
} message;

typedef struct team {
    team_desc desc;
    pthread_mutex_t lock; /* of the thread that runs */
    pthread_cond_t changed;
    pthread_barrier_t all_there;
    message *oldest;
    int failed;                /* rank that has called `fail`, plus 1 */
    bool has_left[MOST_RANKS]; /* a function has failed: the numbers of its messages are gone */
    char sentence[1024];
    int allocated; /* not released */
    team_counts counts;
} team;

typedef struct process {
    team *of;
    int rank, calls;
    bool is_busy;
    char error[1200];
    glnn_messenger messenger;
    void (*run)(const team_member *self);
    void *user;
} process;

static team_counts latest;

team_counts team_get_counts(void)
{
    return latest;
}

static glnn_status fail_with(process *p, const char *format, int rank, const char *detail)
{
    p->of->has_left[p->rank] = true;
    pthread_cond_broadcast(&p->of->changed);
    snprintf(p->error, sizeof p->error, format, rank, detail);
    return GLNN_E_PROCESS;
}

/* Whether the call may go on. */
static glnn_status check(process *p)
{
    const team *t = p->of;
    assert_false(p->is_busy);
    p->calls++;
    if (t->failed > 0)
        return fail_with(p, "rank %d failed: %s", t->failed - 1, t->sentence);
    if (p->rank == 0 && t->desc.fails_after > 0 && p->calls > t->desc.fails_after)
        return fail_with(p, "rank %d has lost its %s", 1, "cable");
    return GLNN_OK;
}

/* The oldest message of this number that the process has not begun, or one that it has begun and
 * not ended. */
static message *find(process *p, int number, bool is_begun)
{
    message *m = p->of->oldest;
    while (m && (m->number != number || m->has_ended[p->rank] ||
                 (m->values[p->rank] != NULL) != is_begun))
        m = m->next;
    return m;
}

static message *add(team *t, int number)
{
    message *made = calloc(1, sizeof *made), **last = &t->oldest;
    assert_non_null(made);
    made->number = number;
    while (*last)
        last = &(*last)->next;
    *last = made;
    return made;
}

static bool is_whole(const team *t)
{
    for (int r = 0; r < t->desc.ranks; ++r)
        if (t->has_left[r])
            return false;
    return true;
}

/* The sum in the order of the ranks, which all receive. */
static void sum(const team *t, const message *m)
{
    for (size_t i = 0; i < m->count; ++i) {
        float total = ((const float *)m->values[0])[i];
        for (int r = 1; r < t->desc.ranks; ++r)
            total += ((const float *)m->values[r])[i];
        for (int r = 0; r < t->desc.ranks; ++r)
            ((float *)m->values[r])[i] = total;
    }
}

static void gather_bytes(const team *t, const message *m)
{
    for (int to = 0; to < t->desc.ranks; ++to)
        for (int from = 0; from < t->desc.ranks; ++from) {
            const size_t first = m->begins[from], bytes = m->begins[from + 1] - first;
            const char *source = m->own[from] ? m->own[from] : (char *)m->values[from] + first;
            if (source != (char *)m->values[to] + first)
                memcpy((char *)m->values[to] + first, source, bytes);
        }
}

/* Begins a message, which all processes have to begin with the same counts. */
static glnn_status begin(process *p, int number, const message *what, const void *own, void *values)
{
    team *t = p->of;
    message *m = find(p, number, false);
    if (m && (m->is_sum != what->is_sum || m->count != what->count ||
              memcmp(m->begins, what->begins, sizeof m->begins) != 0))
        return fail_with(p, "rank %d begins another message %s", p->rank, "than the others");
    m = m ? m : add(t, number);
    m->is_sum = what->is_sum;
    m->count = what->count;
    memcpy(m->begins, what->begins, sizeof m->begins);
    m->values[p->rank] = values;
    m->own[p->rank] = own;
    if (++m->begun == t->desc.ranks && is_whole(t)) {
        m->is_complete = true;
        m->ready = glnn__clock_seconds() + (m->is_sum ? t->desc.delay : 0);
        if (m->is_sum)
            sum(t, m);
        else
            gather_bytes(t, m);
        pthread_cond_broadcast(&t->changed);
    }
    return GLNN_OK;
}

static void drop(team *t, message *of)
{
    message **link = &t->oldest;
    while (*link != of)
        link = &(*link)->next;
    *link = of->next;
    free(of);
}

static glnn_status wait_for(process *p, const message *m)
{
    team *t = p->of;
    const double patience = t->desc.patience > 0 ? t->desc.patience : 60;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    const double seconds = (double)end.tv_nsec * 1e-9 + patience;
    end.tv_sec += (time_t)seconds;
    end.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    int error = 0;
    while (!m->is_complete && !t->failed && !error && is_whole(t))
        error = pthread_cond_timedwait(&t->changed, &t->lock, &end);
    if (m->is_complete)
        return GLNN_OK;
    if (t->failed)
        return fail_with(p, "rank %d failed: %s", t->failed - 1, t->sentence);
    int silent = 0;
    while (m->values[silent] && !t->has_left[silent])
        ++silent;
    return fail_with(p, "rank %d does not answer%s", silent, "");
}

static void yield(process *p)
{
    pthread_mutex_unlock(&p->of->lock);
    sched_yield();
    pthread_mutex_lock(&p->of->lock);
}

static glnn_status end_message(process *p, int number)
{
    message *m = find(p, number, true);
    if (!m)
        return fail_with(p, "rank %d ends a message that is not under way%s", p->rank, "");
    const glnn_status status = wait_for(p, m);
    while (!status && glnn__clock_seconds() < m->ready)
        yield(p);
    m->has_ended[p->rank] = true;
    if (!status && ++m->ended == p->of->desc.ranks)
        drop(p->of, m);
    return status;
}

/* ---- The functions of the messenger */

static glnn_status gather(void *user, const void *own, size_t bytes, void *all)
{
    process *p = user;
    message what = {.count = bytes};
    for (int r = 0; r <= p->of->desc.ranks; ++r)
        what.begins[r] = bytes * (size_t)r;
    glnn_status status = check(p);
    if (!status)
        status = begin(p, GATHER, &what, own, all);
    if (!status)
        status = end_message(p, GATHER);
    p->of->counts.gathers += p->rank == 0;
    return status;
}

static glnn_status begin_any(process *p, int number, const message *what, void *values)
{
    glnn_status status = check(p);
    if (!status && find(p, number, true))
        status = fail_with(p, "rank %d begins a message that is under way%s", p->rank, "");
    if (!status)
        status = begin(p, number, what, NULL, values);
    p->of->counts.messages += p->rank == 0;
    p->of->counts.numbers += p->rank == 0 ? what->count : 0;
    return status;
}

static glnn_status begin_sum(void *user, int number, float *values, size_t count)
{
    return begin_any(user, number, &(message){.is_sum = true, .count = count}, values);
}

static glnn_status begin_gather(void *user, int number, void *values, const size_t *begins)
{
    process *p = user;
    message what = {.count = begins[p->of->desc.ranks] / sizeof(float)};
    memcpy(what.begins, begins, ((size_t)p->of->desc.ranks + 1) * sizeof *begins);
    return begin_any(p, number, &what, values);
}

/* Lets the others run, because the caller may ask repeatedly. */
static glnn_status is_done(void *user, int number, bool *done)
{
    process *p = user;
    yield(p);
    glnn_status status = check(p);
    const message *m = find(p, number, true);
    if (!status && !m)
        status = fail_with(p, "rank %d asks for a message that is not under way%s", p->rank, "");
    *done = !status && m->is_complete && glnn__clock_seconds() >= m->ready && !p->of->desc.is_late;
    return status;
}

static glnn_status end(void *user, int number)
{
    process *p = user;
    glnn_status status = check(p);
    if (!status)
        status = end_message(p, number);
    return status;
}

static void fail_all(void *user, const char *sentence)
{
    process *p = user;
    team *t = p->of;
    t->has_left[p->rank] = true;
    if (!t->failed) {
        t->failed = p->rank + 1;
        snprintf(t->sentence, sizeof t->sentence, "%s", sentence);
    }
    pthread_cond_broadcast(&t->changed);
}

/* Calls come in turn with true and false. */
static void set_busy(void *user, bool is_busy)
{
    process *p = user;
    assert_true(p->is_busy != is_busy);
    p->is_busy = is_busy;
    p->of->counts.works += is_busy && p->rank == 0;
}

static const char *get_error(void *user)
{
    return ((process *)user)->error;
}

static glnn_status allocate(void *user, size_t bytes, void **out)
{
    process *p = user;
    *out = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(*out);
    p->of->allocated++;
    return GLNN_OK;
}

static void release(void *user, void *memory)
{
    process *p = user;
    p->of->allocated -= memory != NULL;
    free(memory);
}

/* ---- The threads */

static void wait_for_all(process *p)
{
    pthread_mutex_unlock(&p->of->lock);
    pthread_barrier_wait(&p->of->all_there);
    pthread_mutex_lock(&p->of->lock);
}

/* A context with a cache is new, because its team measures the device. */
static glnn_context *new_context(const char *cache)
{
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.debug = true, .tuning = GLNN_TUNING_QUICK, .cache_dir = cache},
        &ctx));
    return ctx;
}

/* One thread runs at a time, until it waits for another one: GLEW and EGL have state of the whole
 * program, and software rasterisers share memory between contexts. */
static void run_process(void *user)
{
    process *p = user;
    const char *cache = p->of->desc.cache;
    pthread_mutex_lock(&p->of->lock);
    const team_member self = {.rank = p->rank,
                              .ranks = p->of->desc.ranks,
                              .ctx = cache ? new_context(cache) : worker_context(p->rank),
                              .messenger = &p->messenger,
                              .user = p->user};
    wait_for_all(p);
    p->run(&self);
    wait_for_all(p);
    if (cache)
        glnn_context_destroy(self.ctx);
    pthread_mutex_unlock(&p->of->lock);
}

static void start(process *p)
{
    p->messenger = (glnn_messenger){.size = sizeof p->messenger,
                                    .rank = p->rank,
                                    .ranks = p->of->desc.ranks,
                                    .user = p,
                                    .gather = gather,
                                    .begin_sum = begin_sum,
                                    .begin_gather = begin_gather,
                                    .is_done = is_done,
                                    .end = end,
                                    .fail = fail_all,
                                    .get_error = get_error,
                                    .allocate = allocate,
                                    .release = release,
                                    .set_busy = set_busy};
    worker_begin(p->rank, run_process, p);
}

void team_run(const team_desc *desc, void (*run)(const team_member *self), void *user)
{
    team all = {.desc = *desc};
    process processes[MOST_RANKS];
    assert_in_range(desc->ranks, 1, MOST_RANKS);
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.changed, NULL);
    pthread_barrier_init(&all.all_there, NULL, (unsigned)desc->ranks);
    for (int r = 0; r < desc->ranks; ++r) {
        processes[r] = (process){.of = &all, .rank = r, .run = run, .user = user};
        start(&processes[r]);
    }
    for (int r = 0; r < desc->ranks; ++r)
        worker_end(r);
    while (all.oldest)
        drop(&all, all.oldest);
    assert_int_equal(all.allocated, 0);
    latest = all.counts;
    pthread_barrier_destroy(&all.all_there);
    pthread_cond_destroy(&all.changed);
    pthread_mutex_destroy(&all.lock);
}
