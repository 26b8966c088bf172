/* Matrices: a shape, a layout and a texture. */
#ifndef GLNN__TEX_MATRIX_H
#define GLNN__TEX_MATRIX_H

#include "gl/lifetime.h"
#include "tex/texture.h"

#include <glnn/matrix.h>

struct glnn_matrix {
    glnn_context *ctx;
    int owners;        /* the caller, and objects that share the matrix with it */
    bool is_listed;    /* recorded passes use it (pass/list.h)                  */
    bool is_gone;      /* the caller has destroyed it; other owners are left    */
    int rows, columns; /* 0 if it is empty */
    glnn_layout layout;
    glnn_storage storage;
    glnn__texture *next;    /* that parts of a pass under way write; NULL: none */
    glnn__texture *texture; /* NULL if it is empty, and once the context is destroyed */
    char *name;
    struct glnn_matrix *newer, *older; /* in the context's list of matrices */
    glnn__dependent object;            /* zeros: it belongs to an object of the library */
};

/* The constants of a matrix's layout. */
static inline const glnn__layout_info *glnn__layout_of(const glnn_matrix *matrix)
{
    return glnn__layout_in(matrix->ctx, matrix->layout);
}

/* Chooses TILED or PACKED for a matrix that is created with AUTO, by the device profile of a higher
 * room. */
typedef glnn_status glnn__layout_fn(glnn_context *ctx, int rows, int columns, glnn_layout *out);

/* Precedes the first matrix of a context, at the end of its creation. */
glnn_status glnn__matrices_begin(glnn_context *ctx, glnn__layout_fn *choose);

/* A matrix whose content is undefined until it is written. */
glnn_status glnn__matrix_create_undefined(glnn_context *ctx, glnn_layout layout,
                                          glnn_storage storage, int rows, int columns,
                                          const char *name, glnn_matrix **out);

/* The same for a matrix with many rows and few columns, which passes write. It is wrapped, even if
 * it need not be, because GPUs shade fragments in quads and run invocations in groups: an output of
 * few columns of blocks would leave most of them idle. */
glnn_status glnn__matrix_create_narrow(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                       int rows, int columns, const char *name, glnn_matrix **out);

/* The same for a matrix whose texture shaders filter: the texture has exactly the size of the
 * matrix. */
glnn_status glnn__matrix_create_filtered(glnn_context *ctx, glnn_layout layout,
                                         glnn_storage storage, int rows, int columns,
                                         const char *name, glnn_matrix **out);

/* A matrix of the shape, layout, storage and wrapping of another one. */
glnn_status glnn__matrix_create_like(const glnn_matrix *like, const char *name, glnn_matrix **out);

/* As glnn__matrix_create_undefined, in float32, for intermediate results of an operation: sums are
 * float32 whatever the storage of the operands. */
glnn_status glnn__matrix_create_scratch(glnn_context *ctx, glnn_layout layout, int rows,
                                        int columns, const char *name, glnn_matrix **out);

/* As glnn_matrix_create, for a matrix that belongs to an object of the library. The description is
 * right. */
glnn_status glnn__matrix_create(glnn_context *ctx, const glnn_matrix_desc *desc, glnn_matrix **out);

/* A matrix of zeros in float32. */
glnn_status glnn__matrix_create_zero(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                     const char *name, glnn_matrix **out);

/* Makes the calling object an owner too, which passes the matrix to glnn__matrix_release. The last
 * owner destroys it. */
glnn_matrix *glnn__matrix_share(const glnn_matrix *matrix);
void glnn__matrix_release(glnn_matrix *matrix);

/* Notes that recorded passes use a matrix: they are no longer current when it is destroyed or
 * emptied. */
void glnn__matrix_note_listed(const glnn_matrix *matrix);

/* Adds a matrix to the objects of the program. */
void glnn__matrix_add_object(glnn_matrix *matrix);

/* Takes the numbers away from a matrix that is lent to the program, whose handle stays valid. NULL
 * stays NULL. */
void glnn__matrix_empty(glnn_matrix *matrix);

/* Gives the shape and the numbers of `from`, which is destroyed, to an empty matrix. If there is
 * none, `from` becomes the matrix. */
void glnn__matrix_refill(glnn_matrix **matrix, glnn_matrix *from);

/* The number of rows of blocks. */
int glnn__matrix_block_rows(const glnn_matrix *matrix);

/* The texels that cover a rectangle of elements. */
glnn__blocks glnn__matrix_cover(const glnn_matrix *matrix, const glnn_rect *rect);

/* Writes a rectangle of texels from the pixel buffer that is bound. The caller has claimed
 * GLNN__PARTS_COPY. */
void glnn__matrix_write_blocks(glnn_context *ctx, const glnn_matrix *matrix,
                               const glnn__blocks *blocks, size_t first_byte);

/* Reads a rectangle of texels into the pixel buffer that is bound, in which `texels` is an offset,
 * or into main memory if none is bound. They become floats. The caller has claimed
 * GLNN__PARTS_COPY. */
glnn_status glnn__matrix_read_blocks(glnn_context *ctx, const glnn_matrix *matrix,
                                     const glnn__blocks *blocks, float *texels);

/* Checks the arguments of a transfer, and fills in the rectangle and the leading dimension. */
glnn_status glnn__matrix_check_transfer(const char *function, glnn_context *ctx,
                                        const glnn_matrix *matrix, const glnn_rect *rect, int *ld,
                                        glnn_rect *out);

/* ---- matrix_check.c */

/* Fails with E_STATE if the matrix is empty. */
glnn_status glnn__matrix_check_full(const char *function, const glnn_matrix *matrix);

/* Checks that `rect` is inside the matrix and copies it; NULL means the whole matrix. */
glnn_status glnn__matrix_rect(const char *function, const glnn_matrix *matrix,
                              const glnn_rect *rect, glnn_rect *out);

#endif
