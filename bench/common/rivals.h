/* The operations that benchmarks measure, rows of the table of operations, each with what computes
 * the same on the CPU. */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include "selftest/operation.h"

typedef void cpu_fn(glnn__problem *p);

typedef struct measurement {
    const char *name; /* of the row */
    cpu_fn *plain;    /* C on one core                        */
    cpu_fn *blas;     /* NULL: OpenBLAS has nothing for it    */
    bool is_historic; /* also by BLENDED of contest.h         */
} measurement;

extern const measurement measurements[];
extern const int measurement_count;

/* The one of that name, which exists. */
const measurement *measurement_get(const char *name);

const glnn__operation *measurement_operation(const measurement *of);

#endif
