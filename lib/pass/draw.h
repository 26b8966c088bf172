/* Draws a pass whose program is chosen. */
#ifndef GLNN__PASS_DRAW_H
#define GLNN__PASS_DRAW_H

#include "pass/program.h"

/* Checks the textures of a pass, which precedes its drawing. E_STATE: a host has deleted or changed
 * one. E_ARG: the output is the same image as an operand, but another matrix. */
glnn_status glnn__draw_check(glnn_context *ctx, const glnn__pass *pass);

/* Claims the texture units for the layers of a factor. If the host has bound an object there that
 * could not be bound again, the factor is read as one texture, which gives the same bits. */
bool glnn__draw_claims_layers(glnn_context *ctx, int factor);

/* Draws the pass. The program is finished before. */
glnn_status glnn__pass_draw(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

/* Does the next piece of work on the program of a pass, which program->is_used ends. The first
 * piece hands it to the driver and the second one waits for the driver. The third one uses it over
 * an empty viewport, because some drivers compile at the first use. */
glnn_status glnn__pass_work(glnn_context *ctx, glnn__program *program, const glnn__pass *pass);

#endif
