#include "data/png_file.h"

#include "base/file.h"
#include "base/log.h"
#include "base/status.h"
#include "data/gzip.h"

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that libpng reads or writes. All that has to outlive its longjmp is kept here, where the
 * jump cannot leave it undefined. */
typedef struct job {
    const char *path;
    png_struct *png;
    png_info *info;
    unsigned char *bytes; /* the file                                  */
    size_t size;
    size_t used;     /* bytes read so far                         */
    size_t capacity; /* bytes that there is room for              */
    unsigned char *pixels;
    png_byte **rows;
    int width, height;
    glnn_status status; /* of what failed, where libpng is told       */
    char error[160];
} job;

static _Noreturn void on_error(png_struct *png, const char *message)
{
    job *at = png_get_error_ptr(png);
    snprintf(at->error, sizeof at->error, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_struct *png, const char *message)
{
    const job *at = png_get_error_ptr(png);
    glnn__log(GLNN_LOG_WARNING, "%s: %s", at->path, message);
}

static _Noreturn void fail_in(png_struct *png, job *at, glnn_status status, const char *message)
{
    at->status = status;
    png_error(png, message);
}

static void take_bytes(png_struct *png, png_byte *to, size_t count)
{
    job *at = png_get_io_ptr(png);
    if (count > at->size - at->used)
        fail_in(png, at, GLNN_E_FORMAT, "the file is cut off");
    memcpy(to, at->bytes + at->used, count);
    at->used += count;
}

static void put_bytes(png_struct *png, png_byte *from, size_t count)
{
    job *at = png_get_io_ptr(png);
    if (count > at->capacity - at->size) {
        size_t capacity = 2 * (at->size + count);
        unsigned char *bytes = realloc(at->bytes, capacity);
        if (!bytes)
            fail_in(png, at, GLNN_E_NOMEM, "no memory for the compressed picture");
        at->bytes = bytes;
        at->capacity = capacity;
    }
    memcpy(at->bytes + at->size, from, count);
    at->size += count;
}

static void flush_nothing(png_struct *png)
{
    (void)png;
}

static glnn_status fail_memory(const job *at)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", at->path, at->width,
                      at->height);
}

static glnn_status make_rows(job *at, size_t row_size)
{
    at->rows = malloc((size_t)at->height * sizeof *at->rows);
    if (!at->rows)
        return fail_memory(at);
    for (int y = 0; y < at->height; ++y)
        at->rows[y] = at->pixels + (size_t)y * row_size;
    return GLNN_OK;
}

static glnn_status check_size(job *at)
{
    uint32_t width = png_get_image_width(at->png, at->info);
    uint32_t height = png_get_image_height(at->png, at->info);
    if (width > GLNN__PNG_MAX_SIDE || height > GLNN__PNG_MAX_SIDE)
        return glnn__fail(GLNN_E_LIMIT, "%s: %u x %u pixels, but at most %d x %d can be read",
                          at->path, width, height, GLNN__PNG_MAX_SIDE, GLNN__PNG_MAX_SIDE);
    /* A size that the file cannot hold is told before any memory is asked for. */
    size_t promised = png_get_rowbytes(at->png, at->info) * height;
    if (promised / GLNN__DEFLATE_MAX_RATIO > at->size)
        return glnn__fail(GLNN_E_FORMAT, "%s: %u x %u pixels do not fit a file of %zu bytes",
                          at->path, width, height, at->size);
    at->width = (int)width;
    at->height = (int)height;
    return GLNN_OK;
}

/* Asks libpng to bring every colour type to red, green, blue and alpha of 16 bits. */
static void unify_pixels(job *at)
{
    png_set_expand_16(at->png);
    png_set_gray_to_rgb(at->png);
    png_set_add_alpha(at->png, 0xFFFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(at->png);
    png_read_update_info(at->png, at->info);
}

static glnn_status read_pixels(job *at)
{
    png_set_user_limits(at->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_read_fn(at->png, at, take_bytes);
    png_read_info(at->png, at->info);
    GLNN__TRY(check_size(at));
    unify_pixels(at);
    size_t row_size = (size_t)at->width * GLNN__PNG_PIXEL;
    at->pixels = malloc((size_t)at->height * row_size);
    if (!at->pixels)
        return fail_memory(at);
    GLNN__TRY(make_rows(at, row_size));
    png_read_image(at->png, at->rows);
    png_read_end(at->png, NULL);
    return GLNN_OK;
}

static void write_pixels(job *at, int channels)
{
    png_set_write_fn(at->png, at, put_bytes, flush_nothing);
    png_set_IHDR(at->png, at->info, (uint32_t)at->width, (uint32_t)at->height, 8,
                 channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(at->png, at->info);
    png_write_image(at->png, at->rows);
    png_write_end(at->png, NULL);
}

/* Runs libpng, whose errors come back here; 0 channels mean to read. */
static glnn_status run(job *at, int channels)
{
    at->info = png_create_info_struct(at->png);
    if (!at->info)
        return fail_memory(at);
    if (setjmp(png_jmpbuf(at->png)))
        return glnn__fail(at->status, "%s: libpng: %s", at->path, at->error);
    if (channels == 0)
        return read_pixels(at);
    write_pixels(at, channels);
    return GLNN_OK;
}

static glnn_status read_job(job *at)
{
    GLNN__TRY(glnn__file_read(at->path, &at->bytes, &at->size));
    if (at->size < 8 || png_sig_cmp(at->bytes, 0, 8) != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: is no PNG file", at->path);
    at->status = GLNN_E_FORMAT;
    at->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, at, on_error, on_warning);
    glnn_status status = at->png ? run(at, 0) : fail_memory(at);
    png_destroy_read_struct(&at->png, &at->info, NULL);
    return status;
}

glnn_status glnn__png_read(const char *path, int *width, int *height, unsigned char **pixels)
{
    job at = {.path = path};
    glnn_status status = read_job(&at);
    if (!status) {
        *width = at.width;
        *height = at.height;
        *pixels = at.pixels;
        at.pixels = NULL;
    }
    free(at.pixels);
    free(at.rows);
    free(at.bytes);
    return status;
}

static glnn_status write_job(job *at, int channels)
{
    GLNN__TRY(make_rows(at, (size_t)at->width * (size_t)channels));
    at->status = GLNN_E_NOMEM;
    at->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, at, on_error, on_warning);
    glnn_status status = at->png ? run(at, channels) : fail_memory(at);
    png_destroy_write_struct(&at->png, &at->info);
    GLNN__TRY(status);
    return glnn__file_replace(at->path, &(glnn__span){at->bytes, at->size}, 1);
}

glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels)
{
    /* libpng takes rows that it does not change through pointers to what could be changed. */
    job at = {.path = path,
              .width = width,
              .height = height,
              .pixels = (unsigned char *)(uintptr_t)pixels};
    glnn_status status = write_job(&at, channels);
    free(at.rows);
    free(at.bytes);
    return status;
}
