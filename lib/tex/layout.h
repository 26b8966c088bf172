/* The places of the elements of a matrix in its texture. Arithmetic only, no OpenGL. */
#ifndef GLNN__TEX_LAYOUT_H
#define GLNN__TEX_LAYOUT_H

#include <glnn/matrix.h>

/* Bytes of an element. */
size_t glnn__storage_bytes(glnn_storage storage);

/* The constants of a layout. */
typedef struct glnn__layout_info {
    int block_rows, block_columns; /* elements of a block                       */
    int channels;                  /* floats of a texel: 1 or 4                 */
    int block_layers;              /* texels of a block, one in each layer      */
    bool is_array;                 /* an array texture, even of one layer       */
} glnn__layout_info;

/* The number of a layout among those that passes can write, counted from TILED, and their count. */
#define GLNN__RENDERED(layout) ((layout)-GLNN_LAYOUT_TILED)
#define GLNN__RENDERED_LAYOUTS GLNN__RENDERED(GLNN_LAYOUT_PAGED)

/* Layers of a TILED texture. */
#define GLNN__TILE_LAYERS 8

const glnn__layout_info *glnn__layout_get(glnn_layout layout);

/* The size of a texture in texels. */
typedef struct glnn__extent {
    int width, height, layers;
} glnn__extent;

/* The size of a texture for rows x columns elements. A PAGED one has pages of `page_rows` rows. */
glnn__extent glnn__layout_extent(glnn_layout layout, int rows, int columns, int page_rows);

size_t glnn__extent_bytes(glnn_layout layout, glnn_storage storage, glnn__extent extent);

/* A rectangle of blocks. In a PAGED matrix, whose blocks have one row, it can span several
 * pages. */
typedef struct glnn__blocks {
    int x, y, width, height;
} glnn__blocks;

/* The smallest rectangle of blocks that covers a rectangle of elements. */
glnn__blocks glnn__layout_cover(glnn_layout layout, const glnn_rect *rect);

/* Whether `rect` contains all elements of the blocks that cover it. */
bool glnn__layout_is_whole(glnn_layout layout, const glnn_rect *rect, int rows, int columns);

/* Floats in the texels of a rectangle of blocks, layer after layer. */
size_t glnn__blocks_floats(glnn_layout layout, const glnn__blocks *blocks);

/* Copy the elements of `rect` between row-major memory and the texels of the blocks that cover it.
 * Packing does not change the other floats of `texels`. */
void glnn__layout_pack(glnn_layout layout, const glnn_rect *rect, const float *data, int ld,
                       float *texels);
void glnn__layout_unpack(glnn_layout layout, const glnn_rect *rect, const float *texels,
                         float *data, int ld);

#endif
