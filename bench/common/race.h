/* Training steps measured side by side: each variant of the library, the original and
 * the published scheme, C on one core, OpenBLAS. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "common/contest.h"
#include "common/net.h"
#include "common/published.h"

typedef struct race {
    bench *b;
    table table;
    const char *figure;                /* the column "figure" of the rows that follow */
    double per_work[CONTESTANT_COUNT]; /* seconds per multiply-add at best */
    published_programs *programs[CONTESTANT_COUNT]; /* PUBLISHED, BLENDED; NULL before its turn */
    unsigned left_out; /* contestants that do not take part, a bit each */
    int texture_limit; /* rows and columns of textures of PUBLISHED and BLENDED; who needs more does
                          not take part. At first the limit of the device */
} race;

void race_open(race *r, bench *b, const char *name);
void race_close(race *r);

/* Forgets how fast the cases so far were: the next one is of another kind. */
void race_begin(race *r, const char *figure);

/* Judges a step of each contestant, measures it, and writes a row. Medians go to `seconds`, which
 * may be null; NAN for who does not take part or would take too long. */
void race_run(race *r, const net_case *of, double seconds[CONTESTANT_COUNT]);

/* The library's net of a case, of a contestant's layout and precision, with the weights that all
 * contestants begin with. */
glnn_learner *race_network(bench *b, const net_case *of, contestant who);

#endif
