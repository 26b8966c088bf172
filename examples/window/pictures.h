/* Pictures of the numbers of a matrix, drawn on the GPU from the texture of the matrix. */
#ifndef EXAMPLES_PICTURES_H
#define EXAMPLES_PICTURES_H

#include <glnn/matrix.h>

#include <stdbool.h>

typedef enum pictures_colours {
    PICTURES_GRAY,   /* 0 is black, 1 is white                                                   */
    PICTURES_HEAT,   /* 0 is black; the greatest magnitude of a picture is bright                */
    PICTURES_SIGNED, /* 0 is white, positive numbers are red, negative ones blue; the greatest
                        magnitude of a picture has the full colour                               */
} pictures_colours;

/* Pixel p of picture i is element (i, p) of the matrix, or (p, i). */
typedef struct pictures_desc {
    int count;
    int pixels; /* of a picture; the places after the last one in its last row are left empty */
    int width;  /* pixels in a row of a picture                                               */
    bool is_column;
    pictures_colours colours;
} pictures_desc;

/* Pictures in a grid, with lines of a pixel between them. */
typedef struct pictures pictures;

/* False with a failure. */
bool pictures_create(const pictures_desc *desc, pictures **out);
void pictures_destroy(pictures *of);

/* Draws the matrix with so many pictures in a row of the grid. The matrix may have another layout
 * than the last time. False with a failure. It leaves other OpenGL state than before: framebuffer,
 * viewport, program, vertex array and bound textures. */
bool pictures_draw(pictures *of, const glnn_matrix *matrix, int columns);

/* The texture of the grid, 0 before the first picture was drawn, and its size in pixels. */
unsigned pictures_get_texture(const pictures *of);
void pictures_get_size(const pictures *of, int *width, int *height);

/* The height of a picture divided by its width. */
float pictures_get_ratio(const pictures *of);

/* The place of a picture in the texture: left, top, right and bottom, from 0 to 1. */
void pictures_get_place(const pictures *of, int number, float place[4]);

/* The number of columns with which the pictures fill a place of this shape best. */
int pictures_get_columns(const pictures *of, float width, float height);

#endif
