/* Hashes of keys in memory. They can differ between machines, so they are never stored. */
#ifndef GLNN__BASE_HASH_H
#define GLNN__BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Takes eight bytes at a time, because most calls of the library hash a key. */
static inline uint32_t glnn__hash(const void *key, size_t size)
{
    const unsigned char *bytes = key;
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = ((hash << 5 | hash >> 59) ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    }
    /* A product moves differences only upwards, so the upper half is added to the lower one. */
    return (uint32_t)((hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

#endif
