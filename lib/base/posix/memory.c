#include "base/memory.h"

#include <math.h>
#include <unistd.h>

double glnn__memory_size(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : INFINITY;
}
