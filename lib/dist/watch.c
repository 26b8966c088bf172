#include "dist/watch.h"

#include "base/clock.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No message has the second one. */
enum { NOTE_TAG = 1, PROGRESS_TAG };

/* Long work may take so many times the time limit; "10 times" in a sentence below. */
static const double patience = 10;

/* In time limits: a process that waits for other hosts leaves the first word to their leaders, who
 * know more of them. */
static const double limit_of_hosts = 1.25, limit_of_standstill = 2;

/* Seconds between two looks at the others. */
static const double look_every = 1e-3;

/* Seconds of waiting before a thread sleeps instead of yielding, and its shortest and longest
 * sleep. Processes may meet often, and a thread that sleeps meanwhile would slow them down tenfold.
 */
static const double yields_for = 500e-6, shortest_sleep = 20e-6, longest_sleep = 200e-6;

/* What a leader tells the others: how far it is and who of its host works. Times are ages, because
 * clocks of hosts differ. */
typedef struct note {
    uint64_t messages;
    double worked_for;
    int has_left; /* all of the host have; this is the last note */
    char sentence[sizeof((glnn__mpi_failure *)0)->sentence]; /* "": no failure */
} note;

/* Another leader. */
typedef struct peer {
    note to, from;
    MPI_Request sends, receives;
    bool was_sent_last;
} peer;

struct glnn__mpi_watch {
    const glnn__mpi_members *members;
    glnn__mpi_window *window;
    glnn__mpi_life *own;
    double limit;
    _Atomic double program_waits; /* since then; 0: it does not wait */
    double turned_at, woke_at;    /* the latest turn, and the end of the latest pause */
    double look_at, send_at;      /* when to do so next */
    peer *peers;                  /* of all leaders; that of the own place is not used */
    bool was_told;                /* of the failure, by a leader, who tells all */
};

/* What a thread waits for, and since when. */
typedef struct wait {
    enum { MATES, HOSTS, END } what;
    double since, sleep; /* `sleep`: seconds, the next time */
} wait;

/* ---- Failures */

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* A process may have been killed while it wrote the sentence. */
void glnn__mpi_notice(glnn__mpi_watch *watch, const char *format, ...)
{
    glnn__mpi_failure *failure = watch->window->failure;
    va_list arguments;
    int none = 0;
    if (!atomic_compare_exchange_strong(&failure->state, &none, 1)) {
        sleep_for(10e-3);
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

static bool has_ended(glnn__mpi_watch *watch, MPI_Request *request)
{
    int done = 1;
    if (*request != MPI_REQUEST_NULL)
        glnn__mpi_check(watch, MPI_Test(request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done;
}

static bool have_mates_left(const glnn__mpi_watch *watch)
{
    for (int i = 0; i < watch->members->mates; ++i)
        if (!atomic_load(&watch->window->lives[watch->members->mate_ranks[i]].has_left))
            return false;
    return true;
}

static void send_note(glnn__mpi_watch *watch, int place, double now)
{
    const glnn__mpi_members *members = watch->members;
    const char *sentence = glnn__mpi_watch_noticed(watch);
    peer *with = &watch->peers[place];
    with->to = (note){.messages = atomic_load(&watch->own->messages),
                      .worked_for = INFINITY,
                      .has_left = have_mates_left(watch)};
    for (int i = 0; i < members->mates; ++i) {
        const glnn__mpi_life *life = &watch->window->lives[members->mate_ranks[i]];
        with->to.worked_for = fmin(with->to.worked_for, now - atomic_load(&life->worked));
    }
    if (sentence)
        memcpy(with->to.sentence, sentence, sizeof with->to.sentence);
    with->was_sent_last = with->to.has_left;
    glnn__mpi_check(watch,
                    MPI_Isend(&with->to, (int)sizeof(note), MPI_BYTE, members->leader_ranks[place],
                              NOTE_TAG, members->control, &with->sends),
                    "MPI_Isend");
}

static void receive_note(glnn__mpi_watch *watch, int place)
{
    peer *with = &watch->peers[place];
    glnn__mpi_check(watch,
                    MPI_Irecv(&with->from, (int)sizeof(note), MPI_BYTE,
                              watch->members->leader_ranks[place], NOTE_TAG,
                              watch->members->control, &with->receives),
                    "MPI_Irecv");
}

static void read_note(glnn__mpi_watch *watch, int place, double now)
{
    const note *from = &watch->peers[place].from;
    glnn__mpi_life *life = &watch->window->lives[watch->members->leader_ranks[place]];
    if (from->sentence[0] && !glnn__mpi_watch_noticed(watch)) {
        watch->was_told = true;
        glnn__mpi_notice(watch, "%s", from->sentence);
    }
    atomic_store(&life->messages, from->messages);
    atomic_store(&life->seen, now);
    atomic_store(&life->worked, now - from->worked_for);
    atomic_store(&life->has_left, from->has_left);
    if (!from->has_left)
        receive_note(watch, place);
}

/* Sends notes if it is time to, the last one at once, and none after it. */
static void exchange_notes(glnn__mpi_watch *watch, double now)
{
    const glnn__mpi_members *members = watch->members;
    const bool is_time = now >= watch->send_at || have_mates_left(watch);
    for (int i = 0; i < members->leaders && members->leader >= 0; ++i) {
        peer *with = &watch->peers[i];
        if (i == members->leader)
            continue;
        if (with->receives != MPI_REQUEST_NULL && has_ended(watch, &with->receives))
            read_note(watch, i, now);
        if (is_time && !with->was_sent_last && has_ended(watch, &with->sends))
            send_note(watch, i, now);
    }
    if (is_time)
        watch->send_at = now + watch->limit / 8;
}

void glnn__mpi_watch_turn(glnn__mpi_watch *watch)
{
    const double now = glnn__clock_seconds();
    /* A process that was itself stopped must not blame the others for the time that has passed. */
    if (now - watch->turned_at > watch->limit / 4)
        watch->woke_at = now;
    watch->turned_at = now;
    if (now < watch->look_at)
        return;
    watch->look_at = now + look_every;
    atomic_store(&watch->own->seen, now);
    exchange_notes(watch, now);
}

/* ---- Deadlines */

static bool is_mate(const glnn__mpi_watch *watch, int rank)
{
    return watch->members->leader_of[rank] == watch->members->leader_of[watch->members->rank];
}

/* Whether the thread of a rank was there lately. */
static bool is_there(const glnn__mpi_watch *watch, int rank, double now)
{
    const double seen = atomic_load(&watch->window->lives[rank].seen);
    return now - fmax(seen, watch->woke_at) <= watch->limit / 2;
}

/* Whether this process waits for a rank. Of other hosts it knows the leaders. */
static bool is_behind(const glnn__mpi_watch *watch, const wait *of, int rank, double now)
{
    const glnn__mpi_members *members = watch->members;
    const glnn__mpi_life *life = &watch->window->lives[rank], *own = watch->own;
    if (life == own || (!is_mate(watch, rank) && members->leader_of[rank] != rank))
        return false;
    if (of->what == END)
        return !atomic_load(&life->has_left);
    if (of->what == MATES)
        return is_mate(watch, rank) && atomic_load(&life->arrivals) < atomic_load(&own->arrivals);
    return !is_mate(watch, rank) && (atomic_load(&life->messages) < atomic_load(&own->messages) ||
                                     !is_there(watch, rank, now));
}

/* How many times the time limit this process waits for a rank that is behind. Sets *why to what the
 * rank does. */
static double patience_with(const glnn__mpi_watch *watch, const wait *of, int rank, double now,
                            const char **why)
{
    const glnn__mpi_members *members = watch->members;
    const glnn__mpi_life *life = &watch->window->lives[rank];
    const bool runs = is_there(watch, rank, now);
    *why = runs ? "" : "; it does not run";
    if (of->what == END)
        return runs ? (double)INFINITY : 1;
    if (atomic_load(&life->has_left))
        return 0;
    if (runs && now - atomic_load(&life->worked) <= watch->limit) {
        *why = "; it measures its device or compiles programs";
        return patience;
    }
    if (!is_mate(watch, rank))
        return limit_of_hosts;
    const bool leads = members->leaders > 1 && members->leader_of[rank] == rank && runs;
    return leads && atomic_load(&life->messages) >= atomic_load(&watch->own->messages) ? patience
                                                                                       : 1;
}

/* Appends "rank 1 on host" to a list of names while there is room. */
static void append_name(const glnn__mpi_members *members, char *names, size_t room, int rank)
{
    const size_t length = strlen(names);
    if (length + sizeof members->hosts[rank] < room)
        snprintf(names + length, room - length, "%srank %d on %s", length ? ", " : "", rank,
                 members->hosts[rank]);
}

/* Names the ranks that have been waited for too long. */
static void notice_late(glnn__mpi_watch *watch, const wait *of, double now)
{
    const glnn__mpi_members *members = watch->members;
    const unsigned long long message = atomic_load(&watch->own->messages) - 1;
    const double waited = now - of->since;
    const char *why = "", *reason = "";
    char names[640] = "", what[64] = "left the group";
    double most = 0;
    double moved = of->since; /* or a leader's host has worked */
    int behind = 0, late = 0;
    for (int r = 0; r < members->ranks; ++r) {
        moved = fmax(moved, atomic_load(&watch->window->lives[r].worked));
        if (!is_behind(watch, of, r, now))
            continue;
        ++behind;
        const double times = patience_with(watch, of, r, now, &why);
        if (waited <= times * watch->limit)
            continue;
        append_name(members, names, sizeof names, r);
        reason = late++ ? "" : why;
        most = fmax(most, times);
    }
    const char *have = late == 1 ? "has" : "have";
    if (of->what != END)
        snprintf(what, sizeof what, "arrived at message %llu", message);
    if (late && most == 0)
        glnn__mpi_notice(watch, "%s %s left, but rank %d waits for message %llu", names, have,
                         members->rank, message);
    else if (late)
        glnn__mpi_notice(watch,
                         "%s %s not %s, for which rank %d has waited for %.1f s: longer than "
                         "%sglnn_mpi_desc.seconds, %g s%s",
                         names, have, what, members->rank, waited,
                         most == patience ? "10 times " : "", watch->limit, reason);
    else if (!behind && of->what == HOSTS && now - moved > limit_of_standstill * watch->limit)
        glnn__mpi_notice(watch,
                         "all ranks have %s, but it has not come to rank %d on %s for %.1f s", what,
                         members->rank, members->hosts[members->rank], waited);
}

/* One turn of waiting. Returns false after a failure. */
static bool go_on(glnn__mpi_watch *watch, wait *of)
{
    const glnn__mpi_members *members = watch->members;
    int found;
    const double now = glnn__clock_seconds(), program = atomic_load(&watch->program_waits);
    const wait fair = {of->what, fmax(fmax(of->since, program), watch->woke_at), 0};
    const bool is_look = now >= watch->look_at;
    glnn__mpi_watch_turn(watch);
    if (is_look && program > 0)
        notice_late(watch, &fair, now);
    if (glnn__mpi_watch_noticed(watch))
        return false;
    /* MPI moves messages only while it is called. */
    if (members->leader >= 0 && members->leaders > 1)
        MPI_Iprobe(MPI_ANY_SOURCE, PROGRESS_TAG, members->control, &found, MPI_STATUS_IGNORE);
    if (now - of->since < yields_for) {
        sched_yield();
        return true;
    }
    sleep_for(of->sleep);
    of->sleep = fmin(of->sleep * 2, longest_sleep);
    return true;
}

static wait begin_to_wait(int what)
{
    return (wait){what, glnn__clock_seconds(), shortest_sleep};
}

void glnn__mpi_begin_message(glnn__mpi_watch *watch)
{
    atomic_fetch_add(&watch->own->messages, 1);
}

void glnn__mpi_watch_program(glnn__mpi_watch *watch, bool waits)
{
    atomic_store(&watch->program_waits, waits ? glnn__clock_seconds() : 0);
}

/* ---- Meetings */

bool glnn__mpi_meet(glnn__mpi_watch *watch)
{
    const glnn__mpi_members *members = watch->members;
    const uint64_t own = atomic_fetch_add(&watch->own->arrivals, 1) + 1;
    wait of = begin_to_wait(MATES);
    for (int i = 0; i < members->mates; ++i)
        while (atomic_load(&watch->window->lives[members->mate_ranks[i]].arrivals) < own)
            if (!go_on(watch, &of))
                return false;
    return true;
}

bool glnn__mpi_complete(glnn__mpi_watch *watch, int count, MPI_Request *requests,
                        MPI_Status *statuses)
{
    wait of = begin_to_wait(HOSTS);
    for (;;) {
        int done = 0;
        if (!glnn__mpi_check(watch, MPI_Testall(count, requests, &done, statuses), "MPI_Testall"))
            return false;
        if (done)
            return true;
        if (!go_on(watch, &of))
            return false;
    }
}

static bool have_all_left(const glnn__mpi_watch *watch, const wait *of)
{
    for (int r = 0; r < watch->members->ranks; ++r)
        if (is_behind(watch, of, r, glnn__clock_seconds()))
            return false;
    for (int i = 0; i < watch->members->leaders && watch->members->leader >= 0; ++i)
        if (i != watch->members->leader &&
            !(watch->peers[i].was_sent_last && watch->peers[i].sends == MPI_REQUEST_NULL))
            return false;
    return true;
}

/* The last note is the last message to a leader, so that none is under way at the end. */
void glnn__mpi_leave(glnn__mpi_watch *watch)
{
    wait of = begin_to_wait(END);
    atomic_store(&watch->own->has_left, 1);
    while (!have_all_left(watch, &of)) {
        for (int i = 0; i < watch->members->leaders; ++i)
            has_ended(watch, &watch->peers[i].sends);
        if (!go_on(watch, &of))
            return;
    }
}

void glnn__mpi_watch_tell(glnn__mpi_watch *watch)
{
    const glnn__mpi_members *members = watch->members;
    const double begin = glnn__clock_seconds();
    int told = watch->was_told || members->leader < 0 ? members->leaders : 0;
    bool is_sent = false;
    while (told < members->leaders && glnn__clock_seconds() < begin + 0.5) {
        peer *with = &watch->peers[told];
        if (told == members->leader || (has_ended(watch, &with->sends) && is_sent)) {
            ++told;
            is_sent = false;
        } else if (!is_sent && with->sends == MPI_REQUEST_NULL) {
            send_note(watch, told, begin);
            is_sent = true;
        }
    }
}

/* ---- Begin and end */

glnn__mpi_watch *glnn__mpi_watch_create(const glnn__mpi_members *members, glnn__mpi_window *window,
                                        double limit)
{
    glnn__mpi_watch *watch = calloc(1, sizeof *watch);
    peer *peers = calloc((size_t)members->leaders, sizeof *peers);
    if (!watch || !peers) {
        free(watch);
        free(peers);
        return NULL;
    }
    *watch = (glnn__mpi_watch){.members = members,
                               .window = window,
                               .own = &window->lives[members->rank],
                               .limit = limit,
                               .turned_at = glnn__clock_seconds(),
                               .peers = peers};
    for (int i = 0; i < members->leaders; ++i) {
        peers[i].sends = peers[i].receives = MPI_REQUEST_NULL;
        if (members->leader >= 0 && i != members->leader)
            receive_note(watch, i);
    }
    return watch;
}

void glnn__mpi_watch_destroy(glnn__mpi_watch *watch)
{
    free(watch->peers);
    free(watch);
}
