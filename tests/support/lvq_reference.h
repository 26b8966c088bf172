/* A classifier of prototypes in double precision, by the formulas of glnn/lvq.h. It has bounds for
 * the error of float32 after one step from exact values: distances, factors of moves and sums each
 * add their rounding, which their derivatives carry on. */
#ifndef TESTS_LVQ_REFERENCE_H
#define TESTS_LVQ_REFERENCE_H

#include "prototypes.h"

typedef struct lvq_reference {
    glnn_lvq_desc desc;
    double epochs;
    array classes;       /* of prototypes: count x 1        */
    expected prototypes; /* count x features                */
    expected relevances; /* 1 x features; not with GMLVQ     */
    expected omega;      /* GMLVQ: rank x features           */
    expected rates;      /* OLVQ1: count x 1                 */
} lvq_reference;

/* A mean loss, and how many samples are classified right. */
typedef struct lvq_measure {
    double loss, bound;
    int right;
} lvq_measure;

/* The two nearest prototypes of a sample, or the nearest of its class and of any other; -1:
 * none. */
typedef struct lvq_winners {
    int first, second;
} lvq_winners;

/* The present state of the classifier. */
lvq_reference lvq_reference_of(const glnn_learner *lvq);

/* The squared distance of sample `row` to a prototype, and what float32 may add to it. */
double lvq_reference_distance(const lvq_reference *lvq, array inputs, int row, int prototype,
                              double *bound);

lvq_winners lvq_reference_nearest(const lvq_reference *lvq, array inputs, int row);

/* RSLVQ: -log p(x, y) / p(x) of a sample, and a prototype's factor Q_p - P_p. */
bounded lvq_reference_likelihood_loss(const lvq_reference *lvq, array inputs, int row, int label);
bounded lvq_reference_share(const lvq_reference *lvq, array inputs, int row, int label,
                            int prototype);

lvq_measure lvq_reference_measure(const lvq_reference *lvq, samples batch);

/* One step by the rule of the kind; returns the measure before it. */
lvq_measure lvq_reference_step(lvq_reference *lvq, samples batch, double rate);

/* Its part that changes relevances or Omega, by what `count` samples add up to. */
void lvq_reference_step_metric(lvq_reference *lvq, expected metric, int count);

#endif
