/* A training step of a net with one hidden layer by the published scheme for graphics hardware: all
 * N patterns at once, and a rendering pass for each unit or pattern that is summed over.
 *
 * Forward, a layer takes a pass for each of its inputs, which adds the products of that input with
 * the weights of all units, for all patterns; a pass for the thresholds; and one for the sigmoid. A
 * pass for each output unit takes the errors back. The weights of a layer take a pass for each
 * pattern. That makes M_I + M_H + M_O + 2N + 4 passes for a net M_I-M_H-M_O.
 *
 * Unpacked, a texel holds one unit of one pattern. Packed, it holds one unit of four patterns: the
 * weights take N/2 passes instead of 2N, and the other passes a quarter of the fragments.
 *
 * A pass is one draw call. A texture cannot be read while it is written to, so a pass that adds to
 * a sum reads it in one texture and renders into another. The chips of the time had to do so,
 * because they could not blend float32. With `blends` it blends instead, so that passes of one sum
 * share their output.
 *
 * The gradient of a layer is summed apart from the weights, to which its last pass adds it: a share
 * of rate / N added to a weight alone would be lost in rounding.
 *
 * Nets with targets and without momentum. */
#ifndef BENCH_PUBLISHED_H
#define BENCH_PUBLISHED_H

#include <glnn/context.h>

#include "common/net.h"

/* The shaders of one variant, for nets of any size. A failure ends the program. */
typedef struct published_programs published_programs;

published_programs *published_programs_new(glnn_context *ctx, bool is_packed, bool blends);
void published_programs_free(published_programs *programs); /* may be null */

/* A net with the weights of net_weights_new and the first batch of `data`. The programs have to
 * outlive it. No texture may have more than `limit` rows or columns. */
typedef struct published published;

published *published_new(const published_programs *programs, const net_case *of,
                         const net_data *data, int limit);
void published_free(published *p);

/* One step on the batch. */
void published_step(published *p);

void published_weights(published *p, net_weights *out);

/* The passes of the latest step, as they were drawn. */
int published_passes(const published *p);

/* The passes of a step by the formula. Packed, a last group of fewer than four patterns counts as
 * one of four. */
int published_formula(const net_case *of, bool is_packed);

/* The most patterns that textures with this limit can hold: one or four for each of their rows; 0
 * if the weights do not fit. */
int published_capacity(const net_case *of, bool is_packed, int limit);

#endif
