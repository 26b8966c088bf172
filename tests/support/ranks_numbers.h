/* Numbers that the processes of a test add by messages, and whether the sums are right. */
#ifndef TESTS_RANKS_NUMBERS_H
#define TESTS_RANKS_NUMBERS_H

#include "ranks.h"

/* Numbers of a message, in memory of the messenger or of the program. */
typedef struct numbers {
    float *values;
    size_t count;
    bool is_allocated;
} numbers;

/* The first numbers of this process; a marker follows them. */
numbers numbers_fill(const glnn_messenger *with, size_t count, bool is_allocated);
void numbers_discard(const glnn_messenger *with, const numbers *of);

/* Whether the numbers are the sums over all processes, and the marker is still there. */
void numbers_check_sum(const glnn_messenger *with, const numbers *of);

/* Sums numbers and checks the sums. The bits of all processes are equal; rank 0 prints them, to
 * compare them with another run. */
void numbers_sum(const glnn_messenger *with, size_t count, bool is_allocated);

#endif
