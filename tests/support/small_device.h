/* A device whose greatest texture is small, so that small matrices exceed it. */
#ifndef TESTS_SMALL_DEVICE_H
#define TESTS_SMALL_DEVICE_H

#include "support.h"

/* The greatest side of a texture, and the most layers of an array. */
enum { SMALL_SIDE = 128, SMALL_LAYERS = 16 };

/* The present context has only small textures, until the next call takes the limits back. Between
 * them OpenGL itself refuses greater textures, as a driver with these limits does. */
void small_device_begin(void);
void small_device_end(void);

/* Group setup: the context of the program has only small textures from the beginning. */
int small_device_setup(void **state);

/* Whether a matrix of this shape fits a texture of the device. */
bool fits_small_device(glnn_layout layout, int rows, int columns);

/* The call was refused for the limit of the device: with GLNN_E_LIMIT, and a sentence that begins
 * with `what` and has the limit and the size of the matrix; rows 0: of any matrix. */
void expect_limit_refusal(glnn_status status, const char *what, int rows, int columns);

#endif
