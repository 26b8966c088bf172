#include "digit.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"

/* Where matrices hold numbers of both axes, y comes before x. PAIR counts the rows of the image and
 * its columns. */
enum { AXES = 2, ENDS = 2 * AXES, PAIR = AXES * DIGIT_SIDE, MATRICES = 32 };

/* Numbers that stay. */
typedef struct constants {
    glnn_matrix *indices;         /* 0, 1, 2, ..., side x 1                                    */
    glnn_matrix *ones;            /* 1 x side                                                  */
    glnn_matrix *middles;         /* of the pixels of the canvas, 1 x side                     */
    glnn_matrix *to_rows;         /* ones that sum rows, side x ENDS                           */
    glnn_matrix *to_columns;      /* ones that sum columns, side x ENDS                        */
    glnn_matrix *tiny;            /* keeps an empty canvas from a division by 0, 1 x ENDS      */
    glnn_matrix *ends_to_lengths; /* ENDS x AXES                                               */
    glnn_matrix *ends_to_minus_middle; /* ENDS x AXES                                           */
    glnn_matrix *ends_to_axes; /* ENDS x AXES                                               */
    glnn_matrix *axes;         /* 1 where a row or column of the image has the axis, AXES x PAIR */
    glnn_matrix *repeat;       /* DIGIT_SIDE unit matrices next to each other               */
    glnn_matrix *own_row;      /* 1 where a pixel of the image lies in the row              */
} constants;

/* The numbers that place the ink of a canvas in the image. */
typedef struct placement {
    glnn_matrix *sums;         /* of each row and each column, twice, side x ENDS     */
    glnn_matrix *candidates;   /* for the ends of the box, side x ENDS                */
    glnn_matrix *ends;         /* the last of both axes, then minus the first         */
    glnn_matrix *lengths;      /* of the box                                          */
    glnn_matrix *minus_middle; /* of the box                                          */
    glnn_matrix *mass;         /* 1 x ENDS, four times the same                       */
    glnn_matrix *centre;       /* of mass, twice, 1 x ENDS                            */
    glnn_matrix *shift;        /* first the distance of the centre of mass from the middle */
    glnn_matrix *scale;        /* 1 x 1                                               */
} placement;

/* How much each pixel of the canvas counts for each row and column of the image. */
typedef struct weights {
    glnn_matrix *from_middle;    /* of the box to the pixels of the canvas, side x AXES       */
    glnn_matrix *scales;         /* AXES x PAIR                                               */
    glnn_matrix *shifts;         /* 1 x PAIR                                                  */
    glnn_matrix *starts, *ends;  /* of the pixels of the canvas in the image, side x PAIR     */
    glnn_matrix *rows, *columns; /* side x DIGIT_SIDE                                        */
} weights;

struct digit {
    glnn_context *ctx;
    int side;
    constants constants;
    placement place;
    weights weights;
    glnn_matrix *canvas; /* in the layout that operations read fastest */
    glnn_matrix *narrow; /* the canvas as wide as the image                        */
    glnn_matrix *image;
    glnn_matrix *spread; /* the image with each row moved to its place in the sample */
    glnn_matrix *sample;
    int count; /* of the matrices above */
    glnn_matrix *all[MATRICES];
};

static glnn_matrix *create(digit *of, const char *name, int rows, int columns)
{
    glnn_matrix *matrix;
    CHECK(glnn_matrix_create(
        of->ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .name = name}, &matrix));
    of->all[of->count++] = matrix;
    return matrix;
}

/* A matrix of an expression in `row` and `column`. */
static glnn_matrix *create_filled(digit *of, const char *name, int rows, int columns,
                                  const char *expression)
{
    glnn_matrix *matrix = create(of, name, rows, columns);
    CHECK(glnn_map_apply_expression(of->ctx, expression, matrix, matrix));
    return matrix;
}

static constants create_constants(digit *of)
{
    const int side = of->side;
    return (constants){
        .indices = create_filled(of, "indices", side, 1, "float(row)"),
        .ones = create_filled(of, "ones", 1, side, "1.0"),
        .middles = create_filled(of, "middles", 1, side, "float(column) + 0.5"),
        .to_rows = create_filled(of, "to rows", side, ENDS, "float(1 - column % 2)"),
        .to_columns = create_filled(of, "to columns", side, ENDS, "float(column % 2)"),
        .tiny = create_filled(of, "tiny", 1, ENDS, "1e-30"),
        .ends_to_lengths =
            create_filled(of, "ends to lengths", ENDS, AXES, "row % 2 == column ? 1.0 : 0.0"),
        .ends_to_minus_middle = create_filled(of, "ends to minus middle", ENDS, AXES,
                                              "row % 2 == column ? (row < 2 ? -0.5 : 0.5) : 0.0"),
        .ends_to_axes = create_filled(of, "ends to axes", ENDS, AXES, "row == column ? 1.0 : 0.0"),
        .axes = create_filled(of, "axes", AXES, PAIR, "column / 28 == row ? 1.0 : 0.0"),
        .repeat =
            create_filled(of, "repeat", DIGIT_SIDE, DIGIT_PIXELS, "column % 28 == row ? 1.0 : 0.0"),
        .own_row = create_filled(of, "own row", DIGIT_SIDE, DIGIT_PIXELS,
                                 "column / 28 == row ? 1.0 : 0.0")};
}

static placement create_placement(digit *of)
{
    return (placement){.sums = create(of, "sums of ink", of->side, ENDS),
                       .candidates = create(of, "candidates", of->side, ENDS),
                       .ends = create(of, "ends", 1, ENDS),
                       .lengths = create(of, "lengths", 1, AXES),
                       .minus_middle = create(of, "minus middle", 1, AXES),
                       .mass = create(of, "mass", 1, ENDS),
                       .centre = create(of, "centre", 1, ENDS),
                       .shift = create(of, "shift", 1, AXES),
                       .scale = create(of, "scale", 1, 1)};
}

static weights create_weights(digit *of)
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
    of->constants = create_constants(of);
    of->place = create_placement(of);
    of->weights = create_weights(of);
    of->canvas = create(of, "canvas", side, side);
    of->narrow = create(of, "narrow canvas", side, DIGIT_SIDE);
    of->image = create(of, "image", DIGIT_SIDE, DIGIT_SIDE);
    of->spread = create(of, "spread image", DIGIT_SIDE, DIGIT_PIXELS);
    of->sample = create(of, "sample", 1, DIGIT_PIXELS);
    return of;
}

void digit_destroy(digit *of)
{
    if (of == NULL)
        return;
    for (int i = 0; i < of->count; ++i)
        glnn_matrix_destroy(of->all[i]);
    free(of);
}

static void multiply(digit *of, const glnn_matrix *a, const glnn_matrix *b, const glnn_matrix *bias,
                     glnn_matrix *out)
{
    CHECK(glnn_gemm(of->ctx, &(glnn_gemm_desc){.bias = bias}, 1.0f, a, b, 0.0f, out));
}

static void sum_ink(digit *of)
{
    const glnn_gemm_desc transposed = {.transpose_a = true};
    multiply(of, of->canvas, of->constants.to_rows, NULL, of->place.sums);
    CHECK(glnn_gemm(of->ctx, &transposed, 1.0f, of->canvas, of->constants.to_columns, 1.0f,
                    of->place.sums));
}

/* Without ink the box has no size; its numbers mean nothing, but are finite. */
static void find_box(digit *of)
{
    static const char candidate[] =
        "x > 0.0 ? (column < 2 ? float(row + 1) : -float(row)) : -4096.0";
    const placement *place = &of->place;
    CHECK(glnn_map_apply_expression(of->ctx, candidate, place->sums, place->candidates));
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_COLUMNS, place->candidates,
                      place->ends));
    multiply(of, place->ends, of->constants.ends_to_lengths, NULL, place->lengths);
    multiply(of, place->ends, of->constants.ends_to_minus_middle, NULL, place->minus_middle);
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, place->lengths, place->scale));
    CHECK(glnn_map_apply_expression(of->ctx, "20.0 / max(x, 1.0)", place->scale, place->scale));
}

static void centre_mass(digit *of)
{
    static const char whole_shift[] = "14.0 - floor(x + 0.015625)";
    const placement *place = &of->place;
    multiply(of, of->constants.ones, place->sums, of->constants.tiny, place->mass);
    multiply(of, of->constants.middles, place->sums, NULL, place->centre);
    CHECK(
        glnn_binary_apply(of->ctx, GLNN_BINARY_DIVIDE, place->centre, place->mass, place->centre));
    multiply(of, place->centre, of->constants.ends_to_axes, place->minus_middle, place->shift);
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
    const placement *place = &of->place;
    const weights *w = &of->weights;
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_ADD, of->constants.indices, place->minus_middle,
                            w->from_middle));
    CHECK(
        glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, of->constants.axes, place->scale, w->scales));
    multiply(of, place->shift, of->constants.axes, NULL, w->shifts);
    multiply(of, w->from_middle, w->scales, w->shifts, w->starts);
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_ADD, w->starts, place->scale, w->ends));
    CHECK(glnn_map_apply_expression(ctx, part_before_end, w->starts, w->starts));
    CHECK(glnn_map_apply_expression(ctx, part_before_end, w->ends, w->ends));
    CHECK(glnn_axpy(ctx, -1.0f, w->starts, w->ends));
    CHECK(glnn_copy_rect(ctx, w->ends, &(glnn_rect){0, 0, of->side, DIGIT_SIDE}, w->rows, 0, 0));
    CHECK(glnn_copy_rect(ctx, w->ends, &(glnn_rect){0, DIGIT_SIDE, of->side, DIGIT_SIDE},
                         w->columns, 0, 0));
}

/* Puts the rows of the image one after another. The derivative of relu masks the other rows. */
static void make_sample(digit *of)
{
    const glnn_gemm_desc masked = {.derivative_of = of->constants.own_row,
                                   .derivative = GLNN_MAP_RELU};
    CHECK(glnn_gemm(of->ctx, &masked, 1.0f, of->image, of->constants.repeat, 0.0f, of->spread));
    CHECK(glnn_reduce(of->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, of->spread, of->sample));
}

void digit_prepare(digit *of, const glnn_matrix *canvas)
{
    const glnn_gemm_desc transposed = {.transpose_a = true};
    CHECK(glnn_copy(of->ctx, canvas, of->canvas));
    sum_ink(of);
    find_box(of);
    centre_mass(of);
    weigh_pixels(of);
    multiply(of, of->canvas, of->weights.columns, NULL, of->narrow);
    CHECK(glnn_gemm(of->ctx, &transposed, 1.0f, of->weights.rows, of->narrow, 0.0f, of->image));
    make_sample(of);
}

const glnn_matrix *digit_get_image(const digit *of)
{
    return of->image;
}

const glnn_matrix *digit_get_sample(const digit *of)
{
    return of->sample;
}
