#include "ops/gemm_model.h"

#include "base/status.h"

/* A product with fewer inner indices has no slices, so that small programs measure nothing, and no
 * slice is shorter. */
#define LONG_INNER  256
#define SHORT_SLICE 16

/* More slices have to be worth their pass. */
#define WORTH_IT 0.9

/* Invocations along a side of small and large work groups, and how many large ones there have to be:
 * fewer leave the device idle. */
#define SMALL_GROUP 8
#define LARGE_GROUP 16
#define MANY_GROUPS 64

static int ceil_div(int a, int b)
{
    return (a - 1) / b + 1;
}

static double count_groups(const glnn__shape *shape, int group)
{
    const int side = GLNN__ELEMENTS_OF_INVOCATION * group;
    return (double)ceil_div(shape->rows, side) * ceil_div(shape->columns, side);
}

int glnn__model_group(const glnn_context *ctx, const glnn__shape *shape, int slices)
{
    const int smallest = GLNN__ELEMENTS_OF_INVOCATION * SMALL_GROUP / 2;
    if (ctx->info.stage != GLNN_STAGE_COMPUTE || shape->layout == GLNN_LAYOUT_UNPACKED ||
        shape->rows < smallest || shape->columns < smallest)
        return 0;
    return count_groups(shape, LARGE_GROUP) * slices >= MANY_GROUPS ? LARGE_GROUP : SMALL_GROUP;
}

int glnn__model_slices(const glnn_context *ctx, const glnn__shape *shape, int out[GLNN__MAX_CUTS])
{
    const int block_rows = ceil_div(shape->rows, glnn__layout_get(shape->layout)->block_rows);
    const int fitting = ctx->info.max_texture_size / (block_rows + 1);
    int count = 0;
    for (int slices = 1; count < GLNN__MAX_CUTS; slices *= 2) {
        if (slices > 1 &&
            (shape->inner < LONG_INNER || shape->inner / slices < SHORT_SLICE || slices > fitting))
            break;
        out[count++] = slices;
    }
    return count;
}

/* What a fragment by itself waits for the fetches of one step of a loop: that of an inner product,
 * which has four inner indices. */
static double step_us(const glnn__figures *figures, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_get(layout);
    const double multiply_adds = 4.0 * info->block_rows * info->block_columns;
    return multiply_adds / glnn__figures_product(figures, layout, 1);
}

/* Multiply-adds over a speed that depends on how many fragments work, and for slices a second pass
 * that reads all of them, one after the other, and writes the sum. */
double glnn__model_time(const glnn__figures *figures, const glnn__shape *shape,
                        const glnn__cut *cut)
{
    const glnn__layout_info *layout = glnn__layout_get(shape->layout);
    const double blocks = (double)ceil_div(shape->rows, layout->block_rows) *
                          ceil_div(shape->columns, layout->block_columns);
    const double side = GLNN__ELEMENTS_OF_INVOCATION * cut->group;
    const bool is_shared = cut->group > 0 || cut->stack > 1;
    const double stored = blocks * layout->block_rows * layout->block_columns * cut->slices;
    const double computed =
        cut->group > 0 ? count_groups(shape, cut->group) * side * side * cut->slices : stored;
    const double speed = is_shared
                             ? glnn__figures_shared(figures, computed)
                             : glnn__figures_product(figures, shape->layout, blocks * cut->slices);
    const glnn__writing *writing = glnn__figures_writing(figures);
    double us = writing->pass_us + computed * shape->inner / cut->slices / speed;
    if (cut->slices > 1)
        us += writing->pass_us + cut->slices * step_us(figures, shape->layout) +
              sizeof(float) * stored * (cut->slices + 1) / cut->slices / writing->copied;
    return us;
}

glnn_status glnn__model_cut(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                            glnn__cut *out)
{
    const glnn__figures *figures;
    int slices[GLNN__MAX_CUTS];
    const int count = glnn__model_slices(ctx, shape, slices);
    *out = (glnn__cut){.slices = 1, .stack = 1, .group = glnn__model_group(ctx, shape, 1)};
    if (count == 1 && !can_stack)
        return GLNN_OK;
    GLNN__TRY(glnn__figures_for_plans(ctx, &figures));
    out->expected_us = glnn__model_time(figures, shape, out);
    for (int i = 0; i < count; ++i)
        for (int stack = 1; stack <= (can_stack ? GLNN__STACK : 1); ++stack) {
            glnn__cut cut = {.slices = slices[i],
                             .stack = stack,
                             .group = glnn__model_group(ctx, shape, slices[i])};
            cut.expected_us = glnn__model_time(figures, shape, &cut);
            /* A stack is no pass more. */
            const double worth = slices[i] > out->slices ? WORTH_IT : 1;
            if (cut.expected_us < worth * out->expected_us)
                *out = cut;
        }
    return GLNN_OK;
}
