/* Problems for searches of the nearest prototypes, their reference in double precision, and the
 * comparison of what a search finds with it. */
#ifndef TESTS_SEARCH_H
#define TESTS_SEARCH_H

#include "reference.h"

#include "ops/nearest.h"

/* Random samples and prototypes; `classes` 0: without labels. */
typedef struct problem {
    int samples, prototypes, features, classes;
    bool is_exact; /* small whole numbers: float32 finds the scores exactly, and many are equal */
} problem;

/* The same in main memory: labels are those of a data set that has more samples than the batch. */
typedef struct vectors {
    array x, m, classes, labels, order;
    expected scores; /* samples x prototypes, with the greatest errors of float32: of a search
                        for few samples, the squared distances */
    int first, count;
    bool is_exact;
} vectors;

/* Which prototypes may take a place. */
typedef enum place { ANY, OWN_CLASS, OTHER_CLASS } place;

/* How a problem is searched. */
typedef struct way {
    glnn__nearest_kind kind;
    glnn_search search;
    glnn_layout samples, prototypes;
    bool norms, order;
} way;

vectors vectors_of(const problem *p);

/* Fills in v->scores. */
void find_scores(vectors *v, bool are_distances);

/* The prototype and score that a search found: the least, or one that rounding cannot tell from
 * it. */
int check_winner(const vectors *v, int sample, place which, const int *taken, int taken_count,
                 double index, double value, const char *what);

glnn__nearest nearest_of(vectors *v, const way *w);

/* Runs the search, and compares every row with the reference. */
array check_search(vectors *v, const way *w);

#endif
