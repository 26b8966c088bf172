/** @file
 *  @ingroup glnn_matrix
 *  @brief Matrices that live in textures, and their transfers.
 *
 *  A matrix has at least one row and one column, a layout and a storage. The *layout* says where
 *  the elements are in a texture. It divides the matrix into *blocks*: a block is the rectangle of
 *  elements at one texel position, through all layers of the texture. One fragment computes one
 *  block. At the right and lower edge of a matrix, the texture can hold elements that do not belong
 *  to it. They are called *padding* and are always zero.
 *
 *  A matrix may have more rows of blocks than a texture has rows. Several rows of blocks, a power
 *  of two, then lie side by side in a row of texels: the texture is *wrapped*. So the limit of a
 *  matrix is not its height but its number of blocks. PAGED matrices are not wrapped. Small TILED
 *  ones are wrapped on software rasterisers, whose threads then share the work evenly.
 *
 *  The *storage* says how an element is stored: as float32 or float16. All operations take operands
 *  of any storage and compute in float32. A result that is stored as float16 is rounded once, when
 *  it is written. The error bounds in the headers refer to operands as they are stored, and do not
 *  include this last rounding unless they mention it.
 *
 *  In main memory a matrix is an array of float, row after row, with a leading dimension `ld`:
 *  element (i, j) is `data[i * ld + j]`. `ld` must be at least the number of columns. 0 means the
 *  number of columns. */
#ifndef GLNN_MATRIX_H
#define GLNN_MATRIX_H

#include <glnn/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_matrix
 *  @{ */

/** A matrix in a texture. */
typedef struct glnn_matrix glnn_matrix;

/** Where elements are in a texture. A block of r x c elements has r rows and c columns. */
typedef enum glnn_layout {
    GLNN_LAYOUT_AUTO = 0, /**< TILED or PACKED: the library chooses when it creates the matrix or
                               the learner, which then has the chosen layout                     */
    GLNN_LAYOUT_TILED,    /**< blocks of 4 x 8 in eight layers, four columns in each texel; usually
                               the fastest. Blocks of 4 x 4 in four layers if the context has four
                               render targets (glnn_context_info::render_targets)                */
    GLNN_LAYOUT_PACKED,   /**< blocks of 1 x 4: four columns in each texel                       */
    GLNN_LAYOUT_UNPACKED, /**< blocks of 1 x 1: one element in each texel                        */
    GLNN_LAYOUT_PAGED,    /**< PACKED, with the rows divided among the layers of a texture, for data
                               sets with more rows than a texture can be high. Any operand can have
                               this layout; a result cannot. Uploads write it                    */
    GLNN_LAYOUT_COUNT
} glnn_layout;

/** The name of a layout: "auto", "tiled", "packed", "unpacked", "paged". @since 0.1 */
GLNN_API const char *glnn_layout_name(glnn_layout layout);

/** The layout with a name. @since 0.1 */
GLNN_API glnn_status glnn_layout_from_name(const char *name, glnn_layout *out);

/** How an element is stored. */
typedef enum glnn_storage {
    GLNN_STORAGE_FLOAT32 = 0, /**< 32 bits                                                       */
    /** 16 bits, of which 11 are significant. The library rounds to the nearest number that float16
     * can represent, ties to even. The relative error is at most 2^-11, and for magnitudes below
     * 2^-14 the absolute error is at most 2^-25. The largest number is 65504. Magnitudes from 65520
     * on become infinite; NaN remains NaN. */
    GLNN_STORAGE_FLOAT16,
    /** 8 bits: k / 255 for k from 0 to 255. Only adopted textures have it (glnn_matrix_adopt()).
     * Numbers that are written are clamped to 0 ... 1 and rounded to the nearest k / 255, with an
     * error of at most 1/510 + 2^-23. NaN becomes 0. */
    GLNN_STORAGE_UNORM8,
    GLNN_STORAGE_COUNT
} glnn_storage;

/** The name of a storage: "float32", "float16", "unorm8". @since 0.1 */
GLNN_API const char *glnn_storage_name(glnn_storage storage);

/** The storage with a name. @since 0.2 */
GLNN_API glnn_status glnn_storage_from_name(const char *name, glnn_storage *out);

/** Describes a matrix. Zeros mean the defaults, except that rows and columns have no default. */
typedef struct glnn_matrix_desc {
    int rows;             /**< at least 1                                                        */
    int columns;          /**< at least 1                                                        */
    glnn_layout layout;   /**< 0: AUTO                                                           */
    glnn_storage storage; /**< 0: FLOAT32                                                        */
    const float *data;    /**< initial elements; NULL: all zero                                  */
    int ld;               /**< leading dimension of `data`; 0: columns                           */
    const char *name;     /**< for traces and error sentences; NULL: "matrix"                    */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_matrix_desc;

/** Creates a matrix.
 *
 * AUTO becomes TILED, with one exception. In the compute stage of a GPU, a matrix of at least 512
 * rows and 512 columns becomes PACKED if the device profile says that PACKED products of this size
 * are faster. The first such matrix can cause a measurement (glnn_tuning). For its own matrices, a
 * learner chooses the layout that is fastest for the products of its training.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, `rows` or `columns` is less than 1, `layout` or `storage` is
 *     not in its enumeration, `storage` is UNORM8, or `ld` is less than `columns` and not 0.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT: the texture would exceed the device's limits or the rest of the texture budget.
 *     The sentence has the numbers.
 *   - GLNN_E_NOMEM: texture memory or main memory ran out.
 *   - GLNN_E_GL, GLNN_E_SHADER: OpenGL reported an error, or a measured pass failed.
 * @owner  the caller, who passes it to glnn_matrix_destroy(). `data` and `name` are copied. After a
 *         failure `*out` is NULL.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_matrix_create(glnn_context *ctx, const glnn_matrix_desc *desc,
                                        glnn_matrix **out);

/** Destroys a matrix. Its context keeps the texture in a pool and reuses it, except an adopted
 * texture, which stays the host's. If a data set uses the matrix (see
 * glnn_dataset_create_from_matrices()), the texture remains in use until the data set is destroyed.
 * NULL is ignored.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_matrix_destroy(glnn_matrix *matrix);

/** The number of rows; 0 for NULL. @thread the context's own. @since 0.1 */
GLNN_API int glnn_matrix_get_rows(const glnn_matrix *matrix);

/** The number of columns; 0 for NULL. @thread the context's own. @since 0.1 */
GLNN_API int glnn_matrix_get_columns(const glnn_matrix *matrix);

/** The layout that the matrix has, never AUTO; AUTO for NULL. @thread the context's own.
 * @since 0.1 */
GLNN_API glnn_layout glnn_matrix_get_layout(const glnn_matrix *matrix);

/** The storage; FLOAT32 for NULL. @thread the context's own. @since 0.1 */
GLNN_API glnn_storage glnn_matrix_get_storage(const glnn_matrix *matrix);

/** The name, which belongs to the matrix; "" for NULL. @thread the context's own. @since 0.1 */
GLNN_API const char *glnn_matrix_get_name(const glnn_matrix *matrix);

/** A rectangle of elements. Where a call takes a pointer to one, NULL means the whole matrix. */
typedef struct glnn_rect {
    int row;     /**< of the first element */
    int column;  /**< of the first element */
    int rows;    /**< at least 1           */
    int columns; /**< at least 1           */
} glnn_rect;

/** Copies elements from main memory into a rectangle of a matrix, rounded to its storage.
 *
 * Element (i, j) of the rectangle is `data[i * ld + j]`; `ld` 0 means the columns of the rectangle.
 *
 * If the rectangle cuts through blocks, the call first reads these blocks back, which waits for the
 * GPU.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx`, `matrix` or `data` is null, `ld` is less than the columns of the rectangle
 *     and not 0, or the matrix belongs to another context.
 *   - GLNN_E_SHAPE: the rectangle is empty or not inside the matrix.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @owner  `data` stays the caller's, who can change it after the call.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_matrix_upload(glnn_context *ctx, glnn_matrix *matrix,
                                        const glnn_rect *rect, const float *data, int ld);

/** Copies the elements of a rectangle to main memory and waits until they have arrived.
 *
 * The places of the elements in `data` are those of glnn_matrix_upload().
 *
 * @errors as glnn_matrix_upload().
 * @owner  `data` is the caller's and has room for `ld` floats for each row of the rectangle. The
 *         floats between the end of a row and the beginning of the next remain unchanged.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_matrix_download(glnn_context *ctx, const glnn_matrix *matrix,
                                          const glnn_rect *rect, float *data, int ld);

/** A download that has begun and not ended. */
typedef struct glnn_download glnn_download;

/** Begins to copy the elements of a rectangle, and returns without waiting.
 *
 * The copy includes the results of all earlier calls. The matrix can be changed or destroyed after
 * the call.
 *
 * @errors as glnn_matrix_upload(), with `out` in place of `data`.
 * @owner  the caller, who passes the download to glnn_download_end().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_download_begin(glnn_context *ctx, const glnn_matrix *matrix,
                                         const glnn_rect *rect, glnn_download **out);

/** Whether glnn_download_end() would return without waiting; false for NULL and after the context
 * was destroyed.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API bool glnn_download_is_ready(glnn_download *download);

/** Waits for a download if necessary, stores its elements and frees it, even if it fails.
 *
 * `data` NULL drops the elements without waiting. A NULL download is ignored.
 *
 * @param  ld  the leading dimension of `data`; 0: the columns of the rectangle.
 * @errors
 *   - GLNN_E_ARG: `ld` is less than the columns of the rectangle and not 0.
 *   - GLNN_E_STATE: the context was destroyed, and `data` is not null.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @owner  `data` is the caller's, with the room that glnn_matrix_download() requires.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_download_end(glnn_download *download, float *data, int ld);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
