/* Checksums for files, the same on every machine: FNV-1a with 64 bits, and for many numbers the
 * rounds of xxHash64. A change in a single byte or word always changes the sum. */
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

/* Adds 64 bits. It is one-to-one in both arguments. */
static inline uint64_t glnn__checksum_round(uint64_t sum, uint64_t bits)
{
    sum += bits * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (sum << 31 | sum >> 33) * UINT64_C(0x9E3779B185EBCA87);
}

static inline uint64_t glnn__checksum_pair(uint64_t sum, const float *values)
{
    uint32_t words[2];
    memcpy(words, values, sizeof words);
    return glnn__checksum_round(sum, words[0] | (uint64_t)words[1] << 32);
}

/* By their bits. A processor works on four lanes at once. */
static inline uint64_t glnn__checksum_floats(uint64_t sum, const float *values, size_t count)
{
    uint64_t a = 1, b = 2, c = 3, d = 4;
    const float *const whole = values + count / 8 * 8, *const end = values + count;
    for (; values < whole; values += 8) {
        a = glnn__checksum_pair(a, values);
        b = glnn__checksum_pair(b, values + 2);
        c = glnn__checksum_pair(c, values + 4);
        d = glnn__checksum_pair(d, values + 6);
    }
    for (; values < end; ++values) {
        const float pair[2] = {*values, 0};
        sum = glnn__checksum_pair(sum, pair);
    }
    sum = glnn__checksum_round(glnn__checksum_round(sum, a), b);
    return glnn__checksum_round(glnn__checksum_round(sum, c), d);
}

#endif
