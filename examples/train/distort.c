#include "distort.h"

#include <glnn/image.h>
#include <glnn/matrix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"

/* The numbers of a distortion. */
static const struct {
    const char *name;
    size_t field;
} numbers[] = {
#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(glnn_distortion, name)                                                     \
    }
    NUMBER(shift),   NUMBER(rotation), NUMBER(scale),       NUMBER(shear),
    NUMBER(elastic), NUMBER(sigma),    NUMBER(probability), NUMBER(background),
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0], ENTRY = 64 };

static bool set_number(const char *entry, const char *value, float *out)
{
    char *end;
    *out = strtof(value, &end);
    return (end != value && *end == '\0') || refuse("'%s': '%s' is not a number", entry, value);
}

static bool add_kind(const char *entry, const char *name, glnn_distortion *out)
{
    glnn_distortion_kind kind;
    if (glnn_distortion_kind_from_name(name, &kind) == GLNN_OK &&
        glnn_distortion_add(out, kind) == GLNN_OK)
        return true;
    char names[256] = "";
    for (size_t i = 0, used = 0; i < NUMBERS; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0             ? ""
                                 : i + 1 == NUMBERS ? " or "
                                                    : ", ",
                                 numbers[i].name);
    return refuse("'%s': choose affine or elastic, or %s and a number", entry, names);
}

/* A kind alone, or a name and a number. "elastic" is both. */
static bool parse_entry(const char *entry, glnn_distortion *out)
{
    char name[ENTRY], value[ENTRY], rest[2];
    const int words = sscanf(entry, "%63s %63s %1s", name, value, rest);
    for (size_t i = 0; words == 2 && i < NUMBERS; ++i)
        if (strcmp(name, numbers[i].name) == 0)
            return set_number(entry, value, (float *)((char *)out + numbers[i].field));
    return words < 1 ? refuse("an entry is empty; commas separate entries")
                     : add_kind(entry, words == 1 ? name : entry, out);
}

bool distort_parse(const char *text, glnn_distortion *out)
{
    *out = (glnn_distortion){0};
    for (;; ++text) {
        char entry[ENTRY];
        text += strspn(text, " ");
        const size_t length = strcspn(text, ",");
        if (length >= sizeof entry)
            return refuse("the entry '%.20s...' is longer than %d bytes", text, ENTRY - 1);
        snprintf(entry, sizeof entry, "%.*s", (int)length, text);
        if (!parse_entry(entry, out))
            return false;
        text += length;
        if (*text == '\0')
            return true;
    }
}

/* A sheet, and the images that are drawn into it. */
enum { ROWS = 12, COLUMNS = 12, GAP = 2 };

typedef struct sheet {
    glnn_shape shape; /* of an image */
    int rows, width, height;
    float *pixels;
} sheet;

/* Images in a column; the channels become their mean. */
static void draw_column(const sheet *to, int column, const float *images)
{
    const size_t plane = (size_t)to->shape.height * (size_t)to->shape.width;
    const size_t channels = (size_t)to->shape.channels;
    for (int row = 0; row < to->rows; ++row) {
        const int top = GAP + row * (to->shape.height + GAP);
        const int left = GAP + column * (to->shape.width + GAP);
        const float *image = images + (size_t)row * channels * plane;
        for (size_t p = 0; p < plane; ++p) {
            const int y = top + (int)p / to->shape.width, x = left + (int)p % to->shape.width;
            float sum = 0;
            for (size_t c = 0; c < channels; ++c)
                sum += image[c * plane + p];
            to->pixels[(size_t)y * (size_t)to->width + (size_t)x] = sum / (float)channels;
        }
    }
}

static sheet make_sheet(const samples *data)
{
    sheet made = {.shape = data->shape,
                  .rows = data->train.samples < ROWS ? data->train.samples : ROWS};
    made.width = GAP + COLUMNS * (made.shape.width + GAP);
    made.height = GAP + made.rows * (made.shape.height + GAP);
    const size_t count = (size_t)made.width * (size_t)made.height;
    made.pixels = malloc(count * sizeof *made.pixels);
    REQUIRE(made.pixels != NULL || refuse("no memory for a sheet of %d images", made.rows));
    for (size_t i = 0; i < count; ++i)
        made.pixels[i] = 0.5f;
    return made;
}

void distort_draw(glnn_context *ctx, const glnn_distortion *distortion, uint64_t seed,
                  const samples *data, const char *path)
{
    glnn_distortion of = *distortion;
    glnn_matrix *images, *distorted;
    sheet to = make_sheet(data);
    const glnn_matrix_desc desc = {.rows = to.rows, .columns = data->features};
    float *values = malloc((size_t)to.rows * (size_t)data->features * sizeof *values);
    REQUIRE(values != NULL || refuse("no memory for %d images", to.rows));
    of.shape = data->shape;
    CHECK(glnn_matrix_create(ctx, &desc, &images));
    CHECK(glnn_matrix_create(ctx, &desc, &distorted));
    CHECK(glnn_matrix_upload(ctx, images, NULL, data->train.inputs, 0));
    draw_column(&to, 0, data->train.inputs);
    for (int column = 1; column < COLUMNS; ++column) {
        CHECK(glnn_image_distort(ctx, &of, seed, (uint64_t)column - 1, images, distorted));
        CHECK(glnn_matrix_download(ctx, distorted, NULL, values, 0));
        draw_column(&to, column, values);
    }
    CHECK(glnn_image_write(path, to.width, to.height, to.pixels, 0.0f, 1.0f));
    printf("distorted  %s: %d images, each distorted %d times\n", path, to.rows, COLUMNS - 1);
    glnn_matrix_destroy(images);
    glnn_matrix_destroy(distorted);
    free(values);
    free(to.pixels);
}
