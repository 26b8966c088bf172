/* Runs a pass. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "gl/busy.h"
#include "pass/choose.h"
#include "pass/program.h"
#include "pass/submit.h"
#include "pass/target.h"
#include "pass/trace.h"

#include <math.h>

static glnn_status split_factors(glnn_context *ctx, const glnn__variant *variant,
                                 const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (variant->operands[i].layered)
            GLNN__TRY(glnn__texture_split(ctx, pass->operands[i].matrix->texture));
    return GLNN_OK;
}

/* Some drivers compile when a program is first used. That time is not counted as the pass's. */
static void submit_traced(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                          const glnn__pass *pass, glnn__texture *target)
{
    glnn__timer timer;
    if (!program->is_used)
        glnn__submit_nothing(ctx, programs, program, pass, target);
    glnn__timer_begin(ctx, &timer);
    glnn__submit(ctx, programs, program, pass, target);
    glnn__trace_pass(programs->trace, ctx, pass, glnn__timer_end(ctx, &timer));
}

/* The first use may compile. */
static void submit(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                   const glnn__pass *pass, glnn__texture *target)
{
    const bool is_first = !program->is_used;
    if (is_first)
        glnn__busy_begin(ctx);
    if (programs->trace)
        submit_traced(ctx, programs, program, pass, target);
    else
        glnn__submit(ctx, programs, program, pass, target);
    if (is_first)
        glnn__busy_end(ctx);
    program->is_used = true;
}

/* ---- Completion */

static bool may_work(glnn__completion *of)
{
    const bool may = of->pieces == 0 || glnn__clock_seconds() < of->until;
    of->pieces += may;
    return may;
}

/* Uses the program once. Its textures are those of the pass, so that these exist then too. */
static glnn_status use_ahead(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                             const glnn__pass *pass)
{
    glnn__target target;
    GLNN__TRY(glnn__submit_claim(ctx, &program->variant, pass));
    GLNN__TRY(split_factors(ctx, &program->variant, pass));
    GLNN__TRY(glnn__target_open(ctx, pass, &program->variant, &target));
    glnn__busy_begin(ctx);
    glnn__submit_nothing(ctx, programs, program, pass, target.texture);
    glnn__busy_end(ctx);
    glnn__target_drop(ctx, &target);
    program->is_used = true;
    return GLNN_OK;
}

/* Does the next piece of work for the program of an announced pass, if there is time. */
static glnn_status complete(glnn_context *ctx, glnn__programs *programs,
                            const glnn__variant *variant, const glnn__pass *pass)
{
    glnn__completion *of = ctx->completion;
    glnn__program *program = glnn__program_find(programs, variant);
    if (program && program->is_used) {
        of->complete++;
        return GLNN_OK;
    }
    of->left++;
    if (program && !isinf(of->until) && !glnn__program_is_compiled(program))
        return GLNN_OK;
    if (!may_work(of))
        return GLNN_OK;
    if (!program)
        return glnn__program_announce(ctx, programs, variant, &program);
    return program->text.text ? glnn__program_get(ctx, programs, variant, &program)
                              : use_ahead(ctx, programs, program, pass);
}

void glnn__completion_begin(glnn_context *ctx, glnn__completion *completion)
{
    completion->announced = ctx->announces;
    ctx->announces = true;
    ctx->completion = completion;
}

void glnn__completion_end(glnn_context *ctx)
{
    ctx->announces = ctx->completion->announced;
    ctx->completion = NULL;
}

/* ---- Passes */

static glnn_status run(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__programs *programs;
    glnn__program *program;
    glnn__variant variant;
    glnn__target target;
    GLNN__TRY(glnn__target_check(ctx, pass));
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__choose_variant(ctx, pass, &variant));
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant.expression));
    if (pass->constants)
        GLNN__TRY(glnn__constants_keep(programs, pass->constants, &variant.constants));
    if (ctx->announces)
        return ctx->completion ? complete(ctx, programs, &variant, pass)
                               : glnn__program_announce(ctx, programs, &variant, &program);
    GLNN__TRY(glnn__submit_claim(ctx, &variant, pass));
    GLNN__TRY(glnn__program_get(ctx, programs, &variant, &program));
    GLNN__TRY(split_factors(ctx, &variant, pass));

    GLNN__TRY(glnn__target_open(ctx, pass, &variant, &target));
    submit(ctx, programs, program, pass, target.texture);
    return glnn__target_close(ctx, pass, &variant, &target);
}

glnn__announcement glnn__announce_begin(glnn_context *ctx)
{
    const glnn__announcement begun = {ctx->announces, ctx->counters.programs_compiled};
    ctx->announces = true;
    return begun;
}

void glnn__announce_end(glnn_context *ctx, const glnn__announcement *begun)
{
    const uint64_t count = ctx->counters.programs_compiled - begun->compiled;
    ctx->announces = begun->former;
    if (count > 0)
        glnn__log(GLNN_LOG_PROGRESS, "compiling %u program%s", (unsigned)count,
                  count == 1 ? "" : "s");
}

glnn_status glnn__pass_run_for(glnn_context *ctx, const char *call, const glnn__pass *pass)
{
    if (pass->output->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a paged matrix is written by uploads, not by passes",
                          pass->output->name);
    GLNN__TRY(glnn__gl_enter_for(ctx, call));
    return glnn__gl_leave(ctx, run(ctx, pass));
}
