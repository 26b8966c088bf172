/* Draws a pass whose program is chosen. */
#ifndef GLNN__PASS_DRAW_H
#define GLNN__PASS_DRAW_H

#include "pass/program.h"

/* Draws the pass. The program is finished before. */
glnn_status glnn__pass_draw(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

/* Does the next piece of work until the program of a pass can be used at once (program->is_used):
 * handing it to the driver, waiting for the driver, or using it over an empty viewport, because
 * some drivers compile at the first use. */
glnn_status glnn__pass_work(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

#endif
