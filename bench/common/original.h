/* A training step as the first programs of its kind computed it: one operation of linear algebra
 * after another. Matrix products take passes of 12 columns, which blending adds up, because a
 * shader of 2004 could hold no more. Nets with targets and without momentum. */
#ifndef BENCH_ORIGINAL_H
#define BENCH_ORIGINAL_H

#include "common/harness.h"
#include "common/net.h"

enum { ORIGINAL_COLUMNS = 12 };

typedef struct original original;

original *original_new(bench *b, const net_case *of, const net_data *data, glnn_layout layout);
void original_free(original *o);

/* One step on the first batch. */
void original_step(original *o);

void original_weights(original *o, net_weights *out);

#endif
