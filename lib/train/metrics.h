/* Loss and counts, added up on the GPU over many batches and read back now and then. */
#ifndef GLNN__TRAIN_METRICS_H
#define GLNN__TRAIN_METRICS_H

#include "tex/matrix.h"

/* Sums over samples, in the order of score.glsl. */
typedef struct glnn__totals {
    float loss;
    float correct;
    float finite; /* samples whose loss is a finite number */
    float samples;
} glnn__totals;

/* Every sample has a loss that is a finite number, and so is their sum. */
bool glnn__totals_are_finite(const glnn__totals *totals);

/* The sums of every row of a batch, in the last four columns, and a place for their total. */
typedef struct glnn__scores {
    glnn_matrix *rows;  /* capacity x columns */
    glnn_matrix *total; /* 1 x columns        */
    glnn_download *pending;
} glnn__scores;

/* `columns` is 4, or more for a learner whose kernel writes something else in front of the sums. */
glnn_status glnn__scores_create(glnn_context *ctx, int capacity, int columns, glnn__scores *out);
void glnn__scores_destroy(glnn__scores *scores);

/* Starts from zero. A read that is pending is dropped. */
glnn_status glnn__scores_clear(glnn_context *ctx, glnn__scores *scores);

/* Asks for the totals as of now, where no read is pending; does not wait. */
glnn_status glnn__scores_request(glnn_context *ctx, glnn__scores *scores);

/* True once the totals that were asked for are there. */
bool glnn__scores_ready(const glnn__scores *scores);

/* The totals that were asked for, or the present ones where none were; waits if it has to. */
glnn_status glnn__scores_take(glnn_context *ctx, glnn__scores *scores, glnn__totals *out);

#endif
