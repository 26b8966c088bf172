/* Hashes of keys in memory. They can differ between machines, so they are never stored. */
#ifndef GLNN__BASE_HASH_H
#define GLNN__BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t glnn__hash_add(uint64_t hash, uint64_t word)
{
    return ((hash << 5 | hash >> 59) ^ word) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Takes eight bytes at a time, because most calls of the library hash a key. Only copies of a
 * constant size become a single instruction. */
static inline uint32_t glnn__hash(const void *key, size_t size)
{
    const unsigned char *bytes = key;
    const size_t whole = size & ~(sizeof(uint64_t) - 1);
    uint64_t hash = size, word;
    for (size_t at = 0; at < whole; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        hash = glnn__hash_add(hash, word);
    }
    word = 0;
    memcpy(&word, bytes + whole, size - whole);
    if (size > whole)
        hash = glnn__hash_add(hash, word);
    /* A product moves differences only upwards, so the upper half is added to the lower one. */
    return (uint32_t)((hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

#endif
