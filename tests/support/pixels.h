/* The two forms of a signal (layers/layer.h). */
#ifndef TESTS_PIXELS_H
#define TESTS_PIXELS_H

#include "support.h"

#include <glnn/network.h>

/* Rows of channels for each pixel, of samples whose numbers are ordered by channel, row and column;
 * and back. */
array pixels_of(array flat, glnn_shape shape);
array flat_of(array pixels, glnn_shape shape);

#endif
