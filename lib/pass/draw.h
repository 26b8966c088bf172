/* Draws a pass whose program is chosen. */
#ifndef GLNN__PASS_DRAW_H
#define GLNN__PASS_DRAW_H

#include "pass/program.h"

/* Draws the pass. The program is finished before. */
glnn_status glnn__pass_draw(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

/* Does the next piece of work on the program of a pass, which program->is_used ends. The first
 * piece hands it to the driver and the second one waits for the driver. The third one uses it over
 * an empty viewport, because some drivers compile at the first use. */
glnn_status glnn__pass_work(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

#endif
