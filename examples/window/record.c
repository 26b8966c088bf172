#include "record.h"

void record_add(record *to, double x, double y)
{
    if (to->count == RECORD_POINTS) {
        to->count /= 2;
        for (int i = 0; i < to->count; ++i) {
            to->x[i] = to->x[2 * i + 1];
            to->y[i] = to->y[2 * i + 1];
        }
    }
    to->x[to->count] = (float)x;
    to->y[to->count++] = (float)y;
}
