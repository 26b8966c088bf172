#include "io/png_file.h"

#include "base/file.h"
#include "base/log.h"
#include "base/status.h"
#include "io/content.h"

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that libpng reads. Values that are used after its longjmp are kept here, because the jump
 * leaves local variables undefined. */
typedef struct job {
    glnn__content content;
    png_struct *png;
    png_info *info;
    unsigned char *row;    /* one that was read                    */
    glnn__picture picture; /* all that were read                   */
    glnn_status status;    /* of the failure that libpng reports   */
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
    glnn__log(GLNN_LOG_WARNING, "%s: %s", at->content.path, message);
}

static void take_bytes(png_struct *png, png_byte *to, size_t count)
{
    job *at = png_get_io_ptr(png);
    size_t got = 0;
    const glnn_status status = glnn__content_read(&at->content, to, count, &got);
    if (status)
        at->status = status;
    if (status || got < count)
        png_error(png, status ? glnn_last_error() : "the file is cut off");
}

/* libpng reports a lack of memory as an error in the file. */
static void *take_memory(png_struct *png, size_t size)
{
    job *at = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (!memory)
        at->status = GLNN_E_NOMEM;
    return memory;
}

static void give_memory(png_struct *png, void *memory)
{
    (void)png;
    free(memory);
}

static glnn_status fail_memory(const job *at)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", at->content.path,
                      at->picture.width, at->picture.height);
}

static glnn_status check_size(job *at)
{
    uint32_t width = png_get_image_width(at->png, at->info);
    uint32_t height = png_get_image_height(at->png, at->info);
    GLNN__TRY(glnn__image_check_size(at->content.path, width, height, "read"));
    /* Refuses a size that the file cannot hold before any memory is allocated. */
    size_t promised = png_get_rowbytes(at->png, at->info) * height;
    if (promised / GLNN__DEFLATE_MAX_RATIO > at->content.file_size)
        return glnn__fail(GLNN_E_FORMAT, "%s: %u x %u pixels do not fit in a file of %zu bytes",
                          at->content.path, width, height, at->content.file_size);
    at->picture.width = (int)width;
    at->picture.height = (int)height;
    return GLNN_OK;
}

/* Bytes at the start of a file, and of a pixel as libpng returns it: red, green, blue and alpha of
 * 16 bits each, the high byte first. */
enum { SIGNATURE = 8, PIXEL = 8 };

/* Asks libpng to convert all colour types to such pixels. */
static void unify_pixels(job *at)
{
    png_set_expand_16(at->png);
    png_set_gray_to_rgb(at->png);
    png_set_add_alpha(at->png, 0xFFFF, PNG_FILLER_AFTER);
    png_read_update_info(at->png, at->info);
}

/* Stores a pixel. The products are exact in a double, so that a gray pixel keeps its value to the
 * last bit. */
static void store_pixel(glnn__picture *to, size_t place, const unsigned char *pixel)
{
    const size_t plane = (size_t)to->width * (size_t)to->height;
    double of[4];
    for (int c = 0; c < 4; ++c)
        of[c] = 256.0 * pixel[2 * c] + pixel[2 * c + 1];
    if (to->channels == 1)
        to->pixels[place] = (float)((299 * of[0] + 587 * of[1] + 114 * of[2]) * of[3] /
                                    (1000.0 * 65535.0 * 65535.0));
    for (size_t c = 0; to->channels == 3 && c < 3; ++c)
        to->pixels[c * plane + place] = (float)(of[c] * of[3] / (65535.0 * 65535.0));
}

/* The pixels of a pass of an interlaced file: each `step`th from `start` on, in both directions. */
typedef struct pass {
    int start_x, start_y, step_x, step_y;
} pass;

static void read_pass(job *at, pass of)
{
    const int width = at->picture.width;
    if (of.start_x >= width)
        return; /* the file has no rows for this pass */
    for (int y = of.start_y; y < at->picture.height; y += of.step_y) {
        const size_t row = (size_t)y * (size_t)width;
        png_read_row(at->png, at->row, NULL);
        for (int x = of.start_x, i = 0; x < width; x += of.step_x, ++i)
            store_pixel(&at->picture, row + (size_t)x, at->row + (size_t)i * PIXEL);
    }
}

/* Row by row, because the whole picture with 16 bits per channel would take twice the memory. */
static void read_rows(job *at)
{
    if (png_get_interlace_type(at->png, at->info) == PNG_INTERLACE_NONE) {
        read_pass(at, (pass){0, 0, 1, 1});
        return;
    }
    for (int i = 0; i < PNG_INTERLACE_ADAM7_PASSES; ++i)
        read_pass(at, (pass){PNG_PASS_START_COL(i), PNG_PASS_START_ROW(i), PNG_PASS_COL_OFFSET(i),
                             PNG_PASS_ROW_OFFSET(i)});
}

static glnn_status read_pixels(job *at)
{
    png_set_user_limits(at->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    /* Texts and the like do not change pixels. For each of them libpng would allocate as many bytes
     * as its head claims. */
    png_set_keep_unknown_chunks(at->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(at->png, at, take_bytes);
    png_set_sig_bytes(at->png, SIGNATURE);
    png_read_info(at->png, at->info);
    GLNN__TRY(check_size(at));
    glnn__picture *to = &at->picture;
    if (to->channels == 0)
        to->channels = png_get_color_type(at->png, at->info) & PNG_COLOR_MASK_COLOR ? 3 : 1;
    unify_pixels(at);
    at->row = malloc((size_t)to->width * PIXEL);
    to->pixels =
        malloc((size_t)to->channels * (size_t)to->width * (size_t)to->height * sizeof *to->pixels);
    if (!at->row || !to->pixels)
        return fail_memory(at);
    read_rows(at);
    png_read_end(at->png, NULL);
    return GLNN_OK;
}

/* Runs libpng, whose errors return here. */
static glnn_status run(job *at)
{
    at->info = png_create_info_struct(at->png);
    if (!at->info)
        return fail_memory(at);
    if (setjmp(png_jmpbuf(at->png)))
        return glnn__fail(at->status, "%s: libpng: %s", at->content.path, at->error);
    return read_pixels(at);
}

static glnn_status read_job(job *at)
{
    unsigned char signature[SIGNATURE];
    size_t got;
    GLNN__TRY(glnn__content_read(&at->content, signature, SIGNATURE, &got));
    if (got < SIGNATURE || png_sig_cmp(signature, 0, SIGNATURE) != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: is not a PNG file", at->content.path);
    at->status = GLNN_E_FORMAT;
    at->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, at, on_error, on_warning, at,
                                       take_memory, give_memory);
    glnn_status status = at->png ? run(at) : fail_memory(at);
    png_destroy_read_struct(&at->png, &at->info, NULL);
    return status;
}

glnn_status glnn__png_read(const char *path, int channels, glnn__picture *out)
{
    job at = {.picture.channels = channels};
    GLNN__TRY(glnn__content_open(path, &at.content));
    glnn_status status = read_job(&at);
    glnn__content_close(&at.content);
    free(at.row);
    if (status)
        free(at.picture.pixels);
    else
        *out = at.picture;
    return status;
}

glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (uint32_t)width,
                       .height = (uint32_t)height,
                       .format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB};
    size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *bytes = malloc(size);
    glnn_status status = GLNN_OK;
    if (!bytes || !png_image_write_to_memory(&image, bytes, &size, 0, pixels, 0, NULL))
        status = glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels: %s", path, width,
                            height, image.message);
    if (!status)
        status = glnn__file_replace(path, &(glnn__span){bytes, size}, 1);
    free(bytes);
    return status;
}
