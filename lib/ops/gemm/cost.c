#include "ops/gemm/plan.h"

#include "base/integers.h"
#include "base/status.h"

/* Products with fewer inner indices than LONG_INNER are not cut into slices in a texture, and those
 * with fewer than WORTH_JOINING not into joined slices. Such a product has one cut unless it can
 * have stacks, so programs with small matrices measure nothing. No slice is shorter than
 * SHORT_SLICE. */
#define LONG_INNER    256
#define WORTH_JOINING 64
#define SHORT_SLICE   16

/* Slices with a second pass have to take less than this share of the time without slices. */
#define WORTH_IT 0.9

/* Outputs with a smaller side leave too many invocations of a sharing work group idle. */
#define LEAST_SIDE 16

/* Work groups share op(a), so their columns have to read the same elements of it. */
static bool can_group(const glnn_context *ctx, const glnn__shape *shape)
{
    return ctx->info.stage == GLNN_STAGE_COMPUTE && shape->layout != GLNN_LAYOUT_UNPACKED &&
           shape->rows >= LEAST_SIDE && shape->columns >= LEAST_SIDE &&
           shape->alike % GLNN__SMALL_GROUP == 0;
}

static int largest_group(const glnn_context *ctx, const glnn__shape *shape)
{
    return !can_group(ctx, shape)                  ? 0
           : shape->alike % GLNN__LARGE_GROUP == 0 ? GLNN__LARGE_GROUP
                                                   : GLNN__SMALL_GROUP;
}

int glnn__cost_group(const glnn_context *ctx, const glnn__shape *shape)
{
    const bool is_large = shape->rows >= GLNN__LARGE_GROUP && shape->columns >= GLNN__LARGE_GROUP;
    return !can_group(ctx, shape) ? 0 : is_large ? largest_group(ctx, shape) : GLNN__SMALL_GROUP;
}

static bool can_slice(const glnn_context *ctx, const glnn__shape *shape, int slices)
{
    const int block_rows = glnn__ceil_div(shape->rows, glnn__layout_get(shape->layout)->block_rows);
    return slices == 1 || (shape->inner >= LONG_INNER && shape->inner / slices >= SHORT_SLICE &&
                           slices <= ctx->info.max_texture_size / (block_rows + 1));
}

int glnn__cost_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                    glnn__plan out[GLNN__MAX_CUTS])
{
    const bool joins = ctx->info.stage == GLNN_STAGE_COMPUTE && shape->inner >= WORTH_JOINING;
    const int largest = largest_group(ctx, shape);
    int count = 0;
    for (int slices = 1; can_slice(ctx, shape, slices) && count + 4 < GLNN__MAX_CUTS; slices *= 2) {
        glnn__plan cut = {.slices = slices, .stack = 1, .shares = true};
        if (slices == 1 || !joins)
            out[count++] = cut;
        for (cut.group = GLNN__SMALL_GROUP; cut.group <= largest; cut.group *= 2)
            out[count++] = cut;
        cut.group = 0;
        cut.stack = GLNN__STACK;
        if (can_stack)
            out[count++] = cut;
    }
    if (joins)
        out[count++] =
            (glnn__plan){.slices = GLNN__GROUP_SLICES, .stack = 1, .shares = true, .joined = true};
    return count;
}

/* Slices that are not joined need a second pass, which adds them. */
static bool has_second_pass(const glnn__plan *cut)
{
    return cut->slices > 1 && !cut->joined;
}

/* The time of one step of a fragment's loop, which is mostly waiting for fetches. It is that of a
 * step of a product with few fragments: four inner indices. */
static double step_us(const glnn__profile *profile, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_get(layout);
    const double multiply_adds = 4.0 * info->block_rows * info->block_columns;
    return multiply_adds / glnn__profile_product(profile, layout, 1);
}

/* Multiply-adds divided by a speed that depends on the number of fragments. A second pass reads all
 * slices, one after the other, and writes the sum. */
double glnn__cost_time(const glnn__profile *profile, const glnn__shape *shape,
                       const glnn__plan *cut)
{
    const glnn__layout_info *layout = glnn__layout_get(shape->layout);
    const glnn__writing *writing = glnn__profile_writing(profile);
    const double blocks = (double)glnn__ceil_div(shape->rows, layout->block_rows) *
                          glnn__ceil_div(shape->columns, layout->block_columns);
    const double stored = blocks * layout->block_rows * layout->block_columns * cut->slices;
    double computed = stored, speed, us = writing->pass_us;
    if (cut->group > 0)
        computed = (double)glnn__ceil_div(shape->rows, cut->group) *
                   glnn__ceil_div(shape->columns, cut->group) * cut->group * cut->group *
                   cut->slices;
    if (cut->group > 0 || cut->stack > 1)
        speed = glnn__profile_shared(profile, cut->group == GLNN__SMALL_GROUP, computed);
    else
        speed = glnn__profile_product(profile, shape->layout, blocks * cut->slices);
    us += computed * shape->inner / cut->slices / speed;
    if (cut->joined)
        us += 2 * step_us(profile, shape->layout);
    if (has_second_pass(cut))
        us += writing->pass_us + cut->slices * step_us(profile, shape->layout) +
              sizeof(float) * stored * (cut->slices + 1) / cut->slices / writing->copied;
    return us;
}

/* A product with few inner indices has one slice, and small work groups if there are any. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                              glnn__plan *out)
{
    const glnn__profile *profile;
    glnn__plan cuts[GLNN__MAX_CUTS];
    const int count = glnn__cost_cuts(ctx, shape, can_stack, cuts);
    *out = cuts[count > 1];
    if (count == 1 || (shape->inner < WORTH_JOINING && !can_stack))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape->layout), &profile));
    for (int i = 0; i < count; ++i) {
        cuts[i].expected_us = glnn__cost_time(profile, shape, &cuts[i]);
        const double worth = has_second_pass(&cuts[i]) && !has_second_pass(out) ? WORTH_IT : 1;
        if (i == 0 || cuts[i].expected_us < worth * out->expected_us)
            *out = cuts[i];
    }
    return GLNN_OK;
}
