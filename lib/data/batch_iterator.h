/* Yields the batches of an epoch, in the same way for resident data sets and streams. */
#ifndef GLNN__DATA_BATCH_ITERATOR_H
#define GLNN__DATA_BATCH_ITERATOR_H

#include "data/batch.h"
#include "data/order.h"

typedef struct glnn__batch_iterator {
    const glnn_dataset *data;
    const glnn__order *order; /* NULL: the samples' own */
    int at, end;              /* the entries of the order that remain */
    int unit;
    uint64_t number; /* streams: distinguishes this iterator from others over the same set */
} glnn__batch_iterator;

/* Fails with E_LIMIT if batches of `unit` samples are too large for the set's budget. */
glnn_status glnn__batch_iterator_check(const glnn_dataset *data, int unit);

/* Begins an iteration over `count` entries of an order from `first` on. Windows of a stream hold
 * whole units of them. Another iterator may begin over the same set meanwhile; the first one then
 * collects its samples again. */
glnn_status glnn__batch_iterator_begin(const glnn_dataset *data, const glnn__order *order,
                                       int first, int count, int unit, glnn__batch_iterator *out);

/* The next samples: `most` of them, or fewer at the end of the entries or of a window. A window
 * ends at a multiple of the unit. The batch is valid until the next call. */
glnn_status glnn__batch_iterator_next(glnn__batch_iterator *batches, int most, glnn__batch *out);

/* The number of samples that remain. */
int glnn__batch_iterator_left(const glnn__batch_iterator *batches);

/* Stops collecting. The caller does this after success and failure; zeros have nothing to stop. */
void glnn__batch_iterator_end(glnn__batch_iterator *batches);

#endif
