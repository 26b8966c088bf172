#include "digit.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"

/* Where matrices hold numbers of both axes, y comes before x. ENDS are the two ends of the box
 * along each axis. PAIR counts the rows and then the columns of the image. */
enum { AXES = 2, ENDS = 2 * AXES, PAIR = AXES * DIGIT_SIDE };

/* Numbers that stay. Those that are 20 times larger are lengths in the image, before the division
 * by the longer side of the box. */
typedef struct constants {
    glnn_matrix *y_ends, *x_ends; /* 1 where an end is one of the axis, 1 x ENDS             */
    glnn_matrix *ones;            /* 1 x side                                                */
    glnn_matrix *middles;         /* of the pixels of the canvas, 1 x side                   */
    glnn_matrix *tiny;            /* keeps an empty canvas from a division by 0, 1 x ENDS    */
    glnn_matrix *to_lengths;      /* of the box from its ends, ENDS x AXES                   */
    glnn_matrix *to_minus_middle; /* of the box from its ends, 20 times, ENDS x PAIR         */
    glnn_matrix *to_pair;         /* one number of two that are the same, 20 times           */
    glnn_matrix *twenty;          /* 1 x 1                                                   */
    glnn_matrix *indices;         /* 0, 20, 40, ..., side x 1                                */
    glnn_matrix *rows_of_pixels;  /* of the image, DIGIT_PIXELS x 1                          */
    glnn_matrix *ones_of_image;   /* 1 x DIGIT_SIDE                                          */
} constants;

/* The numbers that place the ink of a canvas in the image. */
typedef struct placement {
    glnn_matrix *row_sums;     /* of the ink, side x 1                                 */
    glnn_matrix *column_sums;  /* 1 x side                                             */
    glnn_matrix *sums;         /* of both axes, twice, side x ENDS                     */
    glnn_matrix *candidates;   /* for the ends of the box, side x ENDS                 */
    glnn_matrix *ends;         /* the last of both axes, then minus the first          */
    glnn_matrix *lengths;      /* of the box, 1 x AXES                                 */
    glnn_matrix *length;       /* the longer one, 1 x 1                                */
    glnn_matrix *minus_middle; /* of the box, 20 times, 1 x PAIR                       */
    glnn_matrix *mass;         /* four times the same, 1 x ENDS                        */
    glnn_matrix *centre;       /* of mass, twice, 1 x ENDS                             */
    glnn_matrix *shift;        /* from the middle of the box to each pixel of the image; first the
                                  distance from the middle to the centre, 1 x PAIR     */
    glnn_matrix *scale;        /* 1 x 1                                                */
} placement;

/* How much each pixel of the canvas counts for each row and column of the image. */
typedef struct weights {
    glnn_matrix *starts, *ends;  /* of pixels of the canvas in those of the image, side x PAIR */
    glnn_matrix *rows, *columns; /* side x DIGIT_SIDE                                          */
} weights;

typedef struct matrices {
    constants constants;
    placement place;
    weights weights;
    glnn_matrix *canvas; /* in the layout that operations read fastest      */
    glnn_matrix *narrow; /* the canvas as wide as the image                 */
    glnn_matrix *image;
    glnn_matrix *spread; /* the row of each pixel of the image, then only the pixel */
    glnn_matrix *sample;
} matrices;

struct digit {
    glnn_context *ctx;
    int side;
    matrices all;
};

static glnn_matrix *create(const digit *of, const char *name, int rows, int columns)
{
    glnn_matrix *matrix;
    CHECK(glnn_matrix_create(
        of->ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .name = name}, &matrix));
    return matrix;
}

/* A matrix of an expression in `row` and `column`. */
static glnn_matrix *create_filled(const digit *of, const char *name, int rows, int columns,
                                  const char *expression)
{
    glnn_matrix *matrix = create(of, name, rows, columns);
    CHECK(glnn_map_apply_expression(of->ctx, expression, matrix, matrix));
    return matrix;
}

static constants create_constants(const digit *of)
{
    const int side = of->side;
    return (constants){
        .y_ends = create_filled(of, "ends of y", 1, ENDS, "float(1 - column % 2)"),
        .x_ends = create_filled(of, "ends of x", 1, ENDS, "float(column % 2)"),
        .ones = create_filled(of, "ones", 1, side, "1.0"),
        .middles = create_filled(of, "middles", 1, side, "float(column) + 0.5"),
        .tiny = create_filled(of, "tiny", 1, ENDS, "1e-30"),
        .to_lengths =
            create_filled(of, "ends to lengths", ENDS, AXES, "row % 2 == column ? 1.0 : 0.0"),
        .to_minus_middle = create_filled(of, "ends to minus middle", ENDS, PAIR,
                                         "row % 2 == column / 28 ? (row < 2 ? -10.0 : 10.0) : 0.0"),
        .to_pair = create_filled(of, "ends to pair", ENDS, PAIR, "row == column / 28 ? 20.0 : 0.0"),
        .twenty = create_filled(of, "twenty", 1, 1, "20.0"),
        .indices = create_filled(of, "indices", side, 1, "20.0 * float(row)"),
        .rows_of_pixels = create_filled(of, "rows of pixels", DIGIT_PIXELS, 1, "float(row / 28)"),
        .ones_of_image = create_filled(of, "ones of image", 1, DIGIT_SIDE, "1.0")};
}

static placement create_placement(const digit *of)
{
    return (placement){.row_sums = create(of, "row sums", of->side, 1),
                       .column_sums = create(of, "column sums", 1, of->side),
                       .sums = create(of, "sums of ink", of->side, ENDS),
                       .candidates = create(of, "candidates", of->side, ENDS),
                       .ends = create(of, "ends", 1, ENDS),
                       .lengths = create(of, "lengths", 1, AXES),
                       .length = create(of, "length", 1, 1),
                       .minus_middle = create(of, "minus middle", 1, PAIR),
                       .mass = create(of, "mass", 1, ENDS),
                       .centre = create(of, "centre", 1, ENDS),
                       .shift = create(of, "shift", 1, PAIR),
                       .scale = create(of, "scale", 1, 1)};
}

static weights create_weights(const digit *of)
{
    return (weights){.starts = create(of, "starts", of->side, PAIR),
                     .ends = create(of, "ends", of->side, PAIR),
                     .rows = create(of, "row weights", of->side, DIGIT_SIDE),
                     .columns = create(of, "column weights", of->side, DIGIT_SIDE)};
}

digit *digit_create(glnn_context *ctx, int side)
{
    digit *of = calloc(1, sizeof *of);
    REQUIRE(of != NULL || refuse("no memory for the preparation of a canvas"));
    of->ctx = ctx;
    of->side = side;
    of->all.constants = create_constants(of);
    of->all.place = create_placement(of);
    of->all.weights = create_weights(of);
    of->all.canvas = create(of, "canvas", side, side);
    of->all.narrow = create(of, "narrow canvas", side, DIGIT_SIDE);
    of->all.image = create(of, "image", DIGIT_SIDE, DIGIT_SIDE);
    of->all.spread = create(of, "spread image", DIGIT_PIXELS, DIGIT_SIDE);
    of->all.sample = create(of, "sample", 1, DIGIT_PIXELS);
    return of;
}

void digit_destroy(digit *of)
{
    if (of == NULL)
        return;
    glnn_matrix *const *all = (glnn_matrix *const *)&of->all; /* it has nothing else */
    for (size_t i = 0; i < sizeof of->all / sizeof(glnn_matrix *); ++i)
        glnn_matrix_destroy(all[i]);
    free(of);
}

static void multiply(digit *of, const glnn_matrix *a, const glnn_matrix *b, const glnn_matrix *bias,
                     glnn_matrix *out)
{
    CHECK(glnn_gemm(of->ctx, &(glnn_gemm_desc){.bias = bias}, 1.0f, a, b, 0.0f, out));
}

static void combine(digit *of, glnn_binary op, const glnn_matrix *x, const glnn_matrix *y,
                    glnn_matrix *out)
{
    CHECK(glnn_binary_apply(of->ctx, op, x, y, out));
}

static void map(digit *of, const char *expression, const glnn_matrix *x, glnn_matrix *out)
{
    CHECK(glnn_map_apply_expression(of->ctx, expression, x, out));
}

static void sum_ink(digit *of)
{
    glnn_context *ctx = of->ctx;
    const placement *place = &of->all.place;
    CHECK(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, of->all.canvas, place->row_sums));
    CHECK(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, of->all.canvas,
                      place->column_sums));
    CHECK(glnn_outer(ctx, 1.0f, place->row_sums, of->all.constants.y_ends, 0.0f, place->sums));
    CHECK(glnn_outer(ctx, 1.0f, place->column_sums, of->all.constants.x_ends, 1.0f, place->sums));
}

/* Without ink the box has no size; its numbers mean nothing, but are finite. */
static void find_box(digit *of)
{
    const placement *place = &of->all.place;
    map(of, "x > 0.0 ? (column < 2 ? float(row + 1) : -float(row)) : -4096.0", place->sums,
        place->candidates);
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_COLUMNS, place->candidates,
                      place->ends));
    multiply(of, place->ends, of->all.constants.to_minus_middle, NULL, place->minus_middle);
    multiply(of, place->ends, of->all.constants.to_lengths, NULL, place->lengths);
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, place->lengths, place->length));
    combine(of, GLNN_BINARY_DIVIDE, of->all.constants.twenty, place->length, place->scale);
}

static void centre_mass(digit *of)
{
    const constants *given = &of->all.constants;
    const placement *place = &of->all.place;
    multiply(of, given->ones, place->sums, given->tiny, place->mass);
    multiply(of, given->middles, place->sums, NULL, place->centre);
    combine(of, GLNN_BINARY_DIVIDE, place->centre, place->mass, place->centre);
    multiply(of, place->centre, given->to_pair, place->minus_middle, place->shift);
    combine(of, GLNN_BINARY_DIVIDE, place->shift, place->length, place->shift);
    map(of, "14.0 - floor(x + 0.015625) - float(column % 28)", place->shift, place->shift);
}

/* The weight of a pixel of the canvas for a row or column of the image is the length of the part
 * that falls into it. */
static void weigh_pixels(digit *of)
{
    static const char part_before_end[] = "clamp(x, 0.0, 1.0)";
    const placement *place = &of->all.place;
    const weights *w = &of->all.weights;
    combine(of, GLNN_BINARY_ADD, of->all.constants.indices, place->minus_middle, w->starts);
    combine(of, GLNN_BINARY_DIVIDE, w->starts, place->length, w->starts);
    combine(of, GLNN_BINARY_ADD, w->starts, place->shift, w->starts);
    combine(of, GLNN_BINARY_ADD, w->starts, place->scale, w->ends);
    map(of, part_before_end, w->starts, w->starts);
    map(of, part_before_end, w->ends, w->ends);
    CHECK(glnn_axpy(of->ctx, -1.0f, w->starts, w->ends));
    CHECK(
        glnn_copy_rect(of->ctx, w->ends, &(glnn_rect){0, 0, of->side, DIGIT_SIDE}, w->rows, 0, 0));
    CHECK(glnn_copy_rect(of->ctx, w->ends, &(glnn_rect){0, DIGIT_SIDE, of->side, DIGIT_SIDE},
                         w->columns, 0, 0));
}

/* Puts the rows of the image one after another: each pixel gets its row of the image, keeps its own
 * place in it, and sums the rest, which is 0. */
static void make_sample(digit *of)
{
    const matrices *all = &of->all;
    CHECK(glnn_gather_rows(of->ctx, all->image, all->constants.rows_of_pixels, 0, DIGIT_PIXELS,
                           all->spread));
    map(of, "column == row % 28 ? x : 0.0", all->spread, all->spread);
    CHECK(glnn_gemm(of->ctx, &(glnn_gemm_desc){.transpose_b = true}, 1.0f,
                    all->constants.ones_of_image, all->spread, 0.0f, all->sample));
}

void digit_prepare(digit *of, const glnn_matrix *canvas)
{
    const matrices *all = &of->all;
    CHECK(glnn_copy(of->ctx, canvas, all->canvas));
    sum_ink(of);
    find_box(of);
    centre_mass(of);
    weigh_pixels(of);
    multiply(of, all->canvas, all->weights.columns, NULL, all->narrow);
    CHECK(glnn_gemm(of->ctx, &(glnn_gemm_desc){.transpose_a = true}, 1.0f, all->weights.rows,
                    all->narrow, 0.0f, all->image));
    make_sample(of);
}

const glnn_matrix *digit_get_image(const digit *of)
{
    return of->all.image;
}

const glnn_matrix *digit_get_sample(const digit *of)
{
    return of->all.sample;
}
