/* Measuring a learner on samples, and counting the classes that it finds. */
#ifndef GLNN__LEARN_EVALUATE_H
#define GLNN__LEARN_EVALUATE_H

#include "data/batch_iterator.h"
#include "learn/learner.h"

/* Rows of the matrices for parts of a batch or range of `count` samples. */
int glnn__part_rows(const glnn_learner *learner, int count);

/* Rows of the parts of a batch. The parts are about equal, because passes compute all rows. */
int glnn__batch_rows(const glnn_learner *learner, int batch);

/* Samples that are measured together: `count` entries of an order from `first` on, or none. */
typedef struct glnn__range {
    const glnn_dataset *data;
    const glnn__order *order; /* NULL: the samples' own */
    int first, count;
    int rows;  /* of the matrices for a part */
    int group; /* of the samples             */
} glnn__range;

/* The parts of some ranges, one after the other. The program may use learner and data sets between
 * two of them. Windows of a stream end at multiples of the rows, so that it gives the same parts.
 */
typedef struct glnn__parts {
    const glnn__range *ranges;
    int count; /* ranges left, with the one under way */
    bool has_begun;
    glnn__batch_iterator iterator;
} glnn__parts;

/* The next part, for which the learner is prepared. *has_part: there was one. The caller then ends
 * the parts, after a failure too. */
glnn_status glnn__parts_next(glnn_learner *learner, glnn__parts *parts, glnn__batch *out,
                             bool *has_part);
void glnn__parts_end(glnn__parts *parts);

/* Hands the samples to `take` in parts of so many rows, one after the other. */
typedef glnn_status (*glnn__take_fn)(glnn_learner *learner, const glnn__batch *part, void *user);
glnn_status glnn__take_range(glnn_learner *learner, const glnn__range *of, glnn__take_fn take,
                             void *user);

/* The losses and counts of the samples of some ranges; waits for them. */
glnn_status glnn__measure(glnn_learner *learner, const glnn__range *ranges, int count,
                          glnn__totals *out);

/* Length of the target vectors that the learner learns from a data set; 0: it learns none. */
int glnn__learnt_targets(glnn_learner *learner, const glnn_dataset *data);

/* Whether the data set fits the learner, for training or for measuring. E_ARG: it is of another
 * context, or has weights that the learner would not use; E_SHAPE: it has other features or
 * outputs; E_STATE: it has no labels, or no targets either. */
glnn_status glnn__check_data(glnn_learner *learner, const glnn_dataset *data, bool trains);

/* The metrics of all samples of a data set; `out` may be NULL. If `confusion` is not NULL, it
 * receives counts: confusion[label * outputs + class found]. E_DIVERGED: the loss is not finite, or
 * a sample has no class. `function` is the public one. */
glnn_status glnn__evaluate(glnn_learner *learner, const char *function, const glnn_dataset *data,
                           glnn_metrics *out, int64_t *confusion);

#endif
