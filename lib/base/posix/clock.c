#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

double glnn__clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void glnn__clock_sleep(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Where a process has a limit of processor time (`ulimit -t`), Linux counts its clock
 * CLOCK_PROCESS_CPUTIME_ID in ticks of several milliseconds. The usage stays exact. */
double glnn__clock_processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}
