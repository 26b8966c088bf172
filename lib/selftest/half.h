/* Numbers of 16 bits, as glnn/matrix.h says that they are stored. */
#ifndef GLNN__SELFTEST_HALF_H
#define GLNN__SELFTEST_HALF_H

#include <glnn/matrix.h>

/* A number as 16 bits hold it: to the nearest, of two to the even one. */
double glnn__half_of(double value);

/* How far an element that a matrix stores may be from what float32 computes within `bound`: exactly
 * rounded where that is 0, else off by one rounding more. Sets *value to what is to be stored. */
double glnn__stored_bound(glnn_storage storage, double *value, double bound);

#endif
