#include "optimize/sink.h"

#include "base/status.h"
#include "optimize/rounding.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

static glnn_status make_sum(glnn_context *ctx, glnn__parameters *p)
{
    if (p->sum)
        return GLNN_OK;
    return glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows, p->values->columns,
                                       "gradient", &p->sum);
}

/* Adds the gradient to the sum of the parts before. */
static glnn_status accumulate(glnn_context *ctx, const glnn__sink *sink, glnn__product product,
                              glnn__parameters *p)
{
    GLNN__TRY(make_sum(ctx, p));
    product.c = p->sum;
    product.alpha = sink->weight;
    product.output_factor = sink->is_first ? 0 : 1;
    return glnn__product_run(ctx, &product);
}

bool glnn__sink_fuses(const glnn__sink *sink)
{
    return sink->optimizer->clip_norm == 0 && sink->ranks == 0;
}

glnn_matrix *glnn__sink_gradient(const glnn__parameters *p)
{
    return p->is_rounded ? p->halves : p->sum;
}

/* The matrix that the pass with the last part of a gradient writes, and how. */
typedef struct target {
    glnn_matrix *output; /* NULL: the sum of the parts, and no update */
    glnn__update update;
} target;

static glnn_status find_target(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p,
                               target *out)
{
    *out = (target){0};
    p->is_rounded = sink->is_last && glnn__rounding_is_asked(sink);
    if (sink->is_last && glnn__sink_fuses(sink))
        *out = (target){p->values, glnn__update_choose(sink, p)};
    if (!p->is_rounded)
        return GLNN_OK;
    GLNN__TRY(glnn__rounding_prepare(ctx, p));
    *out = (target){p->halves, glnn__rounding_choose(sink, p)};
    return GLNN_OK;
}

glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *p)
{
    target to;
    GLNN__TRY(find_target(ctx, sink, p, &to));
    if (!to.output)
        return accumulate(ctx, sink, *gradient, p);
    glnn__product product = *gradient;
    product.c = to.output;
    product.alpha = to.update.factor * sink->weight;
    product.addend = sink->is_first ? NULL : p->sum;
    product.beta = to.update.factor;
    product.output_factor = to.update.kept;
    product.epilogue = glnn__update_epilogue(&to.update);
    return glnn__product_run(ctx, &product);
}

enum { FACTOR, CLIP_NORM };

static const glnn__kernel apply_kernel = {
    .name = "optimize/apply",
    .operands = {"SQUARES", "GRADIENT"},
    .unviewed = 1,
    .uniforms = {[FACTOR] = "float factor", [CLIP_NORM] = "float clip_norm"},
};

/* Updates a target by weight * gradient, which NULL makes zero; `squares` may be NULL, which clips
 * nothing. */
static glnn_status update_by(glnn_context *ctx, const glnn__sink *sink, const target *to,
                             float weight, const glnn_matrix *gradient, const glnn_matrix *squares)
{
    const glnn__update *u = &to->update;
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &apply_kernel,
                                   .operands = {{.matrix = squares}, {.matrix = gradient}},
                                   .output = to->output,
                                   .epilogue = glnn__update_epilogue(u),
                                   .uniforms = {[FACTOR] = {.f = weight * u->factor},
                                                [CLIP_NORM] = {.f = sink->optimizer->clip_norm}},
                                   .blend = u->kept != 0,
                                   .blend_factor = u->kept,
                               });
}

static glnn_status accumulate_matrix(glnn_context *ctx, const glnn__sink *sink,
                                     const glnn_matrix *gradient, glnn__parameters *p)
{
    GLNN__TRY(make_sum(ctx, p));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &apply_kernel,
                                   .operands = {{.matrix = NULL}, {.matrix = gradient}},
                                   .output = p->sum,
                                   .uniforms = {[FACTOR] = {.f = sink->weight}},
                                   .blend = !sink->is_first,
                                   .blend_factor = 1,
                               });
}

glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *p)
{
    target to;
    GLNN__TRY(find_target(ctx, sink, p, &to));
    if (to.output && sink->is_first)
        return update_by(ctx, sink, &to, sink->weight, gradient, NULL);
    GLNN__TRY(accumulate_matrix(ctx, sink, gradient, p));
    return to.output ? update_by(ctx, sink, &to, 1, p->sum, NULL) : GLNN_OK;
}

glnn_status glnn__sink_take_nothing(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p)
{
    target to;
    GLNN__TRY(find_target(ctx, sink, p, &to));
    if (to.output)
        return update_by(ctx, sink, &to, 1, NULL, NULL);
    GLNN__TRY(make_sum(ctx, p));
    return glnn_fill(ctx, 0, p->sum);
}

glnn_status glnn__squares_create(glnn_context *ctx, glnn__squares *squares)
{
    GLNN__TRY(glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, 1, "squares", &squares->sum));
    return glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, 1, "squares of a gradient",
                                    &squares->latest);
}

void glnn__squares_destroy(glnn__squares *squares)
{
    glnn_matrix_destroy(squares->sum);
    glnn_matrix_destroy(squares->latest);
}

glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__parameters *p, bool is_first,
                                   const glnn__squares *squares)
{
    if (is_first && !p->is_rounded)
        return glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, p->sum, squares->sum);
    const float unit = glnn__rounding_unit(p);
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, glnn__sink_gradient(p),
                          squares->latest));
    return glnn_axpby(ctx, unit * unit, squares->latest, is_first ? 0 : 1, squares->sum);
}

glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    const target to = {p->values, glnn__update_choose(sink, p)};
    return update_by(ctx, sink, &to, glnn__rounding_unit(p), glnn__sink_gradient(p), squares);
}
