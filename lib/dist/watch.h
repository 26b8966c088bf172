/* Meetings of the processes of a group, and deadlines for those that do not come.
 *
 * Each process counts in the table of its host how often it has met its mates. The leaders of hosts
 * send each other their counts from time to time. Who has waited for the time limit while its
 * program waits too looks up who has not arrived, and notices a failure that names them. The first
 * sentence of a host stands in its table, where all its processes see it; leaders send it on.
 *
 * The driving thread calls these functions, and any thread the first three. */
#ifndef GLNN__DIST_WATCH_H
#define GLNN__DIST_WATCH_H

#include "dist/window.h"

/* Long work may take so many time limits, and so may the beginning. Sentences say "10 times". */
#define GLNN__MPI_PATIENCE 10.0

typedef struct glnn__mpi_watch glnn__mpi_watch;

/* Notices a failure; only the first one counts. */
__attribute__((format(printf, 2, 3))) void glnn__mpi_notice(glnn__mpi_watch *watch,
                                                            const char *format, ...);

/* The sentence of the failure that was noticed; NULL: none was. */
const char *glnn__mpi_watch_noticed(const glnn__mpi_watch *watch);

/* Says whether the program waits: deadlines hold only then. */
void glnn__mpi_watch_program(glnn__mpi_watch *watch, bool waits);

/* NULL: no memory. */
glnn__mpi_watch *glnn__mpi_watch_create(const glnn__mpi_members *members, glnn__mpi_window *window,
                                        double limit);
void glnn__mpi_watch_destroy(glnn__mpi_watch *watch);

/* Says that this process is there, and learns of failures. Other functions do so while they wait.
 */
void glnn__mpi_watch_turn(glnn__mpi_watch *watch);

/* Says that another message begins. */
void glnn__mpi_begin_message(glnn__mpi_watch *watch);

/* Returns true when all mates have called it as often as this process; false after a failure. */
bool glnn__mpi_meet(glnn__mpi_watch *watch);

/* Waits for operations of MPI. Returns false after a failure. */
bool glnn__mpi_complete(glnn__mpi_watch *watch, int count, MPI_Request *requests,
                        MPI_Status *statuses);

/* Returns `code` == MPI_SUCCESS; otherwise it notices the failure of the function. */
bool glnn__mpi_check(glnn__mpi_watch *watch, int code, const char *function);

/* Waits until all processes have called it, without a limit as long as all of them run. Returns
 * after a failure. */
void glnn__mpi_leave(glnn__mpi_watch *watch);

/* Tells the other hosts the failure that was noticed. Waits for a moment until it is sent. */
void glnn__mpi_watch_tell(glnn__mpi_watch *watch);

#endif
