/* Launchers of several processes may bind each of them to few cores. */
#ifndef GLNN__BASE_CORES_H
#define GLNN__BASE_CORES_H

/* Lets the calling thread run on all cores of the host, so that it does not take time from the
 * threads of the program. */
void glnn__cores_unbind(void);

/* Cores of the host on which threads may run that are not bound, at least 1. */
int glnn__cores_count(void);

#endif
