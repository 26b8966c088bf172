#include "dist/control.h"

#include "dist/bucket.h"
#include "dist/notice.h"
#include "dist/support.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BEAT, ASK, ANSWER, FAILED, LEAVE };

enum { NOTE_TAG = 1 };

/* Long work may take so many times the time limit. */
static const double patience = 10;

static int previous_of(const glnn_mpi *group)
{
    return (group->rank - 1 + group->ranks) % group->ranks;
}

/* ---- Notes */

/* Frees the notes that have been sent. */
static void collect_letters(glnn_mpi *group)
{
    for (glnn__mpi_letter **at = &group->watch.letters; *at;) {
        glnn__mpi_letter *letter = *at;
        int done = 0;
        glnn__mpi_check(group, MPI_Test(&letter->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done) {
            *at = letter->next;
            free(letter);
        } else
            at = &letter->next;
    }
}

static bool has_letter_to(const glnn_mpi *group, int rank)
{
    for (const glnn__mpi_letter *letter = group->watch.letters; letter; letter = letter->next)
        if (letter->to == rank)
            return true;
    return false;
}

/* Only a note of a failure has a sentence. If memory for a note runs out, it is not sent, and the
 * other process acts as if this one did not answer. */
static void post(glnn_mpi *group, int to, int kind, uint64_t number, double idle_for)
{
    glnn__mpi_letter *letter = calloc(1, sizeof *letter);
    size_t bytes = offsetof(glnn__mpi_note, sentence);
    if (!letter)
        return;
    letter->note.kind = kind;
    letter->note.number = number;
    letter->note.idle_for = idle_for;
    letter->to = to;
    if (kind == FAILED) {
        letter->note.sentence = group->watch.noticed;
        bytes += strlen(letter->note.sentence.text) + 1;
    }
    letter->next = group->watch.letters;
    group->watch.letters = letter;
    glnn__mpi_check(group,
                    MPI_Isend(&letter->note, (int)bytes, MPI_BYTE, to, NOTE_TAG, group->control,
                              &letter->request),
                    "MPI_Isend");
}

static void post_to_all(glnn_mpi *group, int kind, uint64_t number)
{
    for (int i = 1; i < group->ranks; ++i)
        post(group, (group->rank + i) % group->ranks, kind, number, 0);
}

static void listen(glnn_mpi *group)
{
    glnn__mpi_watch *watch = &group->watch;
    memset(&watch->received, 0, sizeof watch->received);
    glnn__mpi_check(group,
                    MPI_Irecv(&watch->received, (int)sizeof watch->received, MPI_BYTE,
                              MPI_ANY_SOURCE, NOTE_TAG, group->control, &watch->receive),
                    "MPI_Irecv");
}

static void read_note(glnn_mpi *group, int from, const glnn__mpi_program *program)
{
    glnn__mpi_watch *watch = &group->watch;
    const glnn__mpi_note *note = &watch->received;
    if (from == previous_of(group))
        watch->heard_at = glnn__mpi_now();
    switch (note->kind) {
    case ASK:
        if (!watch->leaves)
            post(group, from, ANSWER, program->begun, program->idle_for);
        break;
    case ANSWER:
        watch->begun[from] = note->number;
        watch->busy_at[from] = glnn__mpi_now() - note->idle_for;
        break;
    case FAILED:
        if (!watch->noticed.text[0])
            watch->is_told = true;
        glnn__mpi_notice(group, "%s", note->sentence.text);
        break;
    case LEAVE:
        watch->left += !watch->has_left[from];
        watch->has_left[from] = true;
        watch->begun_at_end[from] = note->number;
        break;
    default:
        break;
    }
}

static void read_notes(glnn_mpi *group, const glnn__mpi_program *program)
{
    MPI_Status status;
    int done = 1;
    while (done && !group->watch.noticed.text[0]) {
        glnn__mpi_check(group, MPI_Test(&group->watch.receive, &done, &status), "MPI_Test");
        if (!done)
            return;
        read_note(group, status.MPI_SOURCE, program);
        listen(group);
    }
}

/* ---- Looking for failures */

/* A process that was itself stopped and continued must not blame the others for the time that has
 * passed. */
static void forgive_own_pause(glnn_mpi *group, double now)
{
    glnn__mpi_watch *watch = &group->watch;
    const double pause = now - watch->turned_at;
    if (pause > group->desc.seconds / 8) {
        watch->heard_at += pause;
        group->moved_at += pause;
    }
    watch->turned_at = now;
}

static void beat(glnn_mpi *group, double now)
{
    const int next = (group->rank + 1) % group->ranks;
    if (group->watch.leaves || now - group->watch.beat_at < group->desc.seconds / 16 ||
        has_letter_to(group, next))
        return;
    group->watch.beat_at = now;
    post(group, next, BEAT, 0, 0);
}

static void notice_silence(glnn_mpi *group, int rank, double seconds)
{
    glnn__mpi_notice(group, "rank %d on %s has not answered for %.1f s", rank, group->hosts[rank],
                     seconds);
}

static void watch_previous(glnn_mpi *group, double now)
{
    const int previous = previous_of(group);
    const double silence = now - group->watch.heard_at;
    if (!group->watch.has_left[previous] && silence > group->desc.seconds)
        notice_silence(group, previous, silence);
}

/* A process that has left begins no message any more. */
static void watch_leavers(glnn_mpi *group)
{
    const glnn__mpi_watch *watch = &group->watch;
    for (int r = 0; r < group->ranks && watch->left > 0; ++r)
        if (watch->has_left[r] && watch->begun_at_end[r] <= group->finished)
            glnn__mpi_notice(group, "rank %d on %s has left, but rank %d waits for message %llu", r,
                             group->hosts[r], group->rank, (unsigned long long)group->finished);
}

/* A process has not begun the message. Its long work counts as waiting only up to a greater limit.
 */
static void judge_late(glnn_mpi *group, int rank, double now, double waited)
{
    const double limit = group->desc.seconds;
    const char *host = group->hosts[rank];
    const unsigned long long message = (unsigned long long)group->finished;
    if (waited > patience * limit)
        glnn__mpi_notice(group,
                         "rank %d on %s has measured its device or compiled programs and has not "
                         "begun message %llu, for which rank %d has waited for %.1f s: longer than "
                         "%g times glnn_mpi_desc.seconds",
                         rank, host, message, group->rank, waited, patience);
    else if (now - group->watch.busy_at[rank] > limit)
        glnn__mpi_notice(group,
                         "rank %d on %s has not begun message %llu, for which rank %d has waited "
                         "for %.1f s: longer than glnn_mpi_desc.seconds, %g s",
                         rank, host, message, group->rank, waited, limit);
}

/* Looks for a process that does not answer, then for one that has not begun the message. Returns
 * whether all have. */
static bool judge_answers(glnn_mpi *group, double now, double waited)
{
    glnn__mpi_watch *watch = &group->watch;
    bool have_begun = true;
    for (int r = 0; r < group->ranks; ++r)
        if (r != group->rank && watch->begun[r] == UINT64_MAX && !watch->has_left[r]) {
            have_begun = false;
            if (now - watch->busy_at[r] > group->desc.seconds)
                notice_silence(group, r, waited);
        }
    for (int r = 0; r < group->ranks; ++r)
        if (r != group->rank && watch->begun[r] <= group->finished) {
            have_begun = false;
            judge_late(group, r, now, waited);
        }
    return have_begun;
}

static void notice_standstill(glnn_mpi *group, double waited)
{
    int peer = -1;
    for (int i = 0; i < GLNN__MPI_WINDOW && peer < 0; ++i)
        peer = glnn__mpi_bucket_peer(group, &group->buckets[i]);
    if (peer < 0)
        peer = previous_of(group);
    glnn__mpi_notice(
        group, "message %llu between rank %d and rank %d on %s has not moved for %.1f s",
        (unsigned long long)group->finished, group->rank, peer, group->hosts[peer], waited);
}

static void ask_all(glnn_mpi *group, double now)
{
    for (int r = 0; r < group->ranks; ++r)
        group->watch.begun[r] = UINT64_MAX;
    group->watch.asked_at = now;
    post_to_all(group, ASK, 0);
}

/* After seven eighths of the time limit it asks all others, and an eighth later it judges their
 * answers. If all have begun the message, it gives them another eighth. If one has done long work,
 * it asks again. */
static void watch_message(glnn_mpi *group, double now, double waits_since)
{
    glnn__mpi_watch *watch = &group->watch;
    const double since = waits_since > group->moved_at ? waits_since : group->moved_at;
    const double waited = now - since, limit = group->desc.seconds, asked = now - watch->asked_at;
    if (waits_since <= 0 || waited < limit * 7 / 8) {
        watch->asked_at = 0;
        watch->is_late = false;
    } else if (watch->asked_at <= 0) {
        ask_all(group, now);
    } else if (waited > limit && asked > limit / 8 && !watch->is_late) {
        watch->is_late = judge_answers(group, now, waited);
        watch->asked_at = watch->is_late ? watch->asked_at : 0;
    } else if (asked > limit / 4 && watch->is_late)
        notice_standstill(group, waited);
}

void glnn__mpi_watch_turn(glnn_mpi *group, const glnn__mpi_program *program)
{
    const double now = glnn__mpi_now();
    const bool waits = program->waits_since > 0 && group->finished < program->begun;
    if (group->ranks == 1)
        return;
    forgive_own_pause(group, now);
    collect_letters(group);
    read_notes(group, program);
    beat(group, now);
    watch_previous(group, now);
    if (waits)
        watch_leavers(group);
    watch_message(group, now, waits ? program->waits_since : 0);
}

/* ---- Begin and end */

glnn_status glnn__mpi_watch_create(glnn_mpi *group)
{
    glnn__mpi_watch *watch = &group->watch;
    watch->begun = calloc((size_t)group->ranks, sizeof *watch->begun);
    watch->busy_at = calloc((size_t)group->ranks, sizeof *watch->busy_at);
    watch->has_left = calloc((size_t)group->ranks, sizeof *watch->has_left);
    watch->begun_at_end = calloc((size_t)group->ranks, sizeof *watch->begun_at_end);
    watch->receive = MPI_REQUEST_NULL;
    watch->turned_at = watch->heard_at = group->moved_at = glnn__mpi_now();
    if (!watch->begun || !watch->busy_at || !watch->has_left || !watch->begun_at_end)
        return GLNN_E_NOMEM;
    if (group->ranks > 1)
        listen(group);
    return GLNN_OK;
}

/* MPI still uses the memory of notes that are being sent. */
void glnn__mpi_watch_destroy(glnn_mpi *group)
{
    free(group->watch.begun);
    free(group->watch.busy_at);
    free(group->watch.has_left);
    free(group->watch.begun_at_end);
}

/* This note is the last one, so that none is under way when all processes have received those of
 * all others. A message that is left in a communicator would disturb the next one. */
void glnn__mpi_watch_leave(glnn_mpi *group, uint64_t begun)
{
    group->watch.leaves = true;
    post_to_all(group, LEAVE, begun);
}

/* Waits at most half a second until the notes to all are sent. */
static void send_letters(glnn_mpi *group)
{
    const double end = glnn__mpi_now() + 0.5;
    while (group->watch.letters && glnn__mpi_now() < end)
        collect_letters(group);
}

void glnn__mpi_watch_tell(glnn_mpi *group)
{
    if (!group->watch.is_told)
        post_to_all(group, FAILED, 0);
    send_letters(group);
}

bool glnn__mpi_watch_end(glnn_mpi *group)
{
    if (group->watch.receive != MPI_REQUEST_NULL) {
        MPI_Cancel(&group->watch.receive);
        MPI_Wait(&group->watch.receive, MPI_STATUS_IGNORE);
    }
    send_letters(group);
    return !group->watch.letters;
}
