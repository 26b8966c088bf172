#include "digit.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"

/* Where matrices hold numbers of both axes, y comes before x. ENDS are the two ends of the box
 * along each axis, and PAIR counts the rows and columns of the image. */
enum { AXES = 2, ENDS = 2 * AXES, PAIR = AXES * DIGIT_SIDE };

/* Numbers that stay. */
typedef struct constants {
    glnn_matrix *indices;         /* 0, 1, 2, ..., side x 1                                  */
    glnn_matrix *ones;            /* 1 x side                                                */
    glnn_matrix *middles;         /* of the pixels of the canvas, 1 x side                   */
    glnn_matrix *y_ends, *x_ends; /* 1 where an end is one of the axis, 1 x ENDS             */
    glnn_matrix *tiny;            /* keeps an empty canvas from a division by 0, 1 x ENDS    */
    glnn_matrix *to_lengths;      /* of the box from its ends, ENDS x AXES                   */
    glnn_matrix *to_minus_middle; /* of the box from its ends, ENDS x AXES                   */
    glnn_matrix *to_axes;         /* one number of two that are the same, ENDS x AXES        */
    glnn_matrix *axes;            /* 1 where a row or column of the image has the axis,
                                     AXES x PAIR                                             */
    glnn_matrix *rows_of_pixels;  /* of the image, DIGIT_PIXELS x 1                          */
} constants;

/* The numbers that place the ink of a canvas in the image. */
typedef struct placement {
    glnn_matrix *row_sums;     /* of the ink, side x 1                                 */
    glnn_matrix *column_sums;  /* 1 x side                                             */
    glnn_matrix *sums;         /* of both axes, twice, side x ENDS                     */
    glnn_matrix *candidates;   /* for the ends of the box, side x ENDS                 */
    glnn_matrix *ends;         /* the last of both axes, then minus the first          */
    glnn_matrix *lengths;      /* of the box, 1 x AXES                                 */
    glnn_matrix *minus_middle; /* of the box, 1 x AXES                                 */
    glnn_matrix *mass;         /* four times the same, 1 x ENDS                        */
    glnn_matrix *centre;       /* of mass, twice, 1 x ENDS                             */
    glnn_matrix *shift;        /* first the distance from the middle to the centre     */
    glnn_matrix *scale;        /* 1 x 1                                                */
} placement;

/* How much each pixel of the canvas counts for each row and column of the image. */
typedef struct weights {
    glnn_matrix *from_middle;    /* of the box to the pixels of the canvas, side x AXES       */
    glnn_matrix *scales;         /* AXES x PAIR                                               */
    glnn_matrix *shifts;         /* 1 x PAIR                                                  */
    glnn_matrix *starts, *ends;  /* of the pixels of the canvas in the image, side x PAIR     */
    glnn_matrix *rows, *columns; /* side x DIGIT_SIDE                                        */
} weights;

typedef struct matrices {
    constants constants;
    placement place;
    weights weights;
    glnn_matrix *canvas; /* in the layout that operations read fastest      */
    glnn_matrix *narrow; /* the canvas as wide as the image                 */
    glnn_matrix *image;
    glnn_matrix *spread; /* the row of each pixel of the image, then only the pixel */
    glnn_matrix *pixels; /* DIGIT_PIXELS x 1 */
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
        .indices = create_filled(of, "indices", side, 1, "float(row)"),
        .ones = create_filled(of, "ones", 1, side, "1.0"),
        .middles = create_filled(of, "middles", 1, side, "float(column) + 0.5"),
        .y_ends = create_filled(of, "ends of y", 1, ENDS, "float(1 - column % 2)"),
        .x_ends = create_filled(of, "ends of x", 1, ENDS, "float(column % 2)"),
        .tiny = create_filled(of, "tiny", 1, ENDS, "1e-30"),
        .to_lengths =
            create_filled(of, "ends to lengths", ENDS, AXES, "row % 2 == column ? 1.0 : 0.0"),
        .to_minus_middle = create_filled(of, "ends to minus middle", ENDS, AXES,
                                         "row % 2 == column ? (row < 2 ? -0.5 : 0.5) : 0.0"),
        .to_axes = create_filled(of, "ends to axes", ENDS, AXES, "row == column ? 1.0 : 0.0"),
        .axes = create_filled(of, "axes", AXES, PAIR, "column / 28 == row ? 1.0 : 0.0"),
        .rows_of_pixels = create_filled(of, "rows of pixels", DIGIT_PIXELS, 1, "float(row / 28)")};
}

static placement create_placement(const digit *of)
{
    return (placement){.row_sums = create(of, "row sums", of->side, 1),
                       .column_sums = create(of, "column sums", 1, of->side),
                       .sums = create(of, "sums of ink", of->side, ENDS),
                       .candidates = create(of, "candidates", of->side, ENDS),
                       .ends = create(of, "ends", 1, ENDS),
                       .lengths = create(of, "lengths", 1, AXES),
                       .minus_middle = create(of, "minus middle", 1, AXES),
                       .mass = create(of, "mass", 1, ENDS),
                       .centre = create(of, "centre", 1, ENDS),
                       .shift = create(of, "shift", 1, AXES),
                       .scale = create(of, "scale", 1, 1)};
}

static weights create_weights(const digit *of)
{
    return (weights){.from_middle = create(of, "from middle", of->side, AXES),
                     .scales = create(of, "scales", AXES, PAIR),
                     .shifts = create(of, "shifts", 1, PAIR),
                     .starts = create(of, "starts", of->side, PAIR),
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
    of->all.pixels = create(of, "pixels", DIGIT_PIXELS, 1);
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
    static const char candidate[] =
        "x > 0.0 ? (column < 2 ? float(row + 1) : -float(row)) : -4096.0";
    const placement *place = &of->all.place;
    CHECK(glnn_map_apply_expression(of->ctx, candidate, place->sums, place->candidates));
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_COLUMNS, place->candidates,
                      place->ends));
    multiply(of, place->ends, of->all.constants.to_lengths, NULL, place->lengths);
    multiply(of, place->ends, of->all.constants.to_minus_middle, NULL, place->minus_middle);
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, place->lengths, place->scale));
    CHECK(glnn_map_apply_expression(of->ctx, "20.0 / max(x, 1.0)", place->scale, place->scale));
}

static void centre_mass(digit *of)
{
    static const char whole_shift[] = "14.0 - floor(x + 0.015625)";
    const placement *place = &of->all.place;
    multiply(of, of->all.constants.ones, place->sums, of->all.constants.tiny, place->mass);
    multiply(of, of->all.constants.middles, place->sums, NULL, place->centre);
    CHECK(
        glnn_binary_apply(of->ctx, GLNN_BINARY_DIVIDE, place->centre, place->mass, place->centre));
    multiply(of, place->centre, of->all.constants.to_axes, place->minus_middle, place->shift);
    CHECK(
        glnn_binary_apply(of->ctx, GLNN_BINARY_MULTIPLY, place->shift, place->scale, place->shift));
    CHECK(glnn_map_apply_expression(of->ctx, whole_shift, place->shift, place->shift));
}

/* The weight of a pixel of the canvas for a row or column of the image is the length of the part
 * that falls into it. */
static void weigh_pixels(digit *of)
{
    static const char part_before_end[] = "clamp(x - float(column % 28), 0.0, 1.0)";
    glnn_context *ctx = of->ctx;
    const placement *place = &of->all.place;
    const weights *w = &of->all.weights;
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_ADD, of->all.constants.indices, place->minus_middle,
                            w->from_middle));
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, of->all.constants.axes, place->scale,
                            w->scales));
    multiply(of, place->shift, of->all.constants.axes, NULL, w->shifts);
    multiply(of, w->from_middle, w->scales, w->shifts, w->starts);
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_ADD, w->starts, place->scale, w->ends));
    CHECK(glnn_map_apply_expression(ctx, part_before_end, w->starts, w->starts));
    CHECK(glnn_map_apply_expression(ctx, part_before_end, w->ends, w->ends));
    CHECK(glnn_axpy(ctx, -1.0f, w->starts, w->ends));
    CHECK(glnn_copy_rect(ctx, w->ends, &(glnn_rect){0, 0, of->side, DIGIT_SIDE}, w->rows, 0, 0));
    CHECK(glnn_copy_rect(ctx, w->ends, &(glnn_rect){0, DIGIT_SIDE, of->side, DIGIT_SIDE},
                         w->columns, 0, 0));
}

/* Puts the rows of the image one after another: each pixel gets its row of the image, keeps its own
 * place in it, and sums the rest, which is 0. */
static void make_sample(digit *of)
{
    static const char own_column[] = "column == row % 28 ? x : 0.0";
    const matrices *all = &of->all;
    CHECK(glnn_gather_rows(of->ctx, all->image, all->constants.rows_of_pixels, 0, DIGIT_PIXELS,
                           all->spread));
    CHECK(glnn_map_apply_expression(of->ctx, own_column, all->spread, all->spread));
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, all->spread, all->pixels));
    CHECK(glnn_transpose(of->ctx, all->pixels, all->sample));
}

void digit_prepare(digit *of, const glnn_matrix *canvas)
{
    const glnn_gemm_desc transposed = {.transpose_a = true};
    CHECK(glnn_copy(of->ctx, canvas, of->all.canvas));
    sum_ink(of);
    find_box(of);
    centre_mass(of);
    weigh_pixels(of);
    multiply(of, of->all.canvas, of->all.weights.columns, NULL, of->all.narrow);
    CHECK(glnn_gemm(of->ctx, &transposed, 1.0f, of->all.weights.rows, of->all.narrow, 0.0f,
                    of->all.image));
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
