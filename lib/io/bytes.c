#include "io/bytes.h"

#include <stdint.h>
#include <string.h>

static bool machine_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void reverse_elements(unsigned char *bytes, size_t elements, size_t width)
{
    for (size_t i = 0; i < elements; ++i, bytes += width) {
        for (size_t low = 0, high = width - 1; low < high; ++low, --high) {
            unsigned char kept = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = kept;
        }
    }
}

void glnn__bytes_order(void *data, size_t elements, size_t width, bool is_big_endian)
{
    if (width > 1 && is_big_endian == machine_is_little_endian())
        reverse_elements(data, elements, width);
}
