/* Operations on matrices of images. */
#include "base/status.h"
#include "distortions/distorter.h"
#include "distortions/distortion.h"
#include "ops/check.h"
#include "pass/pass.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <float.h>
#include <math.h>

static glnn_status check_pair(const glnn_context *ctx, const char *what, const glnn_matrix *x,
                              const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", x));
    GLNN__TRY(glnn__check_output(ctx, what, "out", out));
    return glnn__check_shape(what, "out", out, x->rows, x->columns);
}

/* ---- Distortion */

static glnn_status distort(glnn_context *ctx, const glnn_distortion *desc, uint64_t seed,
                           uint64_t step, const glnn_matrix *x, glnn_matrix *out)
{
    glnn__distorter *distorter;
    glnn_distortion resolved;
    GLNN__TRY(glnn__distortion_resolve(desc, (glnn_shape){0}, x->columns, &resolved));
    GLNN__TRY(glnn__distorter_create(ctx, &resolved, seed, &distorter));
    const glnn__images from = {.pixels = x, .count = x->rows};
    const glnn__presentation what = {.count = x->rows, .step = {.i = (int)(uint32_t)step}};
    glnn_status status = glnn__distorter_prepare(distorter, &from, step);
    if (!status)
        status = glnn__distorter_gather(distorter, x->rows, &what, out);
    glnn__distorter_destroy(distorter);
    return status;
}

glnn_status glnn_image_distort(glnn_context *ctx, const glnn_distortion *distortion, uint64_t seed,
                               uint64_t step, const glnn_matrix *x, glnn_matrix *out)
{
    const glnn_distortion none = {0};
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, distort(ctx, distortion ? distortion : &none, seed, step, x, out));
}

/* ---- Blur */

enum { AXIS };
enum { HEIGHT, WIDTH, RADIUS, FALLOFF };
enum { AXIS_X, AXIS_Y };

static const glnn__enumerator axes[] = {GLNN__ENUMERATOR(AXIS_X), GLNN__ENUMERATOR(AXIS_Y), {0}};

static const glnn__kernel blur_kernel = {
    .name = "distortions/blur",
    .operands = {"X"},
    .options = {[AXIS] = "AXIS"},
    .uniforms = {[HEIGHT] = "int height",
                 [WIDTH] = "int width",
                 [RADIUS] = "int radius",
                 [FALLOFF] = "float falloff"},
    .enumerations = {axes},
    .unviewed = 1,
};

static glnn_status blur_along(glnn_context *ctx, unsigned axis, const glnn_shape *shape,
                              float sigma, const glnn_matrix *x, glnn_matrix *out)
{
    const glnn__pass pass = {
        .kernel = &blur_kernel,
        .operands = {{.matrix = x}},
        .output = out,
        .options = {[AXIS] = axis},
        .uniforms = {[HEIGHT] = {.i = shape->height},
                     [WIDTH] = {.i = shape->width},
                     [RADIUS] = {.i = (int)ceilf(3 * sigma)},
                     [FALLOFF] = {.f = glnn__falloff(sigma)}},
    };
    return glnn__pass_run(ctx, &pass);
}

static glnn_status blur(glnn_context *ctx, const glnn_shape *shape, float sigma,
                        const glnn_matrix *x, glnn_matrix *out)
{
    glnn_matrix *along_x;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, out->layout, x->rows, x->columns,
                                          "images blurred along x", &along_x));
    glnn_status status = blur_along(ctx, AXIS_X, shape, sigma, x, along_x);
    if (!status)
        status = blur_along(ctx, AXIS_Y, shape, sigma, along_x, out);
    glnn_matrix_destroy(along_x);
    return status;
}

static glnn_status check_sigma(float sigma, const glnn_shape *shape)
{
    const int side = shape->height > shape->width ? shape->height : shape->width;
    if (sigma > 0 && sigma <= (float)side)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "`sigma` is %g; it has to be above 0 and at most %d, the larger side of an "
                      "image",
                      (double)sigma, side);
}

glnn_status glnn_image_blur(glnn_context *ctx, glnn_shape shape, float sigma, const glnn_matrix *x,
                            glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__fail_in(__func__,
                            glnn__shape_resolve("`shape`", (glnn_shape){0}, x->columns, &shape)));
    GLNN__TRY(glnn__fail_in(__func__, check_sigma(sigma, &shape)));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, blur(ctx, &shape, sigma, x, out));
}

/* ---- Normalisation */

enum { FACTOR, LEAST };

static const glnn__kernel normalise_kernel = {
    .name = "distortions/normalise",
    .operands = {"X", "SQUARES"},
    .uniforms = {[FACTOR] = "float factor", [LEAST] = "float least"},
};

/* out = x / max(s, least), with s^2 the mean of a row's squares, whose sums are `squares` */
static glnn_status divide(glnn_context *ctx, float least, const glnn_matrix *x,
                          const glnn_matrix *squares, glnn_matrix *out)
{
    const glnn__operand sums = {.matrix = squares,
                                .view = glnn__view_broadcast(false, x->columns > 1)};
    const glnn__pass pass = {
        .kernel = &normalise_kernel,
        .operands = {{.matrix = x}, sums},
        .output = out,
        .uniforms = {[FACTOR] = {.f = 1 / sqrtf((float)x->columns)}, [LEAST] = {.f = least}},
    };
    return glnn__pass_run(ctx, &pass);
}

/* The squares are summed after the mean is subtracted, so that no digits cancel. */
static glnn_status normalise(glnn_context *ctx, float least, const glnn_matrix *x,
                             glnn_matrix *column, glnn_matrix *centred, glnn_matrix *out)
{
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_MEAN, GLNN_AXIS_ROWS, x, column));
    GLNN__TRY(glnn_binary_apply(ctx, GLNN_BINARY_SUBTRACT, x, column, centred));
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ROWS, centred, column));
    return divide(ctx, least, centred, column, out);
}

static glnn_status normalise_in_scratch(glnn_context *ctx, float least, const glnn_matrix *x,
                                        glnn_matrix *out)
{
    glnn_matrix *column = NULL, *centred = NULL;
    glnn_status status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, x->rows, 1,
                                                     "sums over images", &column);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, out->layout, x->rows, x->columns,
                                             "images without their mean", &centred);
    if (!status)
        status = normalise(ctx, least, x, column, centred, out);
    glnn_matrix_destroy(column);
    glnn_matrix_destroy(centred);
    return status;
}

glnn_status glnn_image_normalise(glnn_context *ctx, float least, const glnn_matrix *x,
                                 glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    if (!(least > 0) || !isfinite(least))
        return glnn__fail(GLNN_E_ARG, "%s: `least` is %g; it has to be finite and above 0",
                          __func__, (double)least);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, normalise_in_scratch(ctx, least, x, out));
}

/* ---- Gradients */

enum { GRADIENT_HEIGHT, GRADIENT_WIDTH, GRADIENT_RADIUS };

static const glnn__kernel gradients_kernel = {
    .name = "distortions/gradients",
    .operands = {"X"},
    .options = {[AXIS] = "AXIS"},
    .uniforms = {[GRADIENT_HEIGHT] = "int height",
                 [GRADIENT_WIDTH] = "int width",
                 [GRADIENT_RADIUS] = "int radius"},
    .enumerations = {axes},
    .unviewed = 1,
};

/* Three deviations of the Gaussian. One deviation is sqrt(2) / pi times the distance of points. */
static int gradient_radius(int size)
{
    return (int)ceil(3 * 0.45015815807855303 / 8 * size);
}

static glnn_status add_gradients(glnn_context *ctx, unsigned axis, const glnn_shape *shape,
                                 const glnn_matrix *x, glnn_matrix *out)
{
    const int size = axis == AXIS_X ? shape->width : shape->height;
    const glnn__pass pass = {
        .kernel = &gradients_kernel,
        .operands = {{.matrix = x}},
        .output = out,
        .options = {[AXIS] = axis},
        .uniforms = {[GRADIENT_HEIGHT] = {.i = shape->height},
                     [GRADIENT_WIDTH] = {.i = shape->width},
                     [GRADIENT_RADIUS] = {.i = gradient_radius(size)}},
    };
    return glnn__pass_run(ctx, &pass);
}

/* The sums are not negative, so the sum of the squares of their roots is that of all of them. */
static glnn_status find_gradients(glnn_context *ctx, const glnn_shape *shape, const glnn_matrix *x,
                                  glnn_matrix *lines, glnn_matrix *roots, glnn_matrix *squares,
                                  glnn_matrix *out)
{
    GLNN__TRY(add_gradients(ctx, AXIS_X, shape, x, lines));
    GLNN__TRY(add_gradients(ctx, AXIS_Y, shape, lines, roots));
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ROWS, roots, squares));
    return divide(ctx, FLT_MIN, roots, squares, out);
}

static glnn_status find_gradients_in_scratch(glnn_context *ctx, const glnn_shape *shape,
                                             const glnn_matrix *x, glnn_matrix *out)
{
    enum { LINE = GLNN_IMAGE_GRADIENTS / 8 };
    glnn_matrix *lines = NULL, *roots = NULL, *squares = NULL;
    glnn_status status =
        glnn__matrix_create_scratch(ctx, out->layout, x->rows, LINE * (shape->height + 2),
                                    "gradients along the lines of images", &lines);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, out->layout, x->rows, out->columns,
                                             "gradients of images", &roots);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, x->rows, 1,
                                             "sums over images", &squares);
    if (!status)
        status = find_gradients(ctx, shape, x, lines, roots, squares, out);
    glnn_matrix_destroy(lines);
    glnn_matrix_destroy(roots);
    glnn_matrix_destroy(squares);
    return status;
}

/* Larger images would have sums along lines with more columns than a matrix can have. */
static glnn_status check_sides(const glnn_shape *shape)
{
    if (shape->channels != 1)
        return glnn__fail(GLNN_E_ARG, "`shape` has %d channels; gradients are those of one channel",
                          shape->channels);
    if (shape->height > GLNN_IMAGE_GRADIENTS_SIDE || shape->width > GLNN_IMAGE_GRADIENTS_SIDE)
        return glnn__fail(GLNN_E_LIMIT, "`shape` is %d x %d pixels; at most %d x %d are possible",
                          shape->height, shape->width, GLNN_IMAGE_GRADIENTS_SIDE,
                          GLNN_IMAGE_GRADIENTS_SIDE);
    return GLNN_OK;
}

glnn_status glnn_image_gradients(glnn_context *ctx, glnn_shape shape, const glnn_matrix *x,
                                 glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, __func__, "x", x));
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, GLNN_IMAGE_GRADIENTS));
    GLNN__TRY(glnn__fail_in(__func__,
                            glnn__shape_resolve("`shape`", (glnn_shape){0}, x->columns, &shape)));
    GLNN__TRY(glnn__fail_in(__func__, check_sides(&shape)));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, find_gradients_in_scratch(ctx, &shape, x, out));
}
