/* Seeded random numbers: a function of key and counter, the same on the CPU and in shaders. */
#ifndef GLNN__BASE_RANDOM_H
#define GLNN__BASE_RANDOM_H

#include <stdint.h>

/* Philox4x32-10: out = the four words for `counter` under `key`.
 * Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (2011). */
void glnn__philox(uint64_t key, const uint32_t counter[4], uint32_t out[4]);

/* A stream of numbers drawn from one key. */
typedef struct glnn__random {
    uint64_t key;
    uint64_t drawn;
    uint32_t words[4];
} glnn__random;

void glnn__random_start(glnn__random *random, uint64_t key);
uint32_t glnn__random_next(glnn__random *random);

/* An integer uniform in [0, bound), without the bias of a remainder; bound >= 1. */
uint32_t glnn__random_below(glnn__random *random, uint32_t bound);

/* Shuffles numbers, each order as likely as any other (Durstenfeld 1964). */
void glnn__random_shuffle(glnn__random *random, int *numbers, int count);

#endif
