/* Classifiers of prototypes for tests, and what they have learnt as arrays. */
#ifndef TESTS_PROTOTYPES_H
#define TESTS_PROTOTYPES_H

#include "learning.h"

#include <glnn/lvq.h>

/* Lives until release_learning(). */
glnn_learner *lvq_of(const glnn_lvq_desc *desc);

array prototypes_of(const glnn_learner *lvq);
/* The diagonal of Omega' Omega with GMLVQ, and ones for kinds without either. */
array relevances_of(const glnn_learner *lvq);

array omega_of(const glnn_learner *lvq);
array rates_of(const glnn_learner *lvq);

/* All that two classifiers have learnt is the same bits. */
void expect_same_classifiers(const glnn_learner *left, const glnn_learner *right, const char *what);

#endif
