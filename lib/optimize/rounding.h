/* Gradients that travel to other processes in 16 bits.
 *
 * The pass that computes the last part of a gradient g writes it in 16 bits, times a power of two:
 *
 *   halves   = round(2^exponent (g + residual))
 *   residual = g + residual - 2^-exponent halves
 *
 * So the difference that rounding makes is not lost: it is a part of the next gradient. Numbers
 * that are too large are limited, so that the sum over all processes does not become infinite, and
 * the rest remains in the residual too. NaN and infinity stay as they are.
 *
 * The exponent follows the sums of all processes, which have the same bits everywhere. */
#ifndef GLNN__OPTIMIZE_ROUNDING_H
#define GLNN__OPTIMIZE_ROUNDING_H

#include "optimize/update.h"

/* The exponent of the first step. The exponents stay between the other two. */
#define GLNN__ROUNDING_FIRST 10
#define GLNN__ROUNDING_LEAST (-40)
#define GLNN__ROUNDING_MOST  40

/* Whether the last part of a gradient is rounded. */
bool glnn__rounding_is_asked(const glnn__sink *sink);

/* Makes the matrices, with a residual of zero, unless they exist. */
glnn_status glnn__rounding_prepare(glnn_context *ctx, glnn__parameters *parameters);

/* The update of `halves` by a gradient, with the exponent that is due. */
glnn__update glnn__rounding_choose(const glnn__sink *sink, glnn__parameters *parameters);

/* Chooses the next exponent, by the bits of the largest magnitude in the sum of `halves` over all
 * processes. */
void glnn__rounding_follow(glnn__parameters *parameters, unsigned most);

/* 2^-exponent if the latest gradient was rounded, else 1. */
float glnn__rounding_unit(const glnn__parameters *parameters);

/* Begins again with a residual of zero. */
void glnn__rounding_reset(glnn__parameters *parameters);

#endif
