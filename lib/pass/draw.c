#include "pass/draw.h"

#include "base/status.h"
#include "gl/busy.h"
#include "pass/submit.h"
#include "pass/target.h"
#include "pass/trace.h"

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

glnn_status glnn__pass_draw(glnn_context *ctx, glnn__program *program, const glnn__pass *pass)
{
    glnn__programs *programs = glnn__programs_of(ctx);
    glnn__target target;
    GLNN__TRY(glnn__submit_claim(ctx, &program->variant, pass));
    GLNN__TRY(glnn__program_finish(ctx, programs, program));
    GLNN__TRY(split_factors(ctx, &program->variant, pass));
    GLNN__TRY(glnn__target_open(ctx, pass, &program->variant, &target));
    submit(ctx, programs, program, pass, target.texture);
    return glnn__target_close(ctx, pass, &program->variant, &target);
}

/* The textures are those of the pass, so that these exist afterwards too. */
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

glnn_status glnn__pass_work(glnn_context *ctx, glnn__program *program, const glnn__pass *pass)
{
    glnn__programs *programs = glnn__programs_of(ctx);
    if (!program->name)
        return glnn__program_start(ctx, programs, program);
    return program->text.text ? glnn__program_finish(ctx, programs, program)
                              : use_ahead(ctx, programs, program, pass);
}
