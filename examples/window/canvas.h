/* A square of paper in a texture, which strokes of a round pen are drawn into. */
#ifndef EXAMPLES_CANVAS_H
#define EXAMPLES_CANVAS_H

#include <stdbool.h>

/* Pixels of a side, and of the level that is half as fine. Row 0 is at the top. */
enum { CANVAS_SIDE = 256, CANVAS_HALF = CANVAS_SIDE / 2 };

typedef struct canvas canvas;

/* An empty canvas in the current OpenGL context. */
canvas *canvas_create(void);

/* NULL is ignored. */
void canvas_destroy(canvas *of);

void canvas_clear(canvas *of);

/* Draws a line with round ends, in pixels from the left and upper edge. Its edge is antialiased,
 * and where strokes cross, the ink is that of the darker one. */
void canvas_draw(canvas *of, float x0, float y0, float x1, float y1, float radius);

bool canvas_is_empty(const canvas *of);

/* OpenGL's name of the texture, R8 of two levels: 0 for paper and 1 for ink. Sampled as a colour
 * it is grey. */
unsigned canvas_get_texture(const canvas *of);

#endif
