/* The order in which samples are drawn. */
#ifndef GLNN__DATA_ORDER_H
#define GLNN__DATA_ORDER_H

#include "base/random.h"
#include "tex/matrix.h"

/* Float32 represents all integers up to this one. */
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

/* Shuffles the first `count` entries; all orders are equally likely. */
void glnn__order_shuffle(glnn__order *order, int count);

/* A part of an order in groups: group g has the entries begins[g] to begins[g + 1] - 1. */
typedef struct glnn__groups {
    int count;
    int *begins; /* count + 1 */
} glnn__groups;

/* Sorts `count` entries from `first` on by their labels, and keeps their order within a class. Each
 * of the `classes` is a group; with `labels` NULL all entries are one group. The caller passes *out
 * to glnn__groups_destroy after success and failure. */
glnn_status glnn__order_group(glnn__order *order, int first, int count, const int *labels,
                              int classes, glnn__groups *out);
void glnn__groups_destroy(glnn__groups *groups);

/* Uploads the entries as float32, so there are at most GLNN__MAX_NUMBERED samples. */
glnn_status glnn__order_upload(glnn_context *ctx, glnn__order *order);

/* Takes the first `count` entries from the matrix. Waits. */
glnn_status glnn__order_download(glnn_context *ctx, glnn__order *order, int count);

#endif
