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
    bool has_pages;                /* rows after the last one of a layer are in the next */
} glnn__layout_info;

/* The number of a layout among those that passes can write, counted from TILED, and their count. */
/* clang-format off */
#define GLNN__RENDERED(layout) ((layout) - GLNN_LAYOUT_TILED)
/* clang-format on */
#define GLNN__RENDERED_LAYOUTS GLNN__RENDERED(GLNN_LAYOUT_PAGED)

/* Most layers of a TILED texture. It has 8, or 4 where a pass has only so many render targets. */
#define GLNN__TILE_LAYERS 8

/* The constants of a layout, in a context whose TILED textures have this number of layers. */
const glnn__layout_info *glnn__layout_get(glnn_layout layout, int tile_layers);

/* Floats of a texel: 1 or 4. */
int glnn__layout_channels(glnn_layout layout);

/* The size of a texture in texels.
 *
 * A texture can be *wrapped*: 2^wrap rows of blocks then lie side by side in a row of texels, so
 * that a matrix may have more rows of blocks than a texture has rows. The block in row y and column
 * x of blocks is at the texel
 *
 *     (x << wrap | (y & ((1 << wrap) - 1)), y >> wrap)
 *
 * so neighbouring rows of blocks stay neighbours. Blocks after the last row, in the last row of
 * texels, are padding. A PAGED texture is never wrapped. */
typedef struct glnn__extent {
    int width, height, layers;
    int wrap;         /* 0: each row of blocks has a row of texels of its own       */
    bool is_filtered; /* shaders filter the texture, so its sides are exactly these */
} glnn__extent;

/* The size of a texture for rows x columns elements. With more rows than `side`, a PAGED one has
 * pages of `side` rows, and any other one is wrapped if its width allows. If a side exceeds `side`,
 * the matrix does not fit. */
glnn__extent glnn__layout_extent(const glnn__layout_info *layout, int rows, int columns, int side);

/* The same, but wrapped 2^wrap times. */
glnn__extent glnn__layout_wrapped(const glnn__layout_info *layout, int rows, int columns, int wrap);

/* Software rasterisers draw squares of fragments with this side, each by one thread. */
#define GLNN__THREAD_SIDE 64

/* The same as glnn__layout_extent(), but for a texture of few such squares wrapped so that threads
 * have as much to draw as each other, if it matters. Most outputs of a layer fill one square, or a
 * few and a remainder, which leaves threads without work. */
glnn__extent glnn__layout_spread(const glnn__layout_info *layout, int rows, int columns, int side);

size_t glnn__extent_bytes(const glnn__layout_info *layout, glnn_storage storage,
                          glnn__extent extent);

/* A rectangle of blocks, or of the texels that hold blocks. In a PAGED matrix, whose blocks have
 * one row, it can span several pages. */
typedef struct glnn__blocks {
    int x, y, width, height;
} glnn__blocks;

/* The smallest rectangle of blocks that covers a rectangle of elements. */
glnn__blocks glnn__layout_cover(const glnn__layout_info *layout, const glnn_rect *rect);

/* The smallest rectangle of texels that covers a rectangle of blocks, or of elements. */
glnn__blocks glnn__blocks_wrap(const glnn__blocks *blocks, int wrap);
glnn__blocks glnn__layout_cover_texels(const glnn__layout_info *layout, int wrap,
                                       const glnn_rect *rect);

/* Whether `rect` contains all elements of the texels that cover it. */
bool glnn__layout_is_whole(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                           int rows, int columns);

/* Floats in a rectangle of texels, layer after layer. */
size_t glnn__blocks_floats(const glnn__layout_info *layout, const glnn__blocks *texels);

/* Copy the elements of `rect` between row-major memory and the texels that cover it. Packing does
 * not change the other floats of `texels`. */
void glnn__layout_pack(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                       const float *data, int ld, float *texels);
void glnn__layout_unpack(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                         const float *texels, float *data, int ld);

#endif
