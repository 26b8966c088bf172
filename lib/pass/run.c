/* Runs or records a pass. */
#include "base/status.h"
#include "pass/choose.h"
#include "pass/draw.h"
#include "pass/list.h"
#include "pass/target.h"

static glnn_status choose_program(glnn_context *ctx, const glnn__pass *pass, glnn__program **out)
{
    glnn__programs *programs;
    glnn__variant variant;
    GLNN__TRY(glnn__target_check(ctx, pass));
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__choose_variant(ctx, pass, &variant));
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant.expression));
    if (pass->constants)
        GLNN__TRY(glnn__constants_keep(programs, pass->constants, &variant.constants));
    return glnn__program_get(programs, &variant, out);
}

static glnn_status run(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__program *program;
    GLNN__TRY(choose_program(ctx, pass, &program));
    glnn__list *list = glnn__programs_of(ctx)->list;
    return list ? glnn__list_add(list, program, pass) : glnn__pass_draw(ctx, program, pass);
}

glnn_status glnn__pass_run_for(glnn_context *ctx, const char *call, const glnn__pass *pass)
{
    if (pass->output->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a paged matrix is written by uploads, not by passes",
                          pass->output->name);
    GLNN__TRY(glnn__gl_enter_for(ctx, call));
    return glnn__gl_leave(ctx, run(ctx, pass));
}

static glnn_status start(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__program *program;
    GLNN__TRY(choose_program(ctx, pass, &program));
    return glnn__program_start(ctx, glnn__programs_of(ctx), program);
}

glnn_status glnn__pass_start(glnn_context *ctx, const glnn__pass *pass)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, start(ctx, pass));
}
