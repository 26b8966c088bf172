/* The life of MPI in the process: it is initialised when the first group needs it, and ends with
 * the process. */
#ifndef GLNN__DIST_LIFE_H
#define GLNN__DIST_LIFE_H

#include <glnn/mpi.h>

/* Initialises MPI unless it is. */
glnn_status glnn__mpi_life_begin(void);

/* Adds a group whose thread runs to the list of groups. */
void glnn__mpi_life_add(glnn_mpi *group);

/* Removes a group from the list. If it has failed, all processes of MPI end when this one does. */
void glnn__mpi_life_remove(glnn_mpi *group);

#endif
