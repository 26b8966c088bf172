#define _GNU_SOURCE
#include "base/cores.h"

#ifdef __linux__
#include <sched.h>
#include <string.h>

void glnn__cores_unbind(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
}
#else
void glnn__cores_unbind(void)
{
}
#endif
