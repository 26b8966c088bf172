/* A training step as the pixel shaders of 2004 computed it, for nets with targets and without
 * momentum.
 *
 * A pass is a triangle over a viewport. The product of a matrix of M columns with a vector takes
 * one pass in which each fragment multiplies 12 columns, because a shader could hold no more. The
 * ceil(M / 12) partial products of a row lie side by side in scratch memory. In each pass that
 * follows, a fragment sums 8 of them, until one is left:
 *
 *     sums(M) = ceil(log_8(ceil(M / 12)))
 *
 * Nothing is blended: the chips of the time could not blend float32. A net of I inputs, H hidden
 * units and O outputs has the thresholds as weights of a unit that is always 1. One pattern after
 * another takes these passes:
 *
 *     a product and a sigmoid for each layer             4 + sums(I + 1) + sums(H + 1)
 *     the delta of the outputs                           1
 *     its product with the transpose, the hidden delta   2 + sums(O)
 *     an outer product for each gradient                 2
 *
 * A step takes three more: it transposes the weights of the output layer, and adds the gradients of
 * all patterns to the weights of each layer. For N patterns that makes
 *
 *     N (9 + sums(I + 1) + sums(H + 1) + sums(O)) + 3
 *
 * Parameters and scratch are rectangles of one texture. OpenGL 4.3 leaves undefined what a pass
 * reads of a texture that it renders into, even of other texels. So there is a second texture like
 * it, and each pass reads the one and writes the other. Where the latest contents of two operands
 * lie in different textures, glCopyImageSubData copies one of them over, which is defined and is
 * not counted as a pass. */
#ifndef BENCH_ORIGINAL_H
#define BENCH_ORIGINAL_H

#include <glnn/context.h>

#include "common/net.h"

/* A net with the weights of net_weights_new and the first batch of `data`. A failure ends the
 * program. */
typedef struct original original;

original *original_new(glnn_context *ctx, const net_case *of, const net_data *data);
void original_free(original *o);

/* One step on the batch. */
void original_step(original *o);

void original_weights(original *o, net_weights *out);

/* The passes of the latest step, as they were drawn, and those of a step by the formula. */
int original_passes(const original *o);
int original_formula(const net_case *of);

#endif
