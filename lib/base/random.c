#include "base/random.h"

void glnn__philox(uint64_t key, const uint32_t counter[4], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; ++round) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void glnn__random_start(glnn__random *random, uint64_t key)
{
    *random = (glnn__random){.key = key};
}

uint32_t glnn__random_next(glnn__random *random)
{
    if (random->drawn % 4 == 0) {
        uint64_t block = random->drawn / 4;
        const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 1};
        glnn__philox(random->key, counter, random->words);
    }
    return random->words[random->drawn++ % 4];
}

uint32_t glnn__random_below(glnn__random *random, uint32_t bound)
{
    /* Numbers from the incomplete last copy of [0, bound) are drawn again. */
    uint32_t limit = UINT32_MAX - (UINT32_MAX % bound + 1) % bound;
    uint32_t value = glnn__random_next(random);
    while (value > limit)
        value = glnn__random_next(random);
    return value % bound;
}

void glnn__random_shuffle(glnn__random *random, int *numbers, int count)
{
    for (int i = count - 1; i > 0; --i) {
        const uint32_t j = glnn__random_below(random, (uint32_t)i + 1);
        const int number = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = number;
    }
}
