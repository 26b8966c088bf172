/* Yields the batches of an epoch, the same for data sets that stay on the GPU and for those that
 * stream. */
#ifndef GLNN__DATA_BATCH_ITERATOR_H
#define GLNN__DATA_BATCH_ITERATOR_H

#include "data/batch.h"
#include "data/order.h"

typedef struct glnn__batch_iterator {
    const glnn_dataset *data;
    const glnn__order *order; /* NULL: the samples' own */
    int at, end;              /* entries of the order that are still to come */
    int unit;
    uint64_t number; /* of streams: tells this iterator from others over the same set */
    int window;      /* of streams: the one that batches come from                    */
} glnn__batch_iterator;

/* Fails with E_LIMIT if batches of `unit` samples are too large for the set's budget. */
glnn_status glnn__batch_iterator_check(const glnn_dataset *data, int unit);

/* Begins with `count` entries of an order from `first` on. Windows of a stream hold whole units of
 * them. While one iterator is in use, others may begin over the same set; the first one then
 * collects its samples again. */
glnn_status glnn__batch_iterator_begin(const glnn_dataset *data, const glnn__order *order,
                                       int first, int count, int unit, glnn__batch_iterator *out);

/* The next samples: `most` of them, or fewer at the end and where the window of a stream ends,
 * which is at a multiple of the unit. The batch may be used until the next call. */
glnn_status glnn__batch_iterator_next(glnn__batch_iterator *batches, int most, glnn__batch *out);

/* Samples that are still to come. */
int glnn__batch_iterator_left(const glnn__batch_iterator *batches);

/* Stops collecting. To be called after success and failure alike; zeros have nothing to stop. */
void glnn__batch_iterator_end(glnn__batch_iterator *batches);

#endif
