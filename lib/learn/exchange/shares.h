/* The shares of the processes: how many samples of a batch each of them computes. */
#ifndef GLNN__LEARN_EXCHANGE_SHARES_H
#define GLNN__LEARN_EXCHANGE_SHARES_H

#include <glnn/base.h>

typedef struct glnn__shares {
    int ranks;
    double *weights; /* of the ranks, positive           */
    double total, least;
    double *remainders; /* room for one of each rank        */
    int *begins;        /* of the samples of each rank, among `count` */
    int count;
    int *turns; /* the rank of each whole batch     */
} glnn__shares;

/* Equal shares. To be destroyed after failure too. */
glnn_status glnn__shares_create(int ranks, glnn__shares *out);
void glnn__shares_destroy(glnn__shares *shares);

/* Positive and finite weights of the ranks. */
void glnn__shares_set(glnn__shares *shares, const double *weights);

/* The exact share of a rank, which need not be a whole number. */
double glnn__shares_exact(const glnn__shares *shares, int count, int rank);

/* Divides `count` samples: those of rank r begin at shares->begins[r]. Each rank has its exact
 * share rounded down, and the ranks with the largest remainders have one more, lower ranks
 * first. */
void glnn__shares_divide(glnn__shares *shares, int count);

/* Gives each of `count` whole batches to the rank that has received the least so far in relation to
 * its weight; shares->turns then lists the ranks. */
glnn_status glnn__shares_take_turns(glnn__shares *shares, int count);

#endif
