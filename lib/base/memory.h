/* The machine's main memory. */
#ifndef GLNN__BASE_MEMORY_H
#define GLNN__BASE_MEMORY_H

/* Bytes of physical memory; infinity where the system does not say. */
double glnn__memory_size(void);

#endif
