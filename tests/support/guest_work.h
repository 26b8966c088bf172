/* Work of a guest that changes most of OpenGL's state. */
#ifndef TESTS_GUEST_WORK_H
#define TESTS_GUEST_WORK_H

#include <glnn/context.h>

/* Transfers whole and in part, and matrix products: in passes that blend, and layer by layer. */
void compute_something(glnn_context *ctx);

/* Samples that pass through pixel buffers, in windows of 8. */
void train_something(glnn_context *ctx);

#endif
