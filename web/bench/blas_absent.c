/* Browsers have no BLAS to compare with. */
#include "common/cpu.h"

const char *cpu_blas_name(void)
{
    return "none";
}
