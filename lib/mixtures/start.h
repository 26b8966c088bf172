#ifndef GLNN__MIXTURES_START_H
#define GLNN__MIXTURES_START_H

#include "mixtures/gmm.h"

/* The parameters that training begins with: those of k-means within each class. `chosen` are the numbers
 * of the samples that are trained on, class by class, as many as gmm->classes say. */
glnn_status glnn__gmm_start(glnn_gmm *gmm, const glnn_dataset *data, const int *chosen);

#endif
