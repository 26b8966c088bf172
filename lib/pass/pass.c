#include "pass/pass.h"

#include "base/status.h"
#include "pass/program.h"
#include "pass/speed.h"
#include "pass/submit.h"
#include "pass/trace.h"

#include <string.h>

/* Invocations along a side of a work group, where a kernel is one block an invocation. */
#define GROUP_SIDE 8

static glnn_status choose_variant(const glnn_context *ctx, glnn__programs *programs,
                                  const glnn__pass *pass, glnn__variant *variant)
{
    const glnn_matrix *output = pass->output;
    const glnn__kernel_info *info = glnn__kernel_get(pass->kernel);
    memset(variant, 0, sizeof *variant);
    variant->kernel = (unsigned char)pass->kernel;
    variant->fetching = (unsigned char)pass->fetching;
    variant->picks = pass->picks > 0;
    variant->output_layout = (unsigned char)output->layout;
    if (ctx->info.stage == GLNN_STAGE_COMPUTE) {
        variant->stage = GLNN_STAGE_COMPUTE;
        variant->group = info->has_main ? (unsigned char)pass->group_side : GROUP_SIDE;
        variant->blends = pass->blend;
    }
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        const bool is_covered = m->rows >= output->rows && m->columns >= output->columns;
        variant->operands[i].is_present = 1;
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

static bool is_aliased(const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix == pass->output)
            return true;
    return false;
}

static glnn_status run(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__programs *programs;
    glnn__program *program;
    glnn__variant variant;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__stage_resolve(ctx));
    GLNN__TRY(choose_variant(ctx, programs, pass, &variant));
    GLNN__TRY(glnn__program_get(ctx, programs, &variant, &program));

    glnn_matrix *output = pass->output;
    glnn__texture *target = output->texture;
    const bool aliased = is_aliased(pass);
    if (aliased)
        GLNN__TRY(glnn__texture_acquire(ctx, output->layout, output->rows, output->columns,
                                        output->name, &target));
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
