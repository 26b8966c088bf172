/* Replaces window/microphone.c in programs that are built without SDL2. */
#include "microphone.h"

#include "common/failure.h"

bool microphone_open(int rate, microphone **out)
{
    (void)rate;
    *out = NULL;
    return refuse("this program was built without SDL2, so it cannot use a microphone");
}

int microphone_take(microphone *of, float *samples, int capacity)
{
    (void)of;
    (void)samples;
    (void)capacity;
    return 0;
}

void microphone_close(microphone *of)
{
    (void)of;
}
