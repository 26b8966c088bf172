/* Operations measured side by side: each variant of the library, C on one core, OpenBLAS. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "common/limits.h"
#include "common/rivals.h"
#include "common/table.h"

typedef enum contestant {
    TILED,
    PACKED,
    UNPACKED,
    TILED_HALF,
    PACKED_HALF,
    ORIGINAL_SCHEME,
    PUBLISHED_PACKED,
    PUBLISHED_UNPACKED,
    BLENDED_PACKED,
    BLENDED_UNPACKED,
    PLAIN_C,
    BLAS_ONE,
    BLAS_ALL,
    CONTESTANT_COUNT
} contestant;

typedef enum contestant_kind {
    ON_DEVICE,
    ORIGINAL,
    PUBLISHED,
    BLENDED,
    IN_C,
    IN_BLAS
} contestant_kind;

/* A variant of the library is a row here. ORIGINAL is the scheme of original.h, and PUBLISHED that
 * of published.h, both for training steps alone. BLENDED is the published scheme with blending, and
 * as a matrix product it is the library's own, in passes of 12 columns that blending adds up.
 * FLOAT16 is the storage of operands and, where no sums or indices are written, of results; nets
 * are then trained with mixed precision. */
typedef struct contestant_info {
    const char *name;
    contestant_kind kind;
    glnn_layout layout;   /* of all that runs on the device */
    glnn_storage storage; /* ON_DEVICE */
    int threads;          /* IN_BLAS; 0: all */
} contestant_info;

extern const contestant_info contestants[CONTESTANT_COUNT];

/* Whether it trains as the literature did: nets with targets alone, without momentum. */
bool contestant_is_historic(contestant who);

/* False for a layout that --layout leaves out, and for whom --who does. */
bool contestant_enters(const bench *b, contestant who);

typedef struct contest {
    bench *b;
    limits limits;
    table table;
    const measurement *latest;
    double per_work[CONTESTANT_COUNT]; /* its seconds per unit of work, at the latest size */
} contest;

/* Measures the limits and begins the table `name`. */
void contest_open(contest *c, bench *b, const char *name);
void contest_close(contest *c);

/* Runs an operation of one size: judges every result and writes a row for each contestant. The
 * medians go to `seconds`, which may be null; NAN for a contestant that does not have the
 * operation or that would take too long, judged by the size before. */
void contest_run(contest *c, const measurement *what, glnn__sizes of,
                 double seconds[CONTESTANT_COUNT]);

#endif
