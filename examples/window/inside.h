/* A training step pass by pass, in the window: the list of passes, pictures of the matrices of one,
 * the texels that the fragment under the pointer has fetched, and the GLSL text that ran. Lengths
 * are in units of the panel. Failures end the program. */
#ifndef EXAMPLES_INSIDE_H
#define EXAMPLES_INSIDE_H

#include <glnn/glnn.h>

#include "sheet.h"

/* Operands, the output before and after, side outputs. */
enum { INSIDE_PICTURES = GLNN_PASS_MAX_OPERANDS + 2 + GLNN_PASS_MAX_SIDE_OUTPUTS };

/* A matrix of the pass that is shown. */
typedef struct inside_picture {
    const char *name;
    const glnn_matrix *matrix;
    int operand;         /* -1: none                                           */
    glnn_matrix *counts; /* of fetches; NULL: not an operand, or a large one   */
    sheet *sheet;
} inside_picture;

typedef struct inside {
    glnn_context *ctx;
    glnn_inspection *inspection; /* NULL: no step was looked into */
    int pass;
    int count;
    inside_picture pictures[INSIDE_PICTURES];
    int output;      /* the picture of what the pass writes first     */
    bool is_new;     /* the pictures are those of another pass    */
    bool is_changed; /* or of another block                       */
    glnn_rect block; /* under the pointer; rows 0: none               */
    const char *text;
} inside;

/* Shows a step, which the window then owns, until inside_hide, which has to come before the context
 * is destroyed. */
void inside_show(inside *of, glnn_context *ctx, glnn_inspection *inspection);
void inside_hide(inside *of);

/* Goes so many passes forwards, or backwards. */
void inside_move(inside *of, int passes);

/* Show the list of passes, and the one that was chosen. */
void inside_show_passes(inside *of, float width, float height);
void inside_show_pass(inside *of, float width, float height);

#endif
