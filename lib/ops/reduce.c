#include "ops/reduce.h"

#include "base/integers.h"
#include "base/names.h"
#include "ops/check.h"
#include "pass/list.h"
#include "pass/profile.h"

static const glnn__enumerator reductions[] = {
    GLNN__ENUMERATOR(GLNN_REDUCTION_SUM),       GLNN__ENUMERATOR(GLNN_REDUCTION_SUM_OF_SQUARES),
    GLNN__ENUMERATOR(GLNN_REDUCTION_MAX),       GLNN__ENUMERATOR(GLNN_REDUCTION_MIN),
    GLNN__ENUMERATOR(GLNN_REDUCTION_ARGMAX),    GLNN__ENUMERATOR(GLNN_REDUCTION_ARGMIN),
    GLNN__ENUMERATOR(GLNN_REDUCTION_LOGSUMEXP), {0}};

static const glnn__enumerator axes[] = {
    GLNN__ENUMERATOR(GLNN_AXIS_ROWS), GLNN__ENUMERATOR(GLNN_AXIS_COLUMNS), {0}};

static const char *const reduction_names[GLNN_REDUCTION_COUNT] = {
    [GLNN_REDUCTION_SUM] = "sum",
    [GLNN_REDUCTION_MEAN] = "mean",
    [GLNN_REDUCTION_SUM_OF_SQUARES] = "sum_of_squares",
    [GLNN_REDUCTION_MAX] = "max",
    [GLNN_REDUCTION_MIN] = "min",
    [GLNN_REDUCTION_ARGMAX] = "argmax",
    [GLNN_REDUCTION_ARGMIN] = "argmin",
    [GLNN_REDUCTION_LOGSUMEXP] = "logsumexp",
};

static const char *const axis_names[GLNN_AXIS_COUNT] = {
    [GLNN_AXIS_ALL] = "all",
    [GLNN_AXIS_ROWS] = "rows",
    [GLNN_AXIS_COLUMNS] = "columns",
};

GLNN__DEFINE_NAMES(glnn_reduction, reduction_names)
GLNN__DEFINE_NAMES(glnn_axis, axis_names)

enum { REDUCTION, AXIS, FLAT, LINE, ACROSS };
enum { SCALE, SPREAD, STRIDE, REACH, EXTENT };

static const glnn__kernel reduce_kernel = {
    .name = "ops/reduce",
    .operands = {"X", "INDEX"},
    .unviewed = 2,
    .options = {[REDUCTION] = "REDUCTION",
                [AXIS] = "AXIS",
                [FLAT] = "FLAT",
                [LINE] = "LINE",
                [ACROSS] = "ACROSS"},
    .uniforms = {[SCALE] = "float scale",
                 [SPREAD] = "int spread",
                 [STRIDE] = "int stride",
                 [REACH] = "int reach",
                 [EXTENT] = "int extent"},
    .enumerations = {reductions, axes},
};

/* A step folds LEAST_FACTOR elements into one, or more if enough results remain to occupy the
 * device. Factors are multiples of 16 and depend on the shape alone. */
#define LEAST_FACTOR           32
#define GREATEST_FACTOR        128
#define GREATEST_COLUMN_FACTOR 64 /* of texels, each of which has four columns */
#define MANY_TEXELS            8192

/* An output of one row has one row of fragments, which leaves most of a device idle. Long rows are
 * therefore folded in several parts, one below the other, which a second pass folds. */
#define PARTS_ACROSS    4
#define LONG_FOR_ACROSS 128

/* Up to this number float32 holds all integers. */
#define MAX_INDEX (1 << 24)

/* The state of a reduction between its steps. */
typedef struct steps {
    glnn_reduction reduction;
    bool is_index, is_flat;
    const glnn_matrix *x;
    glnn_matrix *out;
    glnn_matrix *latest; /* the output of the step before; NULL before the first */
    float scale;         /* of the last step */
    bool interleaves;    /* see glnn__reduce */
    bool is_across;      /* this step writes the results of rows next to each other */
} steps;

/* The reduction that a step computes. Only the first step squares. */
static glnn_reduction step_reduction(const steps *s)
{
    if (s->reduction == GLNN_REDUCTION_MEAN ||
        (s->reduction == GLNN_REDUCTION_SUM_OF_SQUARES && s->latest))
        return GLNN_REDUCTION_SUM;
    return s->reduction;
}

static int steps_of(int extent, int factor)
{
    int count = 1;
    for (; extent > factor; extent = glnn__ceil_div(extent, factor))
        ++count;
    return count;
}

/* How many elements a step folds into one, of `extent` elements in each of `lines` rows or columns.
 * The factor is larger than occupancy allows if that saves a step. */
static int choose_factor(glnn_axis axis, int extent, int lines)
{
    const bool is_rows = axis == GLNN_AXIS_ROWS;
    const int texels = is_rows ? lines : glnn__ceil_div(lines, 4);
    const int greatest = is_rows ? GREATEST_FACTOR : GREATEST_COLUMN_FACTOR;
    const int fewest = steps_of(extent, greatest);
    int factor = greatest;
    while (factor > LEAST_FACTOR &&
           (int64_t)glnn__ceil_div(extent, factor) * texels < MANY_TEXELS &&
           steps_of(extent, factor / 2) == fewest)
        factor /= 2;
    return factor;
}

/* Partial results have the layout with the least work per fragment: UNPACKED along rows, which have
 * few columns then, and PACKED along columns. Very large ones only fit in a TILED matrix. */
static glnn_layout scratch_layout(const glnn_context *ctx, glnn_axis axis, int rows, int columns)
{
    const int side = ctx->info.max_texture_size;
    if (rows > side || columns > 4 * side)
        return GLNN_LAYOUT_TILED;
    return axis == GLNN_AXIS_ROWS ? GLNN_LAYOUT_UNPACKED : GLNN_LAYOUT_PACKED;
}

/* The uniforms of reduce.glsl that give the order in which folds of `factor` elements take their
 * units. */
static void set_order(const steps *s, const glnn_matrix *x, glnn_axis axis, int extent, int factor,
                      glnn__uniform *uniforms)
{
    const bool finds_places = s->is_index && s->latest;
    const int group = axis == GLNN_AXIS_ROWS ? 4 : 1;
    const int fours = x->layout == GLNN_LAYOUT_TILED ? 4 : 1;
    const int unit = finds_places ? 1 : group * fours, length = factor / unit;
    uniforms[SPREAD].i = s->interleaves ? 1 : length;
    uniforms[STRIDE].i = s->interleaves ? glnn__ceil_div(extent, factor) : 1;
    uniforms[REACH].i = s->interleaves ? glnn__ceil_div(extent, unit) : length;
    uniforms[EXTENT].i = extent;
}

static glnn__pass step_pass(const steps *s, const glnn_matrix *x, glnn_axis axis, int extent,
                            int factor, glnn_matrix *output, float scale)
{
    const glnn__layout_info *layout = glnn__layout_of(output);
    const bool is_column = axis == GLNN_AXIS_ROWS && !s->is_across;
    const bool is_line = glnn__ceil_div(extent, factor) == 1;
    glnn__pass pass = {
        .kernel = &reduce_kernel,
        .operands = {{.matrix = x}, {.matrix = s->is_index ? s->latest : NULL}},
        .output = output,
        .options = {[REDUCTION] = step_reduction(s),
                    [AXIS] = axis,
                    [FLAT] = s->is_flat,
                    [LINE] =
                        is_line && (is_column ? layout->block_columns : layout->block_rows) > 1,
                    [ACROSS] = s->is_across},
        .uniforms = {[SCALE] = {.f = scale}},
    };
    set_order(s, x, axis, extent, factor, pass.uniforms);
    return pass;
}

/* A step of an index reads the places that the step before chose, and their values in x. Other
 * steps fold the output of the step before. */
static glnn_status run_step(glnn_context *ctx, steps *s, glnn_axis axis, int extent, int factor,
                            bool is_last)
{
    const glnn_matrix *shape = s->latest ? s->latest : s->x;
    const glnn_matrix *x = s->is_index ? s->x : shape;
    const int rest = glnn__ceil_div(extent, factor);
    glnn_matrix *output = s->out;
    if (!is_last) {
        const bool rows_stay = axis == GLNN_AXIS_ROWS && !s->is_across;
        const int lines = axis == GLNN_AXIS_ROWS ? shape->rows : shape->columns;
        const int rows = rows_stay ? lines : rest, columns = rows_stay ? rest : lines;
        const glnn_axis along = rows_stay ? GLNN_AXIS_ROWS : GLNN_AXIS_COLUMNS;
        GLNN__TRY(glnn__matrix_create_scratch(ctx, scratch_layout(ctx, along, rows, columns), rows,
                                              columns, "partial reduction", &output));
    }
    const glnn__pass pass = step_pass(s, x, axis, extent, factor, output, is_last ? s->scale : 1);
    const glnn_status status = glnn__pass_run(ctx, &pass);
    glnn__scratch_destroy(s->latest);
    s->latest = is_last ? NULL : output;
    return status;
}

glnn__pass glnn__reduce_columns_pass(bool interleaves, const glnn_matrix *x, glnn_matrix *out)
{
    const steps s = {.reduction = GLNN_REDUCTION_SUM, .interleaves = interleaves};
    return step_pass(&s, x, GLNN_AXIS_COLUMNS, x->rows, glnn__ceil_div(x->rows, out->rows), out, 1);
}

static glnn_status run_axis(glnn_context *ctx, steps *s, glnn_axis axis, int extent, int lines,
                            bool is_last)
{
    do {
        const int factor = choose_factor(axis, extent, lines);
        GLNN__TRY(run_step(ctx, s, axis, extent, factor, is_last && extent <= factor));
        extent = glnn__ceil_div(extent, factor);
    } while (extent > 1);
    return GLNN_OK;
}

/* Columns are folded first, because that reads whole rows and leaves a single row. An index folds
 * rows first, because reduce.glsl numbers the places of a column group along its row. */
static glnn_status run_all(glnn_context *ctx, steps *s)
{
    const int rows = s->x->rows, columns = s->x->columns;
    if (rows == 1)
        return run_axis(ctx, s, GLNN_AXIS_ROWS, columns, 1, true);
    if (columns == 1)
        return run_axis(ctx, s, GLNN_AXIS_COLUMNS, rows, 1, true);
    if (s->is_index) {
        GLNN__TRY(run_axis(ctx, s, GLNN_AXIS_ROWS, columns, rows, false));
        return run_axis(ctx, s, GLNN_AXIS_COLUMNS, rows, 1, true);
    }
    GLNN__TRY(run_axis(ctx, s, GLNN_AXIS_COLUMNS, rows, columns, false));
    return run_axis(ctx, s, GLNN_AXIS_ROWS, columns, 1, true);
}

static glnn_status run_steps(glnn_context *ctx, steps *s, glnn_axis axis)
{
    if (axis == GLNN_AXIS_ROWS)
        return run_axis(ctx, s, axis, s->x->columns, s->x->rows, true);
    if (axis == GLNN_AXIS_COLUMNS)
        return run_axis(ctx, s, axis, s->x->rows, s->x->columns, true);
    return run_all(ctx, s);
}

static bool is_an_index(glnn_reduction reduction)
{
    return reduction == GLNN_REDUCTION_ARGMAX || reduction == GLNN_REDUCTION_ARGMIN;
}

static glnn_status check_reduce(const glnn_context *ctx, const char *what, glnn_reduction reduction,
                                glnn_axis axis, const glnn_matrix *x, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", x));
    GLNN__TRY(glnn__check_output(ctx, what, "out", out));
    GLNN__TRY(glnn__check_enumerator(what, "reduction", (int)reduction, GLNN_REDUCTION_COUNT));
    GLNN__TRY(glnn__check_enumerator(what, "axis", (int)axis, GLNN_AXIS_COUNT));
    if (x == out)
        return glnn__fail(GLNN_E_ARG, "%s: `out` (%s) is also `x`; they must be different matrices",
                          what, out->name);
    GLNN__TRY(glnn__check_shape(what, "out", out, axis == GLNN_AXIS_ROWS ? x->rows : 1,
                                axis == GLNN_AXIS_COLUMNS ? x->columns : 1));
    if (is_an_index(reduction) && axis == GLNN_AXIS_ALL &&
        (int64_t)x->rows * x->columns > MAX_INDEX)
        return glnn__fail(
            GLNN_E_LIMIT,
            "%s: `x` (%s) has %d x %d elements; an index over all elements is exact for at "
            "most %d",
            what, x->name, x->rows, x->columns, MAX_INDEX);
    return GLNN_OK;
}

glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                         bool interleaves, const glnn_matrix *x, glnn_matrix *out)
{
    const double folded =
        (axis == GLNN_AXIS_COLUMNS ? 1.0 : x->columns) * (axis == GLNN_AXIS_ROWS ? 1.0 : x->rows);
    const bool is_index = is_an_index(reduction);
    steps s = {
        .reduction = reduction,
        .is_index = is_index,
        .is_flat = is_index && axis == GLNN_AXIS_ALL,
        .x = x,
        .out = out,
        .scale = reduction == GLNN_REDUCTION_MEAN ? (float)(1 / folded) : 1,
        .interleaves = interleaves,
    };
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    glnn_status status = run_steps(ctx, &s, axis);
    glnn__scratch_destroy(s.latest);
    return glnn__gl_leave(ctx, status);
}

static glnn_status run_across(glnn_context *ctx, steps *s)
{
    const int columns = s->x->columns;
    const int parts = columns < LONG_FOR_ACROSS ? 1 : PARTS_ACROSS;
    s->is_across = true;
    GLNN__TRY(
        run_step(ctx, s, GLNN_AXIS_ROWS, columns, glnn__ceil_div(columns, parts), parts == 1));
    s->is_across = false;
    return parts == 1 ? GLNN_OK : run_axis(ctx, s, GLNN_AXIS_COLUMNS, parts, s->x->rows, true);
}

glnn_status glnn__reduce_across(glnn_context *ctx, glnn_reduction reduction, const glnn_matrix *x,
                                glnn_matrix *out)
{
    steps s = {.reduction = reduction, .x = x, .out = out, .scale = 1, .interleaves = true};
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    glnn_status status = run_across(ctx, &s);
    glnn__scratch_destroy(s.latest);
    return glnn__gl_leave(ctx, status);
}

/* With fewer elements both orders are equally fast. */
#define FEW_ELEMENTS (1 << 18)

static glnn_status choose_interleaving(glnn_context *ctx, const glnn_matrix *x, bool *interleaves)
{
    *interleaves = true;
    if ((int64_t)x->rows * x->columns < FEW_ELEMENTS)
        return GLNN_OK;
    return glnn__profile_interleaves(ctx, interleaves);
}

glnn_status glnn_reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                        const glnn_matrix *x, glnn_matrix *out)
{
    bool interleaves;
    GLNN__TRY(check_reduce(ctx, __func__, reduction, axis, x, out));
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    glnn_status status = choose_interleaving(ctx, x, &interleaves);
    if (!status)
        status = glnn__reduce(ctx, reduction, axis, interleaves, x, out);
    return glnn__gl_leave(ctx, status);
}
