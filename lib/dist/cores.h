/* Launchers of MPI may bind a process to few cores. */
#ifndef GLNN__DIST_CORES_H
#define GLNN__DIST_CORES_H

/* Lets the calling thread run on all cores of the host, so that it does not take time from the
 * threads of the program. */
void glnn__mpi_cores_unbind(void);

#endif
