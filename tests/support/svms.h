/* Support vector machines for tests, and their weights as arrays. */
#ifndef TESTS_SVMS_H
#define TESTS_SVMS_H

#include "learning.h"

#include <glnn/svm.h>

/* Lives until release_learning(). */
glnn_learner *svm_of(const glnn_svm_desc *desc);

/* Classes x (features + 1): weights, and the bias in the last column. */
array hyperplanes_of(const glnn_learner *svm);
void set_hyperplanes(glnn_learner *svm, array hyperplanes);

#endif
