/* The functions of the messenger, which the program calls. */
#ifndef GLNN__DIST_MESSENGER_H
#define GLNN__DIST_MESSENGER_H

#include <glnn/mpi.h>

/* Fills in the functions of a group's messenger. */
void glnn__mpi_connect(glnn_mpi *group);

#endif
