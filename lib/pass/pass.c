#include "pass/pass.h"

#include "base/status.h"
#include "pass/program.h"
#include "pass/trace.h"

#include <string.h>

static glnn_status choose_variant(glnn__programs *programs, const glnn__pass *pass,
                                  glnn__variant *variant)
{
    const glnn_matrix *output = pass->output;
    const glnn__kernel_info *info = glnn__kernel_get(pass->kernel);
    memset(variant, 0, sizeof *variant);
    variant->kernel = (unsigned char)pass->kernel;
    variant->output_layout = (unsigned char)output->layout;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        const bool is_covered = m->rows >= output->rows && m->columns >= output->columns;
        variant->operands[i].is_present = 1;
        variant->operands[i].layout = (unsigned char)m->layout;
        if (i < info->unviewed)
            continue;
        variant->operands[i].reading = (unsigned char)glnn__view_reading(
            &pass->operands[i].view, m->layout, output->layout, is_covered);
    }
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->options[i] = (unsigned char)pass->options[i];
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant->expression));
    return GLNN_OK;
}

static void fill_uniforms(const glnn__pass *pass, glnn__uniforms *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->scalars, pass->scalars, sizeof out->scalars);
    memcpy(out->integers, pass->integers, sizeof out->integers);
    out->output_size[0] = pass->output->rows;
    out->output_size[1] = pass->output->columns;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        glnn__view_integers(&pass->operands[i].view, out->operands[i].map);
        out->operands[i].size[0] = m->rows;
        out->operands[i].size[1] = m->columns;
    }
}

static bool is_active(const glnn__program *program, int location)
{
    return program->active >> location & 1;
}

static void send_own(const glnn__program *program, const glnn__uniforms *u)
{
    for (int i = 0; i < GLNN__MAX_SCALARS; ++i)
        if (is_active(program, GLNN__LOCATION_SCALARS + i))
            glUniform1f(GLNN__LOCATION_SCALARS + i, u->scalars[i]);
    for (int i = 0; i < GLNN__MAX_INTEGERS; ++i) {
        const int location = GLNN__LOCATION_INTEGERS + i;
        if (!is_active(program, location))
            continue;
        if (program->pairs >> location & 1)
            glUniform2iv(location, 1, u->integers + i);
        else
            glUniform1i(location, u->integers[i]);
    }
    if (is_active(program, GLNN__LOCATION_OUTPUT_SIZE))
        glUniform2iv(GLNN__LOCATION_OUTPUT_SIZE, 1, u->output_size);
}

static void send_uniforms(glnn__program *program, const glnn__uniforms *u)
{
    if (program->has_uniforms && memcmp(&program->uniforms, u, sizeof *u) == 0)
        return;
    send_own(program, u);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const int location = GLNN__LOCATION_OPERANDS + 4 * i;
        if (is_active(program, location))
            glUniform3iv(location, 2, u->operands[i].map);
        if (is_active(program, location + 2))
            glUniform2iv(location + 2, 1, u->operands[i].size);
    }
    program->uniforms = *u;
    program->has_uniforms = true;
}

static void bind_program(glnn__programs *programs, GLuint name)
{
    if (!programs->bound.is_known || programs->bound.program != name)
        glUseProgram(name);
    programs->bound.program = name;
}

static void bind_target(glnn__programs *programs, const glnn__texture *target)
{
    if (!programs->bound.is_known || programs->bound.framebuffer != target->framebuffer)
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    programs->bound.framebuffer = target->framebuffer;
}

static void bind_operands(glnn__programs *programs, const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m || (programs->bound.is_known && programs->bound.textures[i] == m->texture->name))
            continue;
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(m->texture->target, m->texture->name);
        programs->bound.textures[i] = m->texture->name;
    }
}

/* Blending adds the kernel's result to what the target holds, times a factor. */
static void set_blend(glnn__programs *programs, bool blend, float factor)
{
    if (!programs->bound.is_known || programs->bound.blend != blend) {
        (blend ? glEnable : glDisable)(GL_BLEND);
        glBlendFunc(GL_ONE, GL_CONSTANT_COLOR);
    }
    if (blend && (!programs->bound.is_known || !programs->bound.blend ||
                  programs->bound.blend_factor != factor)) {
        glBlendColor(factor, factor, factor, factor);
        programs->bound.blend_factor = factor;
    }
    programs->bound.blend = blend;
}

static void set_viewport(glnn__programs *programs, const glnn__blocks *region)
{
    const int viewport[4] = {region->x, region->y, region->width, region->height};
    if (!programs->bound.is_known ||
        memcmp(programs->bound.viewport, viewport, sizeof viewport) != 0)
        glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    memcpy(programs->bound.viewport, viewport, sizeof viewport);
}

/* Cuts a region into strips along its longer side, and those across where that is not enough; each
 * is submitted by itself, so that no single one keeps the device for long. */
static void draw(glnn_context *ctx, glnn__programs *programs, const glnn__blocks *region,
                 int strips)
{
    const int down = strips < region->height ? strips : region->height;
    int across = (strips + down - 1) / down;
    across = across < region->width ? across : region->width;
    for (int i = 0; i < down; ++i) {
        const int top = (int)((int64_t)region->height * i / down);
        const int bottom = (int)((int64_t)region->height * (i + 1) / down);
        for (int j = 0; j < across; ++j) {
            const int left = (int)((int64_t)region->width * j / across);
            const int right = (int)((int64_t)region->width * (j + 1) / across);
            const glnn__blocks part = {region->x + left, region->y + top, right - left,
                                       bottom - top};
            set_viewport(programs, &part);
            programs->bound.is_known = true;
            glDrawArrays(GL_TRIANGLES, 0, 3);
            ctx->counters.passes++;
            if (down * across > 1)
                glFlush();
        }
    }
}

static void submit(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                   const glnn__pass *pass, const glnn__texture *target)
{
    const glnn__blocks whole = {0, 0, target->extent.width, target->extent.height};
    glnn__uniforms uniforms;
    fill_uniforms(pass, &uniforms);
    if (!programs->bound.is_known || programs->bound.age != ctx->bindings_age) {
        memset(&programs->bound, 0, sizeof programs->bound);
        programs->bound.age = ctx->bindings_age;
        glBindVertexArray(programs->vertex_array);
    }
    bind_program(programs, program->name);
    send_uniforms(program, &uniforms);
    bind_target(programs, target);
    bind_operands(programs, pass);
    set_blend(programs, pass->blend, pass->blend_factor);
    draw(ctx, programs, pass->region.width ? &pass->region : &whole,
         pass->strips > 1 ? pass->strips : 1);
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
    GLNN__TRY(choose_variant(programs, pass, &variant));
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
    submit(ctx, programs, program, pass, target);
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
