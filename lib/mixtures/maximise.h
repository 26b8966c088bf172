#ifndef GLNN__MIXTURES_MAXIMISE_H
#define GLNN__MIXTURES_MAXIMISE_H

#include "mixtures/gmm.h"

/* The parameters that fit best the sums of the classes that are not settled, in double; these stay as
 * they are where the new ones cannot be used. Errors: E_DIVERGED, E_NOMEM, E_GL. */
glnn_status glnn__gmm_maximise(glnn_gmm *gmm);

#endif
