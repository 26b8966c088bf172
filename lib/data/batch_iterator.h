/* A walk over samples of a data set in batches, the same for sets that stay on the GPU and for those
 * that stream. */
#ifndef GLNN__DATA_BATCH_ITERATOR_H
#define GLNN__DATA_BATCH_ITERATOR_H

#include "data/dataset.h"
#include "data/order.h"

/* Some samples of a data set: `count` entries of `order` (samples x 1, PAGED) from `first` on, or
 * the samples `first`, `first` + 1 ... themselves where `order` is NULL. */
typedef struct glnn__batch {
    const glnn_dataset *data;
    const glnn_matrix *order;
    int first, count;
    int full;          /* of steps: the count of all batches but the last, which may be smaller; of
                 measurements: all samples, which may come in several batches              */
    int epoch_samples; /* of steps: samples of all batches of an epoch */
    int group;         /* 1 + the class of all samples, where the learner is given them class by
                 class; else 0 */
} glnn__batch;

/* The part of a batch from its sample `offset` on, of at most `capacity` samples. */
glnn__batch glnn__batch_part(const glnn__batch *batch, int offset, int capacity);

typedef struct glnn__walk {
    const glnn_dataset *data;
    const glnn__order *order; /* NULL: the samples' own */
    int at, end;              /* entries of the order that are still to come */
    int unit;
    uint64_t number; /* of streams: tells this walk from others over the same set */
    int window;      /* of streams: the one that batches come from                */
} glnn__walk;

/* Fails with E_LIMIT where batches of `unit` samples are too large for the set's budget. */
glnn_status glnn__walk_check(const glnn_dataset *data, int unit);

/* Walks over `count` entries of an order from `first` on. Windows of a stream hold whole units of
 * them. One walk over a set may begin inside another; the outer one then collects its samples
 * again. */
glnn_status glnn__walk_begin(const glnn_dataset *data, const glnn__order *order, int first,
                             int count, int unit, glnn__walk *out);

/* The next samples: `most` of them, or fewer where the walk ends, or the window of a stream, which
 * is at a multiple of the unit. The batch may be used until the next call; its `full` is left to the
 * caller. */
glnn_status glnn__walk_next(glnn__walk *walk, int most, glnn__batch *out);

/* True where nothing is left. */
bool glnn__walk_is_over(const glnn__walk *walk);

/* Lets go of what is being collected. To be called after success and failure alike. */
void glnn__walk_end(glnn__walk *walk);

#endif
