/* Where the elements of a matrix lie in its texture; arithmetic only, no OpenGL. */
#ifndef GLNN__TEX_LAYOUT_H
#define GLNN__TEX_LAYOUT_H

#include <glnn/matrix.h>

/* Bytes of an element. */
size_t glnn__storage_bytes(glnn_storage storage);

/* The constants of a layout. */
typedef struct glnn__layout_info {
    int block_rows, block_columns; /* elements of a block                       */
    int channels;                  /* floats of a texel: 1 or 4                 */
    int block_layers;              /* texels of a block, one a layer            */
    bool is_array;                 /* an array texture, whatever the layers     */
} glnn__layout_info;

/* The number of a layout among those that passes write, from TILED on, and how many these are. */
#define GLNN__RENDERED(layout) ((layout)-GLNN_LAYOUT_TILED)
#define GLNN__RENDERED_LAYOUTS GLNN__RENDERED(GLNN_LAYOUT_PAGED)

/* Layers of a TILED texture. */
#define GLNN__TILE_LAYERS 8

const glnn__layout_info *glnn__layout_get(glnn_layout layout);

/* The size of a texture in texels. */
typedef struct glnn__extent {
    int width, height, layers;
} glnn__extent;

/* The texture that holds rows x columns; a PAGED one has pages of `page_rows` rows. */
glnn__extent glnn__layout_extent(glnn_layout layout, int rows, int columns, int page_rows);

size_t glnn__extent_bytes(glnn_layout layout, glnn_storage storage, glnn__extent extent);

/* A rectangle of blocks; of a PAGED matrix, whose block is one row high, pages play no part in
 * it. */
typedef struct glnn__blocks {
    int x, y, width, height;
} glnn__blocks;

/* The least rectangle of blocks that covers a rectangle of elements. */
glnn__blocks glnn__layout_cover(glnn_layout layout, const glnn_rect *rect);

/* True where `rect` holds all elements, up to the matrix's edge, of the blocks that cover it. */
bool glnn__layout_is_whole(glnn_layout layout, const glnn_rect *rect, int rows, int columns);

/* Floats that the texels of a rectangle of blocks take, layer after layer. */
size_t glnn__blocks_floats(glnn_layout layout, const glnn__blocks *blocks);

/* Moves the elements of `rect` between row-major memory and the texels of the blocks that cover it.
 * Packing leaves every other float of `texels` as it is. */
void glnn__layout_pack(glnn_layout layout, const glnn_rect *rect, const float *data, int ld,
                       float *texels);
void glnn__layout_unpack(glnn_layout layout, const glnn_rect *rect, const float *texels,
                         float *data, int ld);

#endif
