#define _GNU_SOURCE
#include "base/cores.h"

#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <string.h>

void glnn__cores_unbind(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
}

/* A container may have only some of the cores that are online. 0: unknown. */
static int count_unbound(void)
{
    cpu_set_t own, all;
    if (sched_getaffinity(0, sizeof own, &own) != 0)
        return 0;
    glnn__cores_unbind();
    const int count = sched_getaffinity(0, sizeof all, &all) == 0 ? CPU_COUNT(&all) : 0;
    sched_setaffinity(0, sizeof own, &own);
    return count;
}
#else
void glnn__cores_unbind(void)
{
}

static int count_unbound(void)
{
    return 0;
}
#endif

int glnn__cores_count(void)
{
    const int count = count_unbound();
    const long online = count > 0 ? count : sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}
