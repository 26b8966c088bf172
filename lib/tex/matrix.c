#include "tex/matrix.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "gl/lifetime.h"

#include <stdlib.h>
#include <string.h>

/* The matrices of a context. */
typedef struct matrices {
    glnn_matrix *newest;
    glnn__layout_fn *choose_layout;
} matrices;

static void unlink_matrix(glnn_matrix *matrix, matrices *all)
{
    *(matrix->newer ? &matrix->newer->older : &all->newest) = matrix->older;
    if (matrix->older)
        matrix->older->newer = matrix->newer;
}

/* Takes away the textures of the matrices that outlive their context. */
static void abandon_matrices(glnn_context *ctx, void *state)
{
    matrices *all = state;
    while (all->newest) {
        glnn_matrix *matrix = all->newest;
        unlink_matrix(matrix, all);
        glnn__texture_release(ctx, matrix->texture);
        matrix->texture = NULL;
    }
}

static glnn__slot slot = {
    .holds = "a list of matrices", .size = sizeof(matrices), .destroy = abandon_matrices};

static matrices *matrices_of(const glnn_context *ctx)
{
    return glnn__slot_state(ctx, &slot);
}

static void link_matrix(glnn_matrix *matrix)
{
    matrices *all = matrices_of(matrix->ctx);
    matrix->older = all->newest;
    if (matrix->older)
        matrix->older->newer = matrix;
    all->newest = matrix;
}

glnn_status glnn__matrices_begin(glnn_context *ctx, glnn__layout_fn *choose)
{
    glnn__textures *textures;
    matrices *all;
    GLNN__TRY(glnn__slot_get(ctx, &glnn__textures_slot, &textures));
    GLNN__TRY(glnn__slot_get(ctx, &slot, &all));
    all->choose_layout = choose;
    return GLNN_OK;
}

/* A matrix in this texture, which it takes over even if the call fails. */
static glnn_status matrix_of_texture(glnn_context *ctx, glnn__texture *texture, int rows,
                                     int columns, const char *name, glnn_matrix **out)
{
    glnn_matrix *matrix = calloc(1, sizeof *matrix);
    char *copy = glnn__string_copy(name);
    if (!matrix || !copy) {
        free(matrix);
        free(copy);
        glnn__texture_release(ctx, texture);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a matrix", name);
    }
    matrix->ctx = ctx;
    matrix->owners = 1;
    matrix->rows = rows;
    matrix->columns = columns;
    matrix->layout = texture->layout;
    matrix->storage = texture->storage;
    matrix->texture = texture;
    matrix->name = copy;
    link_matrix(matrix);
    *out = matrix;
    return GLNN_OK;
}

static glnn_status new_matrix(glnn_context *ctx, glnn_layout layout, glnn_storage storage, int rows,
                              int columns, const char *name, glnn__extent extent, glnn_matrix **out)
{
    glnn__texture *texture;
    if (!name)
        name = "matrix";
    GLNN__TRY(glnn__texture_check(ctx, layout, rows, columns, extent, name));
    GLNN__TRY(glnn__texture_acquire(ctx, layout, storage, extent, name, &texture));
    return matrix_of_texture(ctx, texture, rows, columns, name, out);
}

static glnn__extent usual_extent(const glnn_context *ctx, glnn_layout layout, int rows, int columns)
{
    const bool has_squares = ctx->info.software && ctx->info.stage == GLNN_STAGE_FRAGMENT;
    return (has_squares && layout == GLNN_LAYOUT_TILED ? glnn__layout_spread : glnn__layout_extent)(
        glnn__layout_in(ctx, layout), rows, columns, ctx->info.max_texture_size);
}

static glnn_status create_undefined(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                    int rows, int columns, const char *name, glnn__extent extent,
                                    glnn_matrix **out)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, new_matrix(ctx, layout, storage, rows, columns, name, extent, out));
}

glnn_status glnn__matrix_create_undefined(glnn_context *ctx, glnn_layout layout,
                                          glnn_storage storage, int rows, int columns,
                                          const char *name, glnn_matrix **out)
{
    return create_undefined(ctx, layout, storage, rows, columns, name,
                            usual_extent(ctx, layout, rows, columns), out);
}

/* Outputs of at least FEW_ROWS rows of blocks are wrapped up to a width of WRAPPED_WIDTH texels. */
#define FEW_ROWS      64
#define WRAPPED_WIDTH 16

/* Quads of fragments share fetches only of outputs that are not wrapped and have at least two
 * columns of blocks. */
static bool shares(const glnn_context *ctx, glnn_layout layout, const glnn__extent *extent)
{
    return ctx->info.quad_exchange && ctx->info.stage == GLNN_STAGE_FRAGMENT &&
           layout == GLNN_LAYOUT_TILED && extent->wrap == 0 && extent->width > 1;
}

glnn_status glnn__matrix_create_narrow(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                       int rows, int columns, const char *name, glnn_matrix **out)
{
    const glnn__layout_info *info = glnn__layout_in(ctx, layout);
    glnn__extent extent = usual_extent(ctx, layout, rows, columns);
    const int blocks = glnn__layout_wrapped(info, rows, columns, 0).height;
    const int most = shares(ctx, layout, &extent) ? extent.width : WRAPPED_WIDTH;
    const int widest = glnn__least(most, ctx->info.max_texture_size);
    while (blocks >= FEW_ROWS && 2 * extent.width <= widest)
        extent = glnn__layout_wrapped(info, rows, columns, extent.wrap + 1);
    return create_undefined(ctx, layout, storage, rows, columns, name, extent, out);
}

glnn_status glnn__matrix_create_filtered(glnn_context *ctx, glnn_layout layout,
                                         glnn_storage storage, int rows, int columns,
                                         const char *name, glnn_matrix **out)
{
    glnn__extent extent = glnn__layout_extent(glnn__layout_in(ctx, layout), rows, columns,
                                              ctx->info.max_texture_size);
    extent.is_filtered = true;
    return create_undefined(ctx, layout, storage, rows, columns, name, extent, out);
}

glnn_status glnn__matrix_create_like(const glnn_matrix *like, const char *name, glnn_matrix **out)
{
    return create_undefined(like->ctx, like->layout, like->storage, like->rows, like->columns, name,
                            like->texture->extent, out);
}

glnn_status glnn__matrix_create_scratch(glnn_context *ctx, glnn_layout layout, int rows,
                                        int columns, const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_undefined(ctx, layout, GLNN_STORAGE_FLOAT32, rows, columns, name,
                                         out);
}

static glnn_status check_desc(const glnn_matrix_desc *desc)
{
    static const char what[] = "glnn_matrix_create";
    const char *name = desc->name ? desc->name : "matrix";
    GLNN__TRY(glnn__fail_in(what, GLNN__RESERVED_CHECK(glnn_matrix_desc, desc)));
    if (desc->rows < 1 || desc->columns < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %s is %d x %d; rows and columns must be at least 1",
                          what, name, desc->rows, desc->columns);
    if ((unsigned)desc->layout >= GLNN_LAYOUT_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: the layout of %s is %d, which is not in the enumeration",
                          what, name, (int)desc->layout);
    if ((unsigned)desc->storage >= GLNN_STORAGE_COUNT)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the storage of %s is %d, which is not in the "
                          "enumeration",
                          what, name, (int)desc->storage);
    if (desc->storage == GLNN_STORAGE_UNORM8)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the storage of %s is unorm8, which only adopted textures have; see "
                          "glnn_matrix_adopt",
                          what, name);
    if (desc->ld != 0 && desc->ld < desc->columns)
        return glnn__fail(GLNN_E_ARG,
                          "%s: ld is %d, but %s has %d columns; ld must be at least as "
                          "large",
                          what, desc->ld, name, desc->columns);
    return GLNN_OK;
}

static void report(void *self)
{
    const glnn_matrix *matrix = self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a matrix still exists: %s (%d x %d, %s, %s)",
              matrix->name, matrix->rows, matrix->columns, glnn_layout_name(matrix->layout),
              glnn_storage_name(matrix->storage));
}

void glnn__matrix_add_object(glnn_matrix *matrix)
{
    glnn__object_add(matrix->ctx, &matrix->object, report, matrix);
}

static glnn_status create_matrix(glnn_context *ctx, const glnn_matrix_desc *desc, glnn_matrix **out)
{
    glnn_matrix *matrix;
    glnn_layout layout = desc->layout;
    if (layout == GLNN_LAYOUT_AUTO)
        GLNN__TRY(matrices_of(ctx)->choose_layout(ctx, desc->rows, desc->columns, &layout));
    GLNN__TRY(new_matrix(ctx, layout, desc->storage, desc->rows, desc->columns, desc->name,
                         usual_extent(ctx, layout, desc->rows, desc->columns), &matrix));
    glnn_status status = desc->data ? glnn_matrix_upload(ctx, matrix, NULL, desc->data, desc->ld)
                                    : glnn__texture_clear(ctx, matrix->texture);
    if (status)
        glnn_matrix_destroy(matrix);
    else
        *out = matrix;
    return status;
}

glnn_status glnn_matrix_create(glnn_context *ctx, const glnn_matrix_desc *desc, glnn_matrix **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(check_desc(desc));
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, create_matrix(ctx, desc, out)));
    glnn__matrix_add_object(*out);
    return GLNN_OK;
}

static glnn_status adopt(glnn_context *ctx, const glnn_texture_desc *desc, glnn_matrix **out)
{
    glnn__texture *texture;
    const char *name = desc->name ? desc->name : "texture";
    GLNN__TRY(glnn__texture_adopt(ctx, desc, name, &texture));
    const bool as_rows = desc->pixels == GLNN_PIXELS_AS_ROWS;
    const int rows = as_rows ? texture->width * texture->height : texture->height;
    const int columns = as_rows ? texture->channels : texture->width * texture->channels;
    return matrix_of_texture(ctx, texture, rows, columns, name, out);
}

glnn_status glnn_matrix_adopt(glnn_context *ctx, const glnn_texture_desc *desc, glnn_matrix **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(glnn__texture_check_desc(__func__, desc));
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, adopt(ctx, desc, out)));
    glnn__matrix_add_object(*out);
    return GLNN_OK;
}

glnn_status glnn__matrix_create(glnn_context *ctx, const glnn_matrix_desc *desc, glnn_matrix **out)
{
    *out = NULL;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, create_matrix(ctx, desc, out));
}

glnn_status glnn__matrix_create_zero(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                     const char *name, glnn_matrix **out)
{
    const glnn_matrix_desc desc = {
        .rows = rows, .columns = columns, .layout = layout, .name = name};
    return glnn__matrix_create(ctx, &desc, out);
}

/* A matrix that is constant to its user still counts its owners. */
glnn_matrix *glnn__matrix_share(const glnn_matrix *matrix)
{
    glnn_matrix *shared = (glnn_matrix *)matrix;
    ++shared->owners;
    return shared;
}

void glnn__matrix_note_listed(const glnn_matrix *matrix)
{
    ((glnn_matrix *)matrix)->is_listed = true;
}

/* The texture is going to be that of no matrix, or of another one. */
static void drop_lists(glnn_matrix *matrix)
{
    matrix->ctx->lists_age += matrix->is_listed;
    matrix->is_listed = false;
}

void glnn__matrix_release(glnn_matrix *matrix)
{
    if (!matrix || --matrix->owners > 0)
        return;
    if (!matrix->ctx->is_destroyed) {
        drop_lists(matrix);
        unlink_matrix(matrix, matrices_of(matrix->ctx));
        glnn__texture_release(matrix->ctx, matrix->texture);
    }
    free(matrix->name);
    free(matrix);
}

void glnn_matrix_destroy(glnn_matrix *matrix)
{
    if (!matrix)
        return;
    glnn__dependent_remove(&matrix->object);
    matrix->is_gone = true;
    glnn__matrix_release(matrix);
}

void glnn__matrix_empty(glnn_matrix *matrix)
{
    if (!matrix || !matrix->texture)
        return;
    drop_lists(matrix);
    glnn__texture_release(matrix->ctx, matrix->texture);
    matrix->texture = NULL;
    matrix->rows = matrix->columns = 0;
}

void glnn__matrix_refill(glnn_matrix **matrix, glnn_matrix *from)
{
    glnn_matrix *to = *matrix;
    if (!to) {
        *matrix = from;
        return;
    }
    to->rows = from->rows;
    to->columns = from->columns;
    to->layout = from->layout;
    to->storage = from->storage;
    to->texture = from->texture;
    from->texture = NULL;
    glnn_matrix_destroy(from);
}

int glnn_matrix_get_rows(const glnn_matrix *matrix)
{
    return matrix ? matrix->rows : 0;
}

int glnn_matrix_get_columns(const glnn_matrix *matrix)
{
    return matrix ? matrix->columns : 0;
}

glnn_layout glnn_matrix_get_layout(const glnn_matrix *matrix)
{
    return matrix ? matrix->layout : GLNN_LAYOUT_AUTO;
}

glnn_storage glnn_matrix_get_storage(const glnn_matrix *matrix)
{
    return matrix ? matrix->storage : GLNN_STORAGE_FLOAT32;
}

const char *glnn_matrix_get_name(const glnn_matrix *matrix)
{
    return matrix ? matrix->name : "";
}

int glnn__matrix_block_rows(const glnn_matrix *matrix)
{
    return (matrix->rows - 1) / glnn__layout_of(matrix)->block_rows + 1;
}

static void describe(const glnn_matrix *matrix, glnn_texture_info *out)
{
    const glnn__texture *texture = matrix->texture;
    *out = (glnn_texture_info){
        .texture = texture->name,
        .target = texture->target,
        .format = texture->format,
        .width = texture->width,
        .height = texture->height,
        .layers = texture->layer_count,
        .layout = matrix->layout,
        .wrap = texture->extent.wrap,
        .level = texture->level,
        .layer = texture->layer,
    };
}

static glnn_status hand_out(const glnn_matrix *matrix, glnn_texture_info *out)
{
    glnn__textures *textures = glnn__textures_of(matrix->ctx);
    GLNN__TRY(glnn__texture_look(matrix->ctx, matrix->name, matrix->texture));
    glnn__barrier_hand_out(&textures->barriers, &matrix->texture->uses);
    describe(matrix, out);
    return GLNN_OK;
}

glnn_status glnn_matrix_get_texture(const glnn_matrix *matrix, glnn_texture_info *out)
{
    GLNN__HELD(matrix);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_texture_info, layer, out));
    GLNN__TRY(glnn__matrix_check_full(__func__, matrix));
    glnn_texture_info info;
    GLNN__TRY(glnn__gl_enter(matrix->ctx));
    GLNN__TRY(glnn__gl_leave(matrix->ctx, hand_out(matrix, &info)));
    glnn__sized_fill(out, &info, sizeof info);
    return GLNN_OK;
}
