#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool glnn__memory_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity || size == 0)
        return true;
    const size_t grown = *capacity ? 2 * *capacity : 64;
    void *items;
    memcpy(&items, array, sizeof items);
    items = grown <= SIZE_MAX / 2 / size ? realloc(items, grown * size) : NULL;
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *capacity = grown;
    return true;
}
