/* Small messages by which the processes of a group watch each other.
 *
 * Each process sends signs of life to the next rank and expects them from the previous one. A
 * process that waits too long for a message asks all others how many messages they have begun, and
 * how long ago they did long work, for which it is more patient. The process that notices a failure
 * tells all others. */
#ifndef GLNN__DIST_CONTROL_H
#define GLNN__DIST_CONTROL_H

#include "dist/state.h"

/* The state of the program's thread, for the functions that watch the processes. */
typedef struct glnn__mpi_program {
    double waits_since; /* for a message; 0: it does not     */
    double idle_for;    /* seconds since it did long work    */
    uint64_t begun;     /* messages                          */
    bool leaves;
} glnn__mpi_program;

glnn_status glnn__mpi_watch_create(glnn_mpi *group);
void glnn__mpi_watch_destroy(glnn_mpi *group);

/* One turn: receives and answers notes, sends signs of life, and looks for a failure. */
void glnn__mpi_watch_turn(glnn_mpi *group, const glnn__mpi_program *program);

/* Tells all others that this process leaves, after it has begun so many messages. */
void glnn__mpi_watch_leave(glnn_mpi *group, uint64_t begun);

/* Tells all others the failure that was noticed, unless another process has. Waits for a moment
 * until the notes are sent. */
void glnn__mpi_watch_tell(glnn_mpi *group);

/* Ends the receipt of notes. Returns whether no operation is under way any more. */
bool glnn__mpi_watch_end(glnn_mpi *group);

#endif
