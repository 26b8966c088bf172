#include "distort.h"

#include <glnn/fields.h>
#include <glnn/image.h>
#include <glnn/matrix.h>
#include <glnn/train.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "stored.h"

/* Of the names of the library for the numbers of a distortion. */
#define PREFIX "distortion."

enum { ENTRY = 64 };

/* Number i of a distortion, as the library describes it; false past the last. */
static bool number_at(int i, glnn_field *out)
{
    const int count = glnn_field_get_count(GLNN_DESCRIPTION_TRAIN);
    for (int place = 0; place < count; ++place) {
        *out = (glnn_field){.size = sizeof *out};
        if (glnn_field_at(GLNN_DESCRIPTION_TRAIN, place, out) == GLNN_OK &&
            strncmp(out->name, PREFIX, strlen(PREFIX)) == 0 && out->type == GLNN_FIELD_FLOAT &&
            i-- == 0)
            return true;
    }
    return false;
}

static bool set_number(const char *entry, const glnn_field *of, const char *value,
                       glnn_distortion *out)
{
    glnn_train_desc desc = {.distortion = *out};
    /* A 0 outside of the range would be the default. */
    if ((of->above && strtod(value, NULL) <= of->least) ||
        glnn_field_set(GLNN_DESCRIPTION_TRAIN, &desc, of->name, value) != GLNN_OK)
        return refuse("'%s': '%s' is not %s", entry, value, of->range);
    *out = desc.distortion;
    return true;
}

static bool add_kind(const char *entry, const char *name, glnn_distortion *out)
{
    glnn_distortion_kind kind;
    if (glnn_distortion_kind_from_name(name, &kind) == GLNN_OK &&
        glnn_distortion_add(out, kind) == GLNN_OK)
        return true;
    char names[256] = "";
    glnn_field number, next;
    size_t used = 0;
    for (int i = 0; number_at(i, &number); ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0                    ? ""
                                 : number_at(i + 1, &next) ? ", "
                                                           : " or ",
                                 number.name + strlen(PREFIX));
    return refuse("'%s': choose affine or elastic, or %s and a number", entry, names);
}

/* A kind alone, or a name and a number. "elastic" is both. */
static bool parse_entry(const char *entry, glnn_distortion *out)
{
    char name[ENTRY], value[ENTRY], rest[2];
    const int words = sscanf(entry, "%63s %63s %1s", name, value, rest);
    glnn_field number;
    for (int i = 0; words == 2 && number_at(i, &number); ++i)
        if (strcmp(name, number.name + strlen(PREFIX)) == 0)
            return set_number(entry, &number, value, out);
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

/* A contact sheet has a row for each image: the image, and the distorted ones. */
enum { ROWS = 12, COLUMNS = 12 };

static void copy_column(int column, int rows, int features, const float *images, float *sheet)
{
    const size_t size = (size_t)features;
    for (size_t row = 0; row < (size_t)rows; ++row)
        memcpy(sheet + (row * COLUMNS + (size_t)column) * size, images + row * size,
               size * sizeof *sheet);
}

static void distort_columns(glnn_context *ctx, const glnn_distortion *of, uint64_t seed,
                            const float *images, int rows, int features, float *sheet)
{
    glnn_matrix *x, *distorted;
    const glnn_matrix_desc desc = {.rows = rows, .columns = features};
    float *values = malloc((size_t)rows * (size_t)features * sizeof *values);
    REQUIRE(values != NULL || refuse("no memory for %d images", rows));
    CHECK(glnn_matrix_create(ctx, &desc, &x));
    CHECK(glnn_matrix_create(ctx, &desc, &distorted));
    CHECK(glnn_matrix_upload(ctx, x, NULL, images, 0));
    copy_column(0, rows, features, images, sheet);
    for (int column = 1; column < COLUMNS; ++column) {
        CHECK(glnn_image_distort(ctx, of, seed, (uint64_t)column - 1, x, distorted));
        CHECK(glnn_matrix_download(ctx, distorted, NULL, values, 0));
        copy_column(column, rows, features, values, sheet);
    }
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(distorted);
    free(values);
}

void distort_draw(glnn_context *ctx, const glnn_distortion *distortion, uint64_t seed,
                  const samples *data, const char *path)
{
    const int rows = data->train.samples < ROWS ? data->train.samples : ROWS;
    glnn_distortion of = *distortion;
    float *sheet = malloc((size_t)rows * COLUMNS * (size_t)data->features * sizeof *sheet);
    REQUIRE(sheet != NULL || refuse("no memory for a sheet of %d images", rows));
    of.shape = data->shape;
    float *room = malloc((size_t)rows * (size_t)data->features * sizeof *room);
    REQUIRE(room != NULL || refuse("no memory for %d images", rows));
    const float *images = part_range(&data->train, 0, rows, room);
    REQUIRE(images != NULL);
    distort_columns(ctx, &of, seed, images, rows, data->features, sheet);
    free(room);
    CHECK(glnn_image_write_sheet(path, rows * COLUMNS, COLUMNS, of.shape.channels, of.shape.width,
                                 of.shape.height, sheet, 0.0f, 1.0f));
    printf("distorted  %s: %d images, each distorted %d times\n", path, rows, COLUMNS - 1);
    free(sheet);
}
