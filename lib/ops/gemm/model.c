#include "ops/gemm/model.h"

#include "base/status.h"

/* A product with fewer inner indices has no slices in a texture, none of which is shorter than the
 * last number. With fewer than the second, slices are not joined either, and where fragments compute no
 * stacks there is nothing to choose, so that small programs measure nothing. */
#define LONG_INNER    256
#define WORTH_JOINING 64
#define SHORT_SLICE   16

/* More slices than one have to be worth their pass. */
#define WORTH_IT 0.9

/* Smaller outputs leave too much of a work group that shares what it reads without work. */
#define LEAST_SIDE 16

static int ceil_div(int a, int b)
{
    return (a - 1) / b + 1;
}

static double count_groups(const glnn__shape *shape, int group)
{
    return (double)ceil_div(shape->rows, group) * ceil_div(shape->columns, group);
}

static bool can_group(const glnn_context *ctx, const glnn__shape *shape)
{
    return ctx->info.stage == GLNN_STAGE_COMPUTE && shape->layout != GLNN_LAYOUT_UNPACKED &&
           shape->rows >= LEAST_SIDE && shape->columns >= LEAST_SIDE;
}

int glnn__model_group(const glnn_context *ctx, const glnn__shape *shape)
{
    const bool is_large = shape->rows >= GLNN__LARGE_GROUP && shape->columns >= GLNN__LARGE_GROUP;
    return !can_group(ctx, shape) ? 0 : is_large ? GLNN__LARGE_GROUP : GLNN__SMALL_GROUP;
}

static bool can_join_slices(const glnn_context *ctx, const glnn__shape *shape)
{
    return ctx->info.stage == GLNN_STAGE_COMPUTE && shape->inner >= WORTH_JOINING;
}

int glnn__model_slice(const glnn__cut *cut, int inner)
{
    const int multiple = cut->joined ? 4 : 8;
    return cut->slices > 1 ? ceil_div(inner, cut->slices * multiple) * multiple : inner;
}

static bool can_slice(const glnn_context *ctx, const glnn__shape *shape, int slices)
{
    const int block_rows = ceil_div(shape->rows, glnn__layout_get(shape->layout)->block_rows);
    return slices == 1 || (shape->inner >= LONG_INNER && shape->inner / slices >= SHORT_SLICE &&
                           slices <= ctx->info.max_texture_size / (block_rows + 1));
}

/* A joined slice costs no pass. */
static int count_passes(const glnn__cut *cut)
{
    return cut->slices > 1 && !cut->joined ? 2 : 1;
}

/* What a fragment by itself waits for the fetches of one step of a loop: that of an inner product,
 * which has four inner indices. */
static double step_us(const glnn__profile *profile, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_get(layout);
    const double multiply_adds = 4.0 * info->block_rows * info->block_columns;
    return multiply_adds / glnn__profile_product(profile, layout, 1);
}

/* Multiply-adds over a speed that depends on how many fragments work, and for slices a second pass
 * that reads all of them, one after the other, and writes the sum. */
double glnn__model_time(const glnn__profile *profile, const glnn__shape *shape,
                        const glnn__cut *cut)
{
    const glnn__layout_info *layout = glnn__layout_get(shape->layout);
    const double blocks = (double)ceil_div(shape->rows, layout->block_rows) *
                          ceil_div(shape->columns, layout->block_columns);
    const double side = cut->group;
    const bool is_shared = cut->group > 0 || cut->stack > 1;
    const double stored = blocks * layout->block_rows * layout->block_columns * cut->slices;
    const double computed =
        cut->group > 0 ? count_groups(shape, cut->group) * side * side * cut->slices : stored;
    const double speed =
        is_shared ? glnn__profile_shared(profile, cut->group == GLNN__SMALL_GROUP, computed)
                  : glnn__profile_product(profile, shape->layout, blocks * cut->slices);
    const glnn__writing *writing = glnn__profile_writing(profile);
    double us = writing->pass_us + computed * shape->inner / cut->slices / speed;
    if (cut->joined)
        us += 2 * step_us(profile, shape->layout);
    else if (cut->slices > 1)
        us += writing->pass_us + cut->slices * step_us(profile, shape->layout) +
              sizeof(float) * stored * (cut->slices + 1) / cut->slices / writing->copied;
    return us;
}

/* What is to be considered, with few slices first. */
int glnn__model_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                     glnn__cut out[GLNN__MAX_CUTS])
{
    static const int groups[] = {GLNN__SMALL_GROUP, GLNN__LARGE_GROUP};
    enum { GROUPS = 2 };
    const bool can_join = can_join_slices(ctx, shape);
    int count = 0;
    for (int slices = 1; can_slice(ctx, shape, slices) && count + 4 < GLNN__MAX_CUTS; slices *= 2) {
        if (slices == 1 || !can_join)
            out[count++] = (glnn__cut){.slices = slices, .stack = 1};
        for (int i = 0; i < GROUPS && can_group(ctx, shape); ++i)
            out[count++] = (glnn__cut){.slices = slices, .stack = 1, .group = groups[i]};
        if (can_stack)
            out[count++] = (glnn__cut){.slices = slices, .stack = GLNN__STACK};
    }
    if (can_join)
        out[count++] = (glnn__cut){.slices = GLNN__GROUP_SLICES, .stack = 1, .joined = true};
    return count;
}

glnn_status glnn__model_cut(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                            glnn__cut *out)
{
    const glnn__profile *profile;
    glnn__cut cuts[GLNN__MAX_CUTS];
    const int count = glnn__model_cuts(ctx, shape, can_stack, cuts);
    if (count == 1 || (shape->inner < WORTH_JOINING && !can_stack)) {
        *out = (glnn__cut){
            .slices = 1, .stack = 1, .group = can_group(ctx, shape) ? GLNN__SMALL_GROUP : 0};
        return GLNN_OK;
    }
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape->layout), &profile));
    *out = cuts[0];
    for (int i = 0; i < count; ++i) {
        cuts[i].expected_us = glnn__model_time(profile, shape, &cuts[i]);
        const double worth = count_passes(&cuts[i]) > count_passes(out) ? WORTH_IT : 1;
        if (i == 0 || cuts[i].expected_us < worth * out->expected_us)
            *out = cuts[i];
    }
    return GLNN_OK;
}
