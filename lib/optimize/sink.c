#include "optimize/sink.h"

#include "base/status.h"
#include "optimize/update.h"

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
    product.alpha.slot = &sink->slots->weight;
    product.output_factor.f = sink->is_first ? 0 : 1;
    return glnn__product_run(ctx, &product);
}

bool glnn__sink_fuses(const glnn__sink *sink)
{
    return sink->optimizer->clip_norm == 0 && !sink->is_exchanged;
}

glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *p)
{
    if (!sink->is_last || !glnn__sink_fuses(sink))
        return accumulate(ctx, sink, *gradient, p);
    const glnn__update u = glnn__update_choose(sink, p);
    glnn__product product = *gradient;
    product.c = p->values;
    product.alpha.slot = &sink->slots->weighted_factor;
    product.addend = sink->is_first ? NULL : p->sum;
    product.beta.slot = &sink->slots->factor;
    product.output_factor = u.kept;
    product.epilogue = glnn__update_epilogue(&u);
    return glnn__product_run(ctx, &product);
}

enum { FACTOR, CLIP_NORM };

static const glnn__kernel apply_kernel = {
    .name = "optimize/apply",
    .operands = {"SQUARES", "GRADIENT"},
    .unviewed = 1,
    .uniforms = {[FACTOR] = "float factor", [CLIP_NORM] = "float clip_norm"},
};

/* Updates parameters by a gradient times `factor`, a slot; `squares` may be NULL, which clips
 * nothing. */
static glnn_status update_by(glnn_context *ctx, const glnn__sink *sink, const glnn__value *factor,
                             const glnn_matrix *gradient, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    const glnn__update u = glnn__update_choose(sink, p);
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &apply_kernel,
                 .operands = {{.matrix = squares}, {.matrix = gradient}},
                 .output = p->values,
                 .epilogue = glnn__update_epilogue(&u),
                 .uniforms =
                     {[FACTOR] = {.slot = factor}, [CLIP_NORM] = {.f = sink->optimizer->clip_norm}},
                 .blend = true,
                 .blend_factor = u.kept,
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
                                   .uniforms = {[FACTOR] = {.slot = &sink->slots->weight}},
                                   .blend = !sink->is_first,
                                   .blend_factor = {.f = 1},
                               });
}

glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *p)
{
    const bool fuses = sink->is_last && glnn__sink_fuses(sink);
    if (fuses && sink->is_first)
        return update_by(ctx, sink, &sink->slots->weighted_factor, gradient, NULL, p);
    GLNN__TRY(accumulate_matrix(ctx, sink, gradient, p));
    return fuses ? update_by(ctx, sink, &sink->slots->factor, p->sum, NULL, p) : GLNN_OK;
}

glnn_status glnn__sink_take_nothing(glnn_context *ctx, glnn__parameters *p)
{
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
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, p->sum,
                          is_first ? squares->sum : squares->latest));
    return is_first ? GLNN_OK : glnn_axpby(ctx, 1, squares->latest, 1, squares->sum);
}

glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    return update_by(ctx, sink, &sink->slots->factor, p->sum, squares, p);
}
