/* Checksums for files, the same on every machine: FNV-1a with 64 bits. A change in a single byte or
 * word always changes the sum. */
#ifndef GLNN__BASE_CHECKSUM_H
#define GLNN__BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The checksum of nothing; the others continue one. */
#define GLNN__CHECKSUM_START UINT64_C(0xCBF29CE484222325)

static inline uint64_t glnn__checksum_word(uint64_t sum, uint32_t word)
{
    return (sum ^ word) * UINT64_C(0x100000001B3);
}

/* With the zero at its end, so that two texts differ from one. */
static inline uint64_t glnn__checksum_text(uint64_t sum, const char *text)
{
    do
        sum = glnn__checksum_word(sum, (unsigned char)*text);
    while (*text++);
    return sum;
}

/* By their bits. */
static inline uint64_t glnn__checksum_floats(uint64_t sum, const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, &values[i], sizeof word);
        sum = glnn__checksum_word(sum, word);
    }
    return sum;
}

#endif
