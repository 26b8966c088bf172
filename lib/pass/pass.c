#include "pass/pass.h"

#include "base/status.h"
#include "pass/figures.h"
#include "pass/program.h"
#include "pass/stage.h"
#include "pass/submit.h"
#include "pass/trace.h"

#include <string.h>

/* Invocations along a side of a work group, where a kernel is one block an invocation. */
#define GROUP_SIDE 8

static void choose_literals(const glnn__pass *pass, glnn__variant *variant)
{
    variant->literals = (unsigned char)pass->literals;
    if (pass->literals == GLNN__LITERALS_NONE)
        return;
    const glnn_matrix *sized[] = {pass->output, pass->operands[0].matrix, pass->operands[1].matrix};
    for (int i = 0; i < 1 + GLNN__FACTORS; ++i) {
        variant->sizes[i][0] = sized[i]->rows;
        variant->sizes[i][1] = sized[i]->columns;
    }
    for (int i = 0; i < GLNN__INNER_BOUNDS && pass->literals == GLNN__LITERALS_ALL; ++i)
        variant->bounds[i] = pass->integers[i];
}

static glnn_status choose_variant(const glnn_context *ctx, glnn__programs *programs,
                                  const glnn__pass *pass, bool reads_former, glnn__variant *variant)
{
    const glnn_matrix *output = pass->output;
    const glnn__kernel_info *info = glnn__kernel_get(pass->kernel);
    memset(variant, 0, sizeof *variant);
    variant->kernel = (unsigned char)pass->kernel;
    variant->fetching = (unsigned char)pass->fetching;
    variant->shares = pass->shares;
    choose_literals(pass, variant);
    variant->picks = pass->picks > 0;
    variant->output_layout = (unsigned char)output->layout;
    variant->output_storage = (unsigned char)output->storage;
    if (ctx->info.stage == GLNN_STAGE_COMPUTE) {
        variant->stage = GLNN_STAGE_COMPUTE;
        variant->group = info->has_main ? (unsigned char)pass->group_side : GROUP_SIDE;
    }
    variant->blends = reads_former;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        const bool is_covered = m->rows >= output->rows && m->columns >= output->columns;
        variant->operands[i].is_present = 1;
        variant->operands[i].layered = i < GLNN__FACTORS && pass->layered[i];
        variant->operands[i].layout = (unsigned char)m->layout;
        variant->operands[i].reading =
            i < info->unviewed
                ? GLNN__READING_ELEMENTS
                : (unsigned char)glnn__view_reading(&pass->operands[i].view, m->layout,
                                                    output->layout, is_covered);
    }
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->options[i] = (unsigned char)pass->options[i];
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant->expression));
    return GLNN_OK;
}

/* Fewer elements are blended in any case: what they cost is the pass. */
#define FEW_ELEMENTS 65536

/* Whether the shader adds to what it reads of the output: always in the compute stage; in the fragment
 * stage where blending is the slower way, and in 16 bits, where its precision is the driver's. */
static glnn_status choose_blending(glnn_context *ctx, const glnn__pass *pass, bool *reads_former)
{
    const glnn__figures *figures;
    *reads_former = pass->blend && (ctx->info.stage == GLNN_STAGE_COMPUTE ||
                                    pass->output->storage == GLNN_STORAGE_FLOAT16);
    if (!pass->blend || *reads_former || pass->blend_in_place || pass->region.width > 0 ||
        pass->picks > 0 || (double)pass->output->rows * pass->output->columns < FEW_ELEMENTS)
        return GLNN_OK;
    GLNN__TRY(glnn__figures_for_plans(ctx, &figures));
    *reads_former = figures->blended < figures->copied;
    return GLNN_OK;
}

bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout)
{
    return layout == GLNN_LAYOUT_TILED && ctx->texture_units >= GLNN__TEXTURE_UNITS;
}

bool glnn__pass_can_share(const glnn_context *ctx, glnn_layout layout)
{
    return ctx->info.quad_exchange && ctx->info.stage == GLNN_STAGE_FRAGMENT &&
           layout == GLNN_LAYOUT_TILED;
}

/* The pass would read what it writes. A shader of the compute stage that adds to its image reads
 * each texel before it writes it. */
static bool is_aliased(const glnn__pass *pass, const glnn__variant *variant)
{
    if (variant->blends && variant->stage == GLNN_STAGE_FRAGMENT)
        return true;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix == pass->output)
            return true;
    return false;
}

static glnn_status split_factors(glnn_context *ctx, const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (pass->layered[i])
            GLNN__TRY(glnn__texture_split(ctx, pass->operands[i].matrix->texture));
    return GLNN_OK;
}

static glnn_status run(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__programs *programs;
    glnn__program *program;
    glnn__variant variant;
    bool reads_former;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__stage_resolve(ctx));
    GLNN__TRY(choose_blending(ctx, pass, &reads_former));
    GLNN__TRY(choose_variant(ctx, programs, pass, reads_former, &variant));
    GLNN__TRY(glnn__program_get(ctx, programs, &variant, &program));
    GLNN__TRY(split_factors(ctx, pass));

    glnn_matrix *output = pass->output;
    glnn__texture *target = output->texture;
    const bool aliased = is_aliased(pass, &variant);
    if (aliased)
        GLNN__TRY(glnn__texture_acquire(ctx, output->layout, output->storage, output->rows,
                                        output->columns, output->name, &target));
    glnn__timer timer;
    if (programs->trace)
        glnn__timer_begin(ctx, &timer);
    glnn__submit(ctx, programs, program, pass, target);
    if (programs->trace)
        glnn__trace_pass(pass, glnn__timer_end(ctx, &timer));
    if (aliased) {
        glnn__texture_release(ctx, output->texture);
        output->texture = target;
    }
    return GLNN_OK;
}

glnn_status glnn__pass_run(glnn_context *ctx, const glnn__pass *pass)
{
    if (pass->output->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a paged matrix is written by uploads, not by passes",
                          pass->output->name);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, run(ctx, pass));
}
