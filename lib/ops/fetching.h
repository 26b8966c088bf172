/* How operations that do little but read and write read their operands. */
#ifndef GLNN__OPS_FETCHING_H
#define GLNN__OPS_FETCHING_H

#include "pass/pass.h"

/* How a pass reads x fastest, by what is known of the driver; a large x finds it out where it is not
 * known yet, see pass/profile.h. */
glnn_status glnn__choose_fetching(glnn_context *ctx, const glnn_matrix *x,
                                  glnn__fetching *fetching);

/* Whether neighbouring fragments that reduce x read side by side, each every n-th element, or each
 * fragment elements that lie side by side; found out in the same way. */
glnn_status glnn__choose_interleaving(glnn_context *ctx, const glnn_matrix *x, bool *interleaves);

#endif
