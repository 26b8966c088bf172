#include "dist/watch.h"

#include "base/clock.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_TAG = 1 };

/* In time limits. Who waits for other hosts leaves the first word to their leaders, who know more
 * of them. */
static const double limit_of_hosts = 1.25, limit_of_standstill = 2;

/* Seconds between two looks at the others. */
static const double look_every = 1e-3;

/* Seconds of waiting before a thread sleeps instead of yielding, and its shortest and longest
 * sleep. Processes may meet often, and a thread that sleeps meanwhile slows them down tenfold. */
static const double yields_for = 500e-6, shortest_sleep = 20e-6, longest_sleep = 200e-6;

/* A message by which a leader tells the others of itself and its host. `worked_for` is an age,
 * because clocks of hosts differ. */
typedef struct note {
    uint64_t messages;
    double worked_for;
    int has_left;        /* all of the host have; this is the last note */
    char sentence[1024]; /* of a failure; "": none */
} note;

struct glnn__mpi_watch {
    const glnn__mpi_members *members;
    glnn__mpi_window *window;
    glnn__mpi_life *own;
    double limit;
    _Atomic double program_waits; /* since then; 0: it does not wait */
    double turned_at, woke_at;    /* the latest turn, and the end of the latest pause */
    double look_at, send_at;      /* when to do so next */
    note *sent;                   /* the latest note to each leader */
    MPI_Request *sends;           /* of these notes */
    bool was_told;                /* of the failure, by a leader, who tells all */
};

/* The reason why a thread waits, and since when. */
typedef struct wait {
    enum { MATES, HOSTS, END } what;
    double since, sleep; /* `sleep`: seconds, the next time */
} wait;

/* ---- Failures */

/* A process may have been killed while it wrote the sentence. */
void glnn__mpi_notice(glnn__mpi_watch *watch, const char *format, ...)
{
    glnn__mpi_failure *failure = watch->window->failure;
    va_list arguments;
    int none = 0;
    if (!atomic_compare_exchange_strong(&failure->state, &none, 1)) {
        glnn__clock_sleep(10e-3);
        if (glnn__mpi_watch_noticed(watch))
            return;
    }
    va_start(arguments, format);
    vsnprintf(failure->sentence, sizeof failure->sentence, format, arguments);
    va_end(arguments);
    atomic_store(&failure->state, 2);
}

bool glnn__mpi_check(glnn__mpi_watch *watch, int code, const char *function)
{
    const glnn__mpi_members *members = watch->members;
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &length);
    glnn__mpi_notice(watch, "%s of rank %d on %s failed: %s", function, members->rank,
                     members->hosts[members->rank], text);
    return false;
}

const char *glnn__mpi_watch_noticed(const glnn__mpi_watch *watch)
{
    const glnn__mpi_failure *failure = watch->window->failure;
    return atomic_load(&failure->state) == 2 ? failure->sentence : NULL;
}

/* ---- Notes between leaders */

static bool exchanges_notes(const glnn__mpi_watch *watch)
{
    return watch->members->leader >= 0 && watch->members->leaders > 1;
}

static bool have_mates_left(const glnn__mpi_watch *watch)
{
    bool have_left = true;
    for (int i = 0; i < watch->members->mates; ++i)
        have_left &= atomic_load(&watch->window->lives[watch->members->mate_ranks[i]].has_left);
    return have_left;
}

/* Sends a note to each leader who has received the one before, but none after the last one or that
 * of a failure. Returns whether all have received that. */
static bool send_notes(glnn__mpi_watch *watch, double now)
{
    const glnn__mpi_members *members = watch->members;
    const char *sentence = glnn__mpi_watch_noticed(watch);
    note next = {atomic_load(&watch->own->messages), INFINITY, have_mates_left(watch), ""};
    bool is_over = true;
    for (int i = 0; i < members->mates; ++i) {
        const glnn__mpi_life *mate = &watch->window->lives[members->mate_ranks[i]];
        next.worked_for = fmin(next.worked_for, now - atomic_load(&mate->worked));
    }
    if (sentence)
        memcpy(next.sentence, sentence, sizeof next.sentence);
    for (int i = 0; i < members->leaders; ++i) {
        int done = 1;
        if (i == members->leader)
            continue;
        if (watch->sends[i] != MPI_REQUEST_NULL)
            glnn__mpi_check(watch, MPI_Test(&watch->sends[i], &done, MPI_STATUS_IGNORE),
                            "MPI_Test");
        const bool is_last = watch->sent[i].has_left || watch->sent[i].sentence[0];
        is_over &= done && is_last;
        if (!done || is_last)
            continue;
        watch->sent[i] = next;
        glnn__mpi_check(watch,
                        MPI_Isend(&watch->sent[i], (int)sizeof next, MPI_BYTE, i, NOTE_TAG,
                                  members->between, &watch->sends[i]),
                        "MPI_Isend");
    }
    watch->send_at = now + watch->limit / 8;
    return is_over;
}

/* MPI moves messages only while it is called, so this has another use while buckets travel. */
static void read_notes(glnn__mpi_watch *watch, double now)
{
    MPI_Status status;
    note got = {0};
    for (int found = 1; found && !glnn__mpi_watch_noticed(watch);) {
        if (!glnn__mpi_check(
                watch,
                MPI_Iprobe(MPI_ANY_SOURCE, NOTE_TAG, watch->members->between, &found, &status),
                "MPI_Iprobe") ||
            !found)
            return;
        glnn__mpi_check(watch,
                        MPI_Recv(&got, (int)sizeof got, MPI_BYTE, status.MPI_SOURCE, NOTE_TAG,
                                 watch->members->between, MPI_STATUS_IGNORE),
                        "MPI_Recv");
        glnn__mpi_life *life =
            &watch->window->lives[watch->members->leader_ranks[status.MPI_SOURCE]];
        atomic_store(&life->messages, got.messages);
        atomic_store(&life->seen, now);
        atomic_store(&life->worked, now - got.worked_for);
        atomic_store(&life->has_left, got.has_left);
        got.sentence[sizeof got.sentence - 1] = 0;
        watch->was_told = got.sentence[0];
        if (watch->was_told)
            glnn__mpi_notice(watch, "%s", got.sentence);
    }
}

void glnn__mpi_watch_turn(glnn__mpi_watch *watch)
{
    const double now = glnn__clock_seconds();
    /* A process that was itself stopped must not blame the others for the time that has passed. */
    if (now - watch->turned_at > watch->limit / 4)
        watch->woke_at = now;
    watch->turned_at = now;
    if (exchanges_notes(watch))
        read_notes(watch, now);
    if (now < watch->look_at)
        return;
    watch->look_at = now + look_every;
    atomic_store(&watch->own->seen, now);
    if (exchanges_notes(watch) && (now >= watch->send_at || have_mates_left(watch)))
        send_notes(watch, now);
}

void glnn__mpi_watch_tell(glnn__mpi_watch *watch)
{
    const double end = glnn__clock_seconds() + 0.5;
    while (exchanges_notes(watch) && !watch->was_told && glnn__clock_seconds() < end &&
           !send_notes(watch, end))
        glnn__clock_sleep(shortest_sleep);
}

/* ---- Deadlines */

/* How many time limits this process waits for a rank; INFINITY: for ever, because it is not behind,
 * or nothing is known of it. Of other hosts the leaders are known. */
static double patience_with(const glnn__mpi_watch *watch, const wait *of, int rank, double now)
{
    const glnn__mpi_members *members = watch->members;
    const glnn__mpi_life *life = &watch->window->lives[rank], *own = watch->own;
    const bool is_mate = members->leader_of[rank] == members->leader_of[members->rank];
    const bool is_leader = members->leader_of[rank] == rank && members->leaders > 1;
    const bool runs = now - fmax(atomic_load(&life->seen), watch->woke_at) <= watch->limit / 2;
    const bool has_begun = atomic_load(&life->messages) >= atomic_load(&own->messages);
    const bool has_met = atomic_load(&life->arrivals) >= atomic_load(&own->arrivals);
    const bool has_left = atomic_load(&life->has_left);
    if (life == own || (!is_mate && !is_leader))
        return (double)INFINITY;
    if (of->what == END)
        return has_left || runs ? (double)INFINITY : 1;
    if (of->what == MATES ? !is_mate || has_met : is_mate || (has_begun && runs))
        return (double)INFINITY;
    if (has_left && !has_begun)
        return 0;
    if (runs &&
        (now - atomic_load(&life->worked) <= watch->limit || (is_mate && is_leader && has_begun)))
        return GLNN__MPI_PATIENCE;
    return is_mate ? 1 : limit_of_hosts;
}

/* Names the ranks that have been waited for too long. */
static void notice_late(glnn__mpi_watch *watch, const wait *of, double now)
{
    const glnn__mpi_members *members = watch->members;
    const unsigned long long message = atomic_load(&watch->own->messages) - 1;
    const double waited = now - of->since;
    char names[640] = "", what[64] = "left the group", dead[128] = "";
    double most = 0, least = (double)INFINITY, moved = of->since;
    int late = 0, run = 0;
    for (int r = 0; r < members->ranks; ++r) {
        const glnn__mpi_life *life = &watch->window->lives[r];
        const double times = patience_with(watch, of, r, now);
        const size_t length = strlen(names);
        moved = fmax(moved, atomic_load(&life->worked));
        least = fmin(least, times);
        if (waited <= times * watch->limit)
            continue;
        if (length + sizeof members->hosts[r] < sizeof names)
            snprintf(names + length, sizeof names - length, "%srank %d on %s", late ? ", " : "", r,
                     members->hosts[r]);
        most = fmax(most, times);
        if (now - atomic_load(&life->seen) <= watch->limit / 2)
            ++run;
        else
            snprintf(dead + strlen(dead), sizeof dead - strlen(dead), "%s%d",
                     *dead ? ", " : "; no sign of life from rank ", r);
        ++late;
    }
    if (of->what != END)
        snprintf(what, sizeof what, "arrived at message %llu", message);
    if (late && most == 0)
        glnn__mpi_notice(watch, "%s %s left, but rank %d waits for message %llu", names,
                         late == 1 ? "has" : "have", members->rank, message);
    else if (late)
        glnn__mpi_notice(watch,
                         "%s %s not %s, for which rank %d has waited for %.1f s: longer than "
                         "%sglnn_mpi_desc.seconds, %g s%s",
                         names, late == 1 ? "has" : "have", what, members->rank, waited,
                         most == GLNN__MPI_PATIENCE ? "10 times " : "", watch->limit,
                         run ? dead : "; no sign of life");
    else if (isinf(least) && of->what == HOSTS && now - moved > limit_of_standstill * watch->limit)
        glnn__mpi_notice(watch,
                         "all hosts have %s, but it has not come to rank %d on %s for %.1f s", what,
                         members->rank, members->hosts[members->rank], waited);
}

void glnn__mpi_watch_program(glnn__mpi_watch *watch, bool waits)
{
    atomic_store(&watch->program_waits, waits ? glnn__clock_seconds() : 0);
}

/* One turn of waiting. Returns false after a failure. */
static bool go_on(glnn__mpi_watch *watch, wait *of)
{
    const double now = glnn__clock_seconds(), program = atomic_load(&watch->program_waits);
    const bool looks = now >= watch->look_at && program > 0;
    glnn__mpi_watch_turn(watch);
    if (looks)
        notice_late(watch, &(wait){of->what, fmax(fmax(of->since, program), watch->woke_at), 0},
                    now);
    if (glnn__mpi_watch_noticed(watch))
        return false;
    if (now - of->since < yields_for) {
        sched_yield();
        return true;
    }
    glnn__clock_sleep(of->sleep);
    of->sleep = fmin(of->sleep * 2, longest_sleep);
    return true;
}

/* ---- Meetings */

void glnn__mpi_begin_message(glnn__mpi_watch *watch)
{
    atomic_fetch_add(&watch->own->messages, 1);
}

bool glnn__mpi_meet(glnn__mpi_watch *watch)
{
    const glnn__mpi_members *members = watch->members;
    const uint64_t own = atomic_fetch_add(&watch->own->arrivals, 1) + 1;
    wait of = {MATES, glnn__clock_seconds(), shortest_sleep};
    for (int i = 0; i < members->mates; ++i)
        while (atomic_load(&watch->window->lives[members->mate_ranks[i]].arrivals) < own)
            if (!go_on(watch, &of))
                return false;
    return true;
}

bool glnn__mpi_complete(glnn__mpi_watch *watch, int count, MPI_Request *requests,
                        MPI_Status *statuses)
{
    wait of = {HOSTS, glnn__clock_seconds(), shortest_sleep};
    int done = 0;
    while (glnn__mpi_check(watch, MPI_Testall(count, requests, &done, statuses), "MPI_Testall"))
        if (done || !go_on(watch, &of))
            return done;
    return false;
}

/* The last note is the last message between two leaders, so that none is under way at the end. */
void glnn__mpi_leave(glnn__mpi_watch *watch)
{
    const glnn__mpi_members *members = watch->members;
    wait of = {END, glnn__clock_seconds(), shortest_sleep};
    if (glnn__mpi_watch_noticed(watch))
        return;
    atomic_store(&watch->own->has_left, 1);
    for (int r = 0; r < members->ranks; ++r) {
        const bool is_known = members->leader_of[r] == r ||
                              members->leader_of[r] == members->leader_of[members->rank];
        while (is_known && !atomic_load(&watch->window->lives[r].has_left))
            if (!go_on(watch, &of))
                return;
    }
    while (exchanges_notes(watch) && !send_notes(watch, glnn__clock_seconds()))
        if (!go_on(watch, &of))
            return;
}

glnn__mpi_watch *glnn__mpi_watch_create(const glnn__mpi_members *members, glnn__mpi_window *window,
                                        double limit)
{
    glnn__mpi_watch *watch = calloc(1, sizeof *watch);
    MPI_Request *sends = calloc((size_t)members->leaders, sizeof *sends);
    note *sent = calloc((size_t)members->leaders, sizeof *sent);
    if (!watch || !sends || !sent) {
        free(watch);
        free(sends);
        free(sent);
        return NULL;
    }
    watch->members = members;
    watch->window = window;
    watch->own = &window->lives[members->rank];
    watch->limit = limit;
    watch->turned_at = glnn__clock_seconds();
    watch->sends = sends;
    watch->sent = sent;
    for (int i = 0; i < members->leaders; ++i)
        sends[i] = MPI_REQUEST_NULL;
    return watch;
}

void glnn__mpi_watch_destroy(glnn__mpi_watch *watch)
{
    free(watch->sends);
    free(watch->sent);
    free(watch);
}
