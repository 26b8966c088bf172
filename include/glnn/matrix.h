/* glnn/matrix.h - matrices that live in textures
 *
 * A matrix has rows and columns, both at least 1, and a layout: how its elements lie in the texels
 * of one texture. A block is what one fragment computes and what one texel position holds over all
 * layers of the texture. Elements past the edge of a matrix (padding) are zero at all times.
 *
 * Elements are float32, or where the caller says so float16: half the bytes to fetch, for less
 * precision. Any operation takes any mix of both. It computes in float32 whatever its operands are
 * stored in, and rounds once, when it writes a result that is stored in 16 bits. The bounds that
 * the headers state are those before that rounding, for operands as they are stored.
 *
 * On the CPU side a matrix is row-major float with a leading dimension `ld`: element (i, j) is
 * data[i * ld + j], and ld >= columns. ld = 0 stands for ld = columns. */
#ifndef GLNN_MATRIX_H
#define GLNN_MATRIX_H

#include <glnn/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_matrix glnn_matrix;

typedef enum glnn_layout {
    GLNN_LAYOUT_AUTO = 0, /* the library chooses TILED or PACKED when it creates the matrix or the
                              learner, which then tells what it became                            */
    GLNN_LAYOUT_TILED,    /* RGBA32F, 8 layers, block 4 x 8: the fast one                        */
    GLNN_LAYOUT_PACKED,   /* RGBA32F, block 1 x 4: four columns in one texel                     */
    GLNN_LAYOUT_UNPACKED, /* R32F, block 1 x 1: the baseline                                     */
    GLNN_LAYOUT_PAGED,    /* PACKED in pages of rows, for data sets with more rows than a texture
                              has: any operation reads it, uploads write it, no pass does         */
    GLNN_LAYOUT_COUNT
} glnn_layout;

/* The layout's name in lower case: "auto", "tiled", "packed", "unpacked", "paged".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_layout_name(glnn_layout layout);

/* The layout with a name, as above.
 * Errors: E_ARG a null argument, or no layout has this name; *out stays as it is.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_layout_from_name(const char *name, glnn_layout *out);

/* How an element is stored. */
typedef enum glnn_storage {
    GLNN_STORAGE_FLOAT32 =
        0,                /* 32 bits: RGBA32F, R32F                                            */
    GLNN_STORAGE_FLOAT16, /* 16 bits: RGBA16F, R16F, 11 bits of mantissa. What is written is
                                 rounded to the nearest, of two equally near ones to the even one:
                                 the relative error is at most 2^-11. Below 2^-14 they are multiples
                                 of 2^-24, and the absolute error is at most 2^-25. The greatest is
                                 65504: magnitudes from 65520 on become infinity, NaN stays NaN */
    GLNN_STORAGE_COUNT
} glnn_storage;

/* The storage's name: "float32", "float16".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_storage_name(glnn_storage storage);

/* The storage with a name, as above.
 * Errors: E_ARG a null argument, or no storage has this name; *out stays as it is.
 * Thread: any. Since 0.2 */
GLNN_API glnn_status glnn_storage_from_name(const char *name, glnn_storage *out);

/* Describes a matrix. Zeros mean the defaults, but rows and columns have none. */
typedef struct glnn_matrix_desc {
    int rows;             /* >= 1                                                           */
    int columns;          /* >= 1                                                           */
    glnn_layout layout;   /* 0: AUTO, see glnn_matrix_create                                */
    glnn_storage storage; /* 0: FLOAT32; the library never chooses FLOAT16 by itself        */
    const float *data;    /* initial elements, row-major; NULL: all zero                    */
    int ld;               /* leading dimension of `data`; 0: columns                        */
    const char *name;     /* shown in traces and error sentences, copied; NULL: "matrix"    */
} glnn_matrix_desc;

/* Creates a matrix.
 *
 * Layout   AUTO becomes TILED, except in the compute stage of a GPU: there a matrix of at least 512
 *          rows and 512 columns becomes PACKED if PACKED products of this size are faster by the
 *          device profile. The first such matrix has the profile measured (glnn/context.h).
 *          A learner decides by the products of its training instead.
 * Errors   E_ARG    a null argument, rows or columns < 1, an unknown layout or storage, ld <
 *                   columns
 *          E_LIMIT  the texture would be wider, taller or deeper than the device's textures, or
 *                   larger than what is left of the budget: the sentence has the numbers
 *          E_NOMEM  OpenGL or the CPU ran out of memory
 * Owner    the caller, who passes it to glnn_matrix_destroy; `data` is copied.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_matrix_create(glnn_context *ctx, const glnn_matrix_desc *desc,
                                        glnn_matrix **out);

/* Destroys a matrix; its texture returns to the context's pool. NULL does nothing.
 * Thread: the context's own. Since 0.1 */
GLNN_API void glnn_matrix_destroy(glnn_matrix *matrix);

/* The shape, layout, storage and name of a matrix; 0, 0, AUTO, FLOAT32 and "" for NULL.
 * Owner of the name: the matrix. Thread: the context's own. Since 0.1 */
GLNN_API int glnn_matrix_get_rows(const glnn_matrix *matrix);
GLNN_API int glnn_matrix_get_columns(const glnn_matrix *matrix);
GLNN_API glnn_layout glnn_matrix_get_layout(const glnn_matrix *matrix);
GLNN_API glnn_storage glnn_matrix_get_storage(const glnn_matrix *matrix);
GLNN_API const char *glnn_matrix_get_name(const glnn_matrix *matrix);

/* A rectangle of elements: `rows` x `columns` of them from (row, column) on. A null pointer to a
 * rectangle stands for the whole matrix. */
typedef struct glnn_rect {
    int row, column;
    int rows, columns;
} glnn_rect;

/* Copies the elements of `rect` from main memory into the matrix, rounded to its storage. A
 * rectangle that cuts blocks apart costs a read of the blocks on its border first, which waits for
 * the GPU.
 *
 * Errors   E_ARG    a null argument, ld < columns of the rectangle
 *          E_SHAPE  the rectangle is empty or leaves the matrix
 *          E_NOMEM  no memory for the packed texels
 *          E_GL     OpenGL reported an error
 * Owner    `data` stays the caller's and may be changed at once.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_matrix_upload(glnn_context *ctx, glnn_matrix *matrix,
                                        const glnn_rect *rect, const float *data, int ld);

/* Copies the elements of `rect` into main memory, and waits until they are there.
 *
 * Errors   as glnn_matrix_upload
 * Owner    `data` is the caller's: rows x ld floats, of which ld - columns a row stay as they are.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_matrix_download(glnn_context *ctx, const glnn_matrix *matrix,
                                          const glnn_rect *rect, float *data, int ld);

/* A download under way. */
typedef struct glnn_download glnn_download;

/* Starts to copy the elements of `rect` into a pixel buffer after the passes submitted so far,
 * and returns without waiting. The matrix may be changed or destroyed at once.
 * Errors: as glnn_matrix_upload. Owner: the caller, who passes it to glnn_download_end.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_download_begin(glnn_context *ctx, const glnn_matrix *matrix,
                                         const glnn_rect *rect, glnn_download **out);

/* True once glnn_download_end would return without a wait. Errors: none; false for NULL.
 * Thread: the context's own. Since 0.1 */
GLNN_API bool glnn_download_is_ready(glnn_download *download);

/* Waits where needed, stores the elements in `data` (row-major, leading dimension `ld`, 0: the
 * columns of the rectangle) and frees the download, whatever happens. `data` NULL drops them
 * without a wait. A NULL download does nothing.
 * Errors: E_ARG ld < columns; E_GL OpenGL reported an error.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_download_end(glnn_download *download, float *data, int ld);

#ifdef __cplusplus
}
#endif
#endif
