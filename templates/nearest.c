#include <math.h>

/* The number of the least distance, and of equal ones the lowest; -1 if none is finite. */
static int nearest(int count, const float *distance)
{
    float least = INFINITY;
    int found = -1;
    for (int i = 0; i < count; ++i)
        if (distance[i] < least) {
            least = distance[i];
            found = i;
        }
    return found;
}
