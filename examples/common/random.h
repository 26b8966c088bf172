/* Random numbers from integers alone, so that a seed gives the same ones on every machine. */
#ifndef EXAMPLES_RANDOM_H
#define EXAMPLES_RANDOM_H

#include <stdint.h>

/* The next word of a sequence, whose first state is the seed.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014). */
static inline uint64_t random_word(uint64_t *state)
{
    uint64_t word = *state += 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

/* An integer in [0, bound). */
static inline int random_below(uint64_t *state, int bound)
{
    return (int)((random_word(state) >> 32) * (uint64_t)bound >> 32);
}

/* A number in [0, 1). */
static inline float random_fraction(uint64_t *state)
{
    return (float)(random_word(state) >> 40) * 0x1p-24f;
}

#endif
