/* A picture of a whole matrix, drawn on the GPU from the texture of the matrix: a pixel for each
 * element, or for a rectangle of them if the matrix is large. 0 is white, positive numbers are red
 * and negative ones blue; the greatest magnitude has the full colour. */
#ifndef EXAMPLES_SHEET_H
#define EXAMPLES_SHEET_H

#include <glnn/matrix.h>

#include <stdbool.h>

/* The most pixels of a side. */
enum { SHEET_SIDE = 512 };

typedef struct sheet sheet;

/* False with a failure. */
bool sheet_create(glnn_context *ctx, sheet **out);
void sheet_destroy(sheet *of);

/* The elements that stand out, while all others are drawn darker: those that `counts`, a matrix of
 * the same shape, has numbers above 0 for, or those of a rectangle. Zeros: all. */
typedef struct sheet_marks {
    const glnn_matrix *counts;
    glnn_rect rect;
} sheet_marks;

/* Draws a matrix. `is_new`: its elements are not those of the last time. False with a failure. It
 * leaves other OpenGL state than before, as pictures_draw does. */
bool sheet_draw(sheet *of, const glnn_matrix *matrix, bool is_new, const sheet_marks *marks);

/* The texture, and its size in pixels. */
unsigned sheet_get_texture(const sheet *of);
void sheet_get_size(const sheet *of, int *width, int *height);

#endif
