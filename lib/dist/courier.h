/* The messages of a group: the functions of the messenger, which the program calls, and the thread
 * that carries them meanwhile. */
#ifndef GLNN__DIST_COURIER_H
#define GLNN__DIST_COURIER_H

#include "dist/carrier.h"

typedef struct glnn__mpi_courier glnn__mpi_courier;

/* `limit`: seconds; see glnn_mpi_desc. NULL: no memory, or a thread cannot be created. */
glnn__mpi_courier *glnn__mpi_courier_create(glnn__mpi_carrier *carrier, double limit);

const glnn_messenger *glnn__mpi_courier_get_messenger(const glnn__mpi_courier *courier);

/* Ends the thread when all processes leave the group, or after a failure. Returns when the group
 * failed; 0: it did not. */
double glnn__mpi_courier_leave(glnn__mpi_courier *courier);

/* Whether the thread does not come back from a function of MPI. It then still uses the courier and
 * all that the courier uses. */
bool glnn__mpi_courier_is_stuck(const glnn__mpi_courier *courier);

void glnn__mpi_courier_destroy(glnn__mpi_courier *courier);

#endif
