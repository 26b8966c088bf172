/* The order in which samples are drawn. */
#ifndef GLNN__DATA_ORDER_H
#define GLNN__DATA_ORDER_H

#include "base/random.h"
#include "tex/matrix.h"

/* Float32 holds whole numbers exactly up to here. */
#define GLNN__MAX_NUMBERED (1 << 24)

typedef struct glnn__order {
    int samples;
    int *entries; /* sample numbers */
    glnn__random random;
    glnn_matrix *matrix; /* the same, samples x 1, PAGED; NULL before the first upload */
} glnn__order;

/* Starts with 0, 1, 2 ... */
glnn_status glnn__order_create(int samples, uint64_t seed, glnn__order *out);
void glnn__order_destroy(glnn__order *order);

/* Shuffles the first `count` entries, each order as likely as any other. */
void glnn__order_shuffle(glnn__order *order, int count);

/* A part of an order, cut into groups: group g is the entries from begins[g] to begins[g + 1] -
 * 1. */
typedef struct glnn__groups {
    int count;
    int *begins; /* count + 1 */
} glnn__groups;

/* Sorts `count` entries from `first` on by their labels, those of one label in their old order, and
 * makes a group of each of the `classes`. Without labels (NULL) all entries are one group.
 * Owner: the caller, who passes *out to glnn__groups_destroy after success and failure alike. */
glnn_status glnn__order_group(glnn__order *order, int first, int count, const int *labels,
                              int classes, glnn__groups *out);
void glnn__groups_destroy(glnn__groups *groups);

/* Puts the entries on the GPU, where float32 numbers them: at most GLNN__MAX_NUMBERED samples. */
glnn_status glnn__order_upload(glnn_context *ctx, glnn__order *order);

#endif
