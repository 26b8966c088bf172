#include "small_device.h"

#include <GL/glew.h>

#include <stdio.h>

#include "tex/matrix.h"

static PFNGLTEXSTORAGE2DPROC driver_storage_2d;
static PFNGLTEXSTORAGE3DPROC driver_storage_3d;
static glnn_context_info former;

/* OpenGL refuses a width of 0 as it refuses one that is too large. */
static GLsizei width_within_limits(GLsizei width, GLsizei height, GLsizei layers)
{
    return width <= SMALL_SIDE && height <= SMALL_SIDE && layers <= SMALL_LAYERS ? width : 0;
}

static void GLAPIENTRY storage_2d(GLenum target, GLsizei levels, GLenum format, GLsizei width,
                                  GLsizei height)
{
    driver_storage_2d(target, levels, format, width_within_limits(width, height, 1), height);
}

static void GLAPIENTRY storage_3d(GLenum target, GLsizei levels, GLenum format, GLsizei width,
                                  GLsizei height, GLsizei layers)
{
    driver_storage_3d(target, levels, format, width_within_limits(width, height, layers), height,
                      layers);
}

void small_device_begin(void)
{
    glnn_context *ctx = glnn_test_context();
    former = ctx->info;
    driver_storage_2d = __glewTexStorage2D;
    driver_storage_3d = __glewTexStorage3D;
    __glewTexStorage2D = storage_2d;
    __glewTexStorage3D = storage_3d;
    ctx->info.max_texture_size = SMALL_SIDE;
    ctx->info.max_array_layers = SMALL_LAYERS;
}

void small_device_end(void)
{
    glnn_context *ctx = glnn_test_context();
    __glewTexStorage2D = driver_storage_2d;
    __glewTexStorage3D = driver_storage_3d;
    ctx->info.max_texture_size = former.max_texture_size;
    ctx->info.max_array_layers = former.max_array_layers;
}

int small_device_setup(void **state)
{
    const int failed = test_group_setup(state);
    if (!failed)
        small_device_begin();
    return failed;
}

bool fits_small_device(glnn_layout layout, int rows, int columns)
{
    const glnn__layout_info *info = glnn__layout_in(glnn_test_context(), layout);
    int down = (rows + info->block_rows - 1) / info->block_rows;
    int across = (columns + info->block_columns - 1) / info->block_columns;
    if (info->has_pages)
        return across <= SMALL_SIDE && down <= SMALL_SIDE * SMALL_LAYERS;
    for (; down > SMALL_SIDE; across *= 2)
        down = (down + 1) / 2;
    return across <= SMALL_SIDE;
}

void expect_limit_refusal(glnn_status status, const char *what, int rows, int columns)
{
    char sizes[64] = " elements", limit[64];
    const char *said = status ? glnn_last_error() : "no error";
    if (rows > 0)
        snprintf(sizes, sizeof sizes, ": %d x %d elements", rows, columns);
    snprintf(limit, sizeof limit, "this device allows %d x %d in %d", SMALL_SIDE, SMALL_SIDE,
             SMALL_LAYERS);
    if (status != GLNN_E_LIMIT || strncmp(said, what, strlen(what)) != 0 || !strstr(said, sizes) ||
        !strstr(said, limit))
        fail_at(__FILE__, __LINE__, "%s with %d x %d elements gives %s (%s)", what, rows, columns,
                glnn_status_name(status), said);
    log_clear();
}
