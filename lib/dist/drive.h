/* The thread that drives the messages of a group. */
#ifndef GLNN__DIST_DRIVE_H
#define GLNN__DIST_DRIVE_H

/* The main function of the thread; `group` is a glnn_mpi. It returns when all processes leave the
 * group, or when it has failed. */
void *glnn__mpi_drive(void *group);

#endif
