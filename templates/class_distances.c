#include <math.h>

/* Minus the least distance of each class, and minus infinity for a class without prototypes. */
static void class_distances(int count, int outputs, const int *class_of, const float *distance,
                            float *output)
{
    for (int i = 0; i < outputs; ++i)
        output[i] = -INFINITY;
    for (int i = 0; i < count; ++i)
        if (-distance[i] > output[class_of[i]])
            output[class_of[i]] = -distance[i];
}
