/* The process. */
#ifndef GLNN__BASE_PROCESS_H
#define GLNN__BASE_PROCESS_H

/* The number that no other process of the host has at the same time. */
long glnn__process_number(void);

#endif
