/* Draws passes whose programs are chosen: the parts of OpenGL's state that a pass claims, its
 * uniforms and bindings, and the draw or dispatch. */
#include "pass/draw.h"

#include "base/integers.h"
#include "base/status.h"
#include "gl/busy.h"
#include "gl/fences.h"
#include "pass/destination.h"
#include "pass/strips.h"
#include "pass/trace.h"

#include <string.h>

/* ---- The textures of a pass's matrices */

/* Both images can be of one texture: different levels, or different layers. */
static bool is_same_image(const glnn__texture *a, const glnn__texture *b)
{
    return a->name == b->name && a->level == b->level && a->layer == b->layer;
}

glnn_status glnn__draw_check(glnn_context *ctx, const glnn__pass *pass)
{
    const glnn_matrix *output = pass->output;
    GLNN__TRY(glnn__texture_look(ctx, output->name, output->texture));
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        if (!m->texture)
            return glnn__matrix_check_full(m->name, m);
        GLNN__TRY(glnn__texture_look(ctx, m->name, m->texture));
        if (m != output && is_same_image(m->texture, output->texture))
            return glnn__fail(GLNN_E_ARG,
                              "%s and %s are the same image of texture %u; a matrix that is read "
                              "and written must be adopted once",
                              m->name, output->name, m->texture->name);
    }
    return GLNN_OK;
}

/* ---- The parts of OpenGL's state that a pass changes */

/* Whether fixed functions add to the former texels, and not the shader. */
static bool uses_blending(const glnn__variant *variant, const glnn__pass *pass)
{
    if (variant->rows)
        return pass->side_adds[variant->rows - 1] && !variant->blends;
    return pass->blend && !variant->blends && glnn__variant_writes_output(variant);
}

/* The factor of the former texels. */
static float blend_factor_of(const glnn__variant *variant, const glnn__pass *pass)
{
    return variant->rows ? 1 : glnn__uniform_get(&pass->blend_factor).f;
}

/* Whether the pass draws to more than one render target. */
static bool uses_targets(const glnn__variant *variant)
{
    const bool is_joined = (variant->targets & (variant->targets - 1)) != 0;
    return variant->stage == GLNN_STAGE_FRAGMENT && !variant->images && !variant->rows &&
           !variant->counted && (variant->output_layout == GLNN_LAYOUT_TILED || is_joined);
}

/* The side output that the draw reads as a texture, or loads from an image; NULL: neither. */
static glnn_matrix *side_output_of(const glnn__pass *pass, const glnn__variant *variant, int i)
{
    return variant->side_outputs[i].is_present && !variant->rows ? glnn__pass_side_output(pass, i)
                                                                 : NULL;
}

/* The texture of the side output that the draw writes as an image; NULL: it does not. */
static glnn__texture *side_image_of(const glnn__pass *pass, const glnn__variant *variant, int i)
{
    const glnn_matrix *m = side_output_of(pass, variant, i);
    if (m && !variant->targets)
        return m->texture;
    return m && variant->images && glnn__variant_image(variant, 1 + i) >= 0 ? m->next : NULL;
}

/* The units of all operands, and that of the former output. */
#define OPERAND_UNITS ((UINT64_C(2) << GLNN__BINDING_FORMER) - 1)

#define IMAGES (((UINT64_C(1) << GLNN__IMAGE_UNITS) - 1) << GLNN__TEXTURE_UNITS)

static glnn__state_parts units_of(const glnn__variant *variant)
{
    glnn__state_parts units = 0;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (variant->operands[i].is_present)
            units |= GLNN__PART_UNIT(i);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS && variant->targets; ++i)
        if (variant->side_outputs[i].is_present)
            units |= GLNN__PART_UNIT(GLNN__BINDING_SIDE(i));
    return variant->blends ? units | GLNN__PART_UNIT(GLNN__BINDING_FORMER) : units;
}

static glnn__state_parts images_of(const glnn__variant *variant, const glnn__pass *pass)
{
    const bool has_output = variant->images && glnn__variant_writes_output(variant);
    glnn__state_parts images = has_output ? GLNN__PART_IMAGE(0) : 0;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        if (side_image_of(pass, variant, i))
            images |= GLNN__PART_IMAGE(glnn__variant_image(variant, 1 + i));
    return images;
}

static glnn__state_parts drawing_of(const glnn__variant *variant, const glnn__pass *pass)
{
    glnn__state_parts parts =
        GLNN__PART_VERTEX_ARRAY | GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING;
    if (uses_blending(variant, pass))
        parts |= GLNN__PART_BLENDING;
    if (uses_targets(variant))
        parts |=
            GLNN__PART_TARGETS | (parts & GLNN__PART_BLENDING ? GLNN__PART_TARGETS_BLENDING : 0);
    return parts;
}

/* If the pass is a part of a longer call, the call finds out before its first pass whether a part
 * is refused, so that it does not fail half-way. */
static glnn_status claim(glnn_context *ctx, const glnn__variant *variant, const glnn__pass *pass)
{
    static const glnn__state_parts of_longer_calls =
        OPERAND_UNITS | IMAGES | GLNN__PART_PROGRAM | GLNN__PART_TRANSFERS;
    if (!ctx->host)
        return GLNN_OK;
    glnn__state_parts parts = GLNN__PART_PROGRAM | units_of(variant) | images_of(variant, pass);
    if (variant->stage == GLNN_STAGE_FRAGMENT)
        parts |= drawing_of(variant, pass);
    if (ctx->depth > 1)
        GLNN__TRY(glnn__gl_can_claim(ctx, of_longer_calls));
    return glnn__gl_claim(ctx, parts);
}

bool glnn__draw_claims_layers(glnn_context *ctx, int factor)
{
    const glnn__state_parts layers = (UINT64_C(1) << GLNN__TILE_LAYERS) - 1;
    return glnn__gl_claim(ctx, layers << GLNN__BINDING_LAYERS(factor)) == GLNN_OK;
}

/* ---- Samplers */

/* The sampler object for a texture; 0: none. A host's texture can have a filter that needs a
 * mipmap, which it may lack. */
static GLuint sampler_of(glnn__programs *programs, const glnn__texture *texture, bool is_filtered)
{
    static const GLint parameters[GLNN__SAMPLINGS][3] = {
        [GLNN__SAMPLING_FILTERED] = {GL_LINEAR, GL_LINEAR, GL_REPEAT},
        [GLNN__SAMPLING_NEAREST] = {GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE},
        [GLNN__SAMPLING_LEVEL] = {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE},
    };
    glnn__sampling sampling = texture->sampling;
    if (sampling == GLNN__SAMPLING_OWN && is_filtered)
        sampling = GLNN__SAMPLING_FILTERED;
    GLuint *sampler = &programs->samplers[sampling];
    if (sampling == GLNN__SAMPLING_OWN || *sampler)
        return *sampler;
    glGenSamplers(1, sampler);
    glSamplerParameteri(*sampler, GL_TEXTURE_MIN_FILTER, parameters[sampling][0]);
    glSamplerParameteri(*sampler, GL_TEXTURE_MAG_FILTER, parameters[sampling][1]);
    glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_S, parameters[sampling][2]);
    glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_T, parameters[sampling][2]);
    return *sampler;
}

/* ---- Passes */

/* Records a value of OpenGL's state in `has`, and returns whether it differs from the former
 * one, so that only changes are sent. */
static inline bool replaces(void *has, const void *value, size_t size)
{
    if (memcmp(has, value, size) == 0)
        return false;
    memcpy(has, value, size);
    return true;
}

/* The same for the uniform with a number, which the program may not have. */
static inline bool changes(const glnn__program *program, int number, void *has, const void *value,
                           size_t size)
{
    return (program->active >> number & 1) && replaces(has, value, size);
}

static void send_values(const glnn__program *program, int first, const glnn__uniform *values,
                        glnn__value *has)
{
    const uint64_t active = program->active >> first & ((1u << GLNN__MAX_UNIFORMS) - 1);
    for (int i = 0; active >> i; ++i) {
        const glnn__value value = glnn__uniform_get(&values[i]);
        if (!changes(program, first + i, &has[i], &value, sizeof *has))
            continue;
        if (program->floats >> (first + i) & 1)
            glUniform1f(program->locations[first + i], value.f);
        else
            glUniform1i(program->locations[first + i], value.i);
    }
}

/* Half a texel, or the level and layer of an operand that is placed. */
static void send_texels_of(glnn__program *program, int i, const glnn__texture *texture)
{
    const int number = GLNN__LOCATION_OPERANDS + 4 * i + 3;
    const float half_texel[] = {0.5f / (float)texture->width, 0.5f / (float)texture->height};
    const int level[] = {texture->lod, texture->layer};
    void *has = &program->uniforms.operands[i].texels;
    if (texture->is_placed) {
        if (changes(program, number, has, level, sizeof level))
            glUniform2iv(program->locations[number], 1, level);
    } else if (changes(program, number, has, half_texel, sizeof half_texel)) {
        glUniform2fv(program->locations[number], 1, half_texel);
    }
}

static void send_operand(glnn__program *program, int i, const glnn__operand *operand)
{
    const int number = GLNN__LOCATION_OPERANDS + 4 * i;
    const glnn_matrix *m = operand->matrix;
    const glnn__view view = glnn__view_resolve(&operand->view);
    const int map[] = {view.row[0],    view.row[1],    view.row[2],
                       view.column[0], view.column[1], view.column[2]};
    const int size[] = {m->rows, m->columns};
    if (changes(program, number, program->uniforms.operands[i].map, map, sizeof map))
        glUniform3iv(program->locations[number], 2, map);
    if (changes(program, number + 2, program->uniforms.operands[i].size, size, sizeof size))
        glUniform2iv(program->locations[number + 2], 1, size);
    send_texels_of(program, i, m->texture);
}

static void send_uniforms(glnn__program *program, const glnn__pass *pass)
{
    glnn__uniforms *has = &program->uniforms;
    const int output_size[] = {pass->output->rows, pass->output->columns};
    send_values(program, GLNN__LOCATION_UNIFORMS, pass->uniforms, has->own);
    if (pass->epilogue)
        send_values(program, GLNN__LOCATION_EPILOGUE, pass->epilogue->uniforms, has->epilogue);
    if (changes(program, GLNN__LOCATION_OUTPUT_SIZE, has->output_size, output_size,
                sizeof output_size))
        glUniform2iv(program->locations[GLNN__LOCATION_OUTPUT_SIZE], 1, output_size);
    const float blend_factor = glnn__uniform_get(&pass->blend_factor).f;
    if (changes(program, GLNN__LOCATION_BLEND_FACTOR, &has->blend_factor, &blend_factor,
                sizeof blend_factor))
        glUniform1f(program->locations[GLNN__LOCATION_BLEND_FACTOR], blend_factor);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix)
            send_operand(program, i, &pass->operands[i]);
}

static void bind_program(glnn_context *ctx, glnn__programs *programs, GLuint name)
{
    if (replaces(&programs->bound.program, &name, sizeof name))
        glnn__gl_use_program(ctx, name);
}

static void bind_vertex_array(glnn__programs *programs)
{
    const GLuint name = programs->vertex_array;
    if (replaces(&programs->bound.vertex_array, &name, sizeof name))
        glBindVertexArray(name);
}

static void bind_framebuffer(glnn__programs *programs, GLuint framebuffer)
{
    if (replaces(&programs->bound.framebuffer, &framebuffer, sizeof framebuffer))
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

/* A framebuffer without attachments that is at least as large as a rectangle. A software rasteriser
 * visits the whole framebuffer, so there are several sizes. */
static GLuint get_no_targets(const glnn_context *ctx, glnn__programs *programs, int width,
                             int height)
{
    const int needed = width > height ? width : height;
    int size = 0, side = 64;
    for (; side < needed; side *= 4)
        size++;
    GLuint *framebuffer = &programs->no_targets[size];
    if (*framebuffer)
        return *framebuffer;
    side = side < ctx->max_framebuffer_side ? side : ctx->max_framebuffer_side;
    glGenFramebuffers(1, framebuffer);
    bind_framebuffer(programs, *framebuffer);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, side);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, side);
    return *framebuffer;
}

/* A kernel with a main of its own counts blocks. The stages count texels, which makes a difference
 * only if the output is wrapped. */
static bool counts_texels(const glnn__variant *variant)
{
    return variant->output_wrap > 0 && !variant->kernel->has_main;
}

/* All blocks of the output; with stacks, all stacks. */
static glnn__blocks whole_of(const glnn__variant *variant, const glnn_matrix *output)
{
    const glnn__layout_info *layout = glnn__layout_of(output);
    return (glnn__blocks){0, 0, glnn__ceil_div(output->columns, layout->block_columns),
                          glnn__ceil_div(output->rows, layout->block_rows * variant->stack)};
}

/* The rectangle to draw or dispatch for a region of blocks. */
static glnn__blocks part_of(const glnn__variant *variant, const glnn__blocks *region)
{
    int wrap = variant->output_wrap;
    for (int stack = variant->stack; stack > 1; stack /= 2)
        --wrap;
    return counts_texels(variant) ? glnn__blocks_wrap(region, wrap) : *region;
}

static void bind_target(const glnn_context *ctx, glnn__programs *programs,
                        const glnn__variant *variant, const glnn__destination *to)
{
    const glnn__texture *target = to->texture;
    const glnn__extent *extent = &target->extent;
    if (variant->images) {
        bind_framebuffer(programs, get_no_targets(ctx, programs, extent->width, extent->height));
        programs->whole = (glnn__blocks){0};
    } else {
        bind_framebuffer(programs, to->framebuffer);
        programs->whole = (glnn__blocks){0, 0, target->width, target->height};
    }
}

/* In a host's context, only the units of operands ever have samplers. */
static void bind_texture(glnn_context *ctx, glnn__programs *programs, int unit, GLenum target,
                         GLuint name, GLuint sampler)
{
    if (replaces(&programs->bound.textures[unit], &name, sizeof name)) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(target, name);
    }
    if ((!ctx->host || unit < GLNN__MAX_OPERANDS) &&
        replaces(&programs->bound.samplers[unit], &sampler, sizeof sampler))
        glnn__gl_bind_sampler(ctx, unit, sampler);
}

/* A driver can spend time on each bound unit whenever a binding changes, so that bindings that no
 * list uses any more would slow later passes down. */
static void unbind_stale(glnn__programs *programs)
{
    programs->has_stale_units = false;
    for (int i = GLNN__OWN_UNITS; i < programs->unit_count; ++i) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, 0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
        programs->bound.textures[i] = 0;
    }
    for (int i = 0; i < programs->image_unit_count; ++i) {
        glBindImageTexture((GLuint)i, 0, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
        programs->bound.images[i] = (glnn__image){0};
    }
}

static bool has_binding(const glnn__program *program, int binding)
{
    return program->bindings >> binding & 1;
}

static void bind_whole(glnn_context *ctx, glnn__programs *programs, const glnn__program *program,
                       int binding, const glnn__texture *texture, bool is_filtered)
{
    const GLuint sampler = sampler_of(programs, texture, is_filtered);
    if (has_binding(program, binding))
        bind_texture(ctx, programs, program->units[binding], texture->target, texture->name,
                     sampler);
}

static void bind_layers(glnn_context *ctx, glnn__programs *programs, const glnn__program *program,
                        int factor, const glnn__texture *texture)
{
    const int first = GLNN__BINDING_LAYERS(factor);
    for (int i = 0; i < GLNN__TILE_LAYERS && has_binding(program, first + i); ++i)
        bind_texture(ctx, programs, program->units[first + i], GL_TEXTURE_2D, texture->layers[i],
                     0);
}

static void bind_operands(glnn_context *ctx, glnn__programs *programs, const glnn__program *program,
                          const glnn__pass *pass, const glnn__destination *target)
{
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn__operand *operand = &pass->operands[i];
        if (!operand->matrix)
            continue;
        bind_whole(ctx, programs, program, i, operand->matrix->texture,
                   program->variant.operands[i].filter == GLNN__FILTER_SAMPLER);
        if (program->variant.operands[i].layered)
            bind_layers(ctx, programs, program, i, operand->matrix->texture);
    }
    bind_whole(ctx, programs, program, GLNN__BINDING_FORMER, target->former, false);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS && program->variant.targets; ++i) {
        const glnn_matrix *m = side_output_of(pass, &program->variant, i);
        if (m)
            bind_whole(ctx, programs, program, GLNN__BINDING_SIDE(i), m->texture, false);
    }
}

static void bind_image(glnn__programs *programs, const glnn__program *program, int number,
                       const glnn__texture *texture, GLenum access)
{
    const int binding = GLNN__BINDING_IMAGES + number, unit = program->units[binding];
    const glnn__image image = {texture->name, texture->level, texture->layer};
    if (has_binding(program, binding) &&
        replaces(&programs->bound.images[unit], &image, sizeof image))
        glBindImageTexture((GLuint)unit, image.name, image.level,
                           texture->layout == GLNN_LAYOUT_TILED, image.layer, access,
                           texture->format);
}

static void bind_images(const glnn_context *ctx, glnn__programs *programs,
                        const glnn__program *program, const glnn__pass *pass,
                        const glnn__texture *target)
{
    const GLenum access = ctx->has_images ? GL_READ_WRITE : GL_WRITE_ONLY;
    if (program->variant.images && glnn__variant_writes_output(&program->variant))
        bind_image(programs, program, 0, target, access);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn__texture *texture = side_image_of(pass, &program->variant, i);
        if (texture)
            bind_image(programs, program, glnn__variant_image(&program->variant, 1 + i), texture,
                       access);
    }
}

/* ---- The draw or dispatch */

static void blend_targets(int blend)
{
    (blend ? glEnable : glDisable)(GL_BLEND);
    if (blend)
        glBlendFunc(GL_ONE, GL_CONSTANT_COLOR);
}

/* Blending adds the kernel's result to the target times a factor. Only targets that the pass writes
 * were claimed. */
static void set_blend(const glnn_context *ctx, glnn__programs *programs,
                      const glnn__variant *variant, int blend, float factor)
{
    const bool is_new = replaces(&programs->bound.blend, &blend, sizeof blend);
    if (uses_targets(variant)) {
        if (replaces(&programs->bound.targets_blend, &blend, sizeof blend) || is_new)
            blend_targets(blend);
    } else if (is_new) {
        glnn__gl_blend_first_target(ctx, blend);
    }
    if (blend && replaces(&programs->bound.blend_factor, &factor, sizeof factor))
        glBlendColor(factor, factor, factor, factor);
}

static float greatest(float a, float b)
{
    return a > b ? a : b;
}

/* The whole target may have a larger viewport, so that targets of several sizes share one. */
static void set_viewport(const glnn_context *ctx, glnn__programs *programs,
                         const glnn__blocks *part, bool is_whole)
{
    GLfloat *has = programs->bound.viewport;
    const bool is_covering = is_whole && has[0] == 0 && has[1] == 0;
    const float width = (float)part->width, height = (float)part->height;
    const GLfloat viewport[4] = {(GLfloat)part->x, (GLfloat)part->y,
                                 is_covering ? greatest(has[2], width) : width,
                                 is_covering ? greatest(has[3], height) : height};
    if (replaces(has, viewport, sizeof viewport))
        glnn__gl_set_viewport(ctx, viewport);
}

/* Successive passes that blend into the same target share a fence. */
static void keep_fence(glnn_context *ctx, glnn__programs *programs)
{
    const GLuint framebuffer = programs->bound.framebuffer;
    const bool shares = programs->bound.blend == 1 && programs->bound.drawn == framebuffer &&
                        programs->bound.waits == ctx->counters.waits;
    if (!shares)
        glnn__fences_before_draw(ctx);
    programs->bound.drawn = framebuffer;
    programs->bound.waits = ctx->counters.waits;
}

static void send_region(glnn__program *program, const glnn__blocks *part)
{
    if (changes(program, GLNN__LOCATION_REGION, &program->uniforms.region, part, sizeof *part))
        glUniform4i(program->locations[GLNN__LOCATION_REGION], part->x, part->y, part->width,
                    part->height);
}

/* The points of a part that has rows. The kernel stores nothing for rows without a sample. */
static int count_points(const glnn__pass *pass)
{
    if (pass->picks > 0)
        return pass->picks;
    return pass->region.width > 0 ? pass->region.height : pass->output->rows;
}

static void draw_points(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                        const glnn__pass *pass)
{
    keep_fence(ctx, programs);
    set_viewport(ctx, programs, &programs->whole, false);
    send_region(program, &programs->whole);
    glDrawArrays(GL_POINTS, 0, count_points(pass));
    ctx->counters.passes++;
}

/* Draws all texels of the counts. */
static void draw_counts(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                        const glnn__pass *pass)
{
    const glnn__counting *of = &pass->counting;
    const glnn__blocks block = {of->column, of->row, of->counts->texture->extent.wrap,
                                count_points(pass)};
    keep_fence(ctx, programs);
    set_viewport(ctx, programs, &programs->whole, true);
    send_region(program, &block);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    ctx->counters.passes++;
}

/* Draws all blocks of a part, or a rectangle for each row of blocks that the kernel picks. */
static void draw(glnn_context *ctx, glnn__programs *programs, const glnn__pass *pass,
                 const glnn__blocks *part)
{
    keep_fence(ctx, programs);
    set_viewport(ctx, programs, part,
                 pass->picks == 0 && memcmp(part, &programs->whole, sizeof *part) == 0);
    if (pass->picks > 0)
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, pass->picks);
    else
        glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void send_texels(glnn__program *program, const glnn__blocks *part)
{
    if (changes(program, GLNN__LOCATION_TEXELS, &program->uniforms.texels, part, sizeof *part))
        glUniform4i(program->locations[GLNN__LOCATION_TEXELS], part->x, part->y, part->width,
                    part->height);
}

static void dispatch(glnn__program *program, const glnn__pass *pass, const glnn__blocks *part)
{
    const glnn__layout_info *layout = glnn__layout_of(pass->output);
    int side = (int)program->variant.group, width = part->width, height = part->height;
    if (pass->blocking.group_side > 0) {
        side = pass->blocking.group_side;
        width *= layout->block_columns;
        height = pass->blocking.group_layers > 1 ? pass->blocking.group_rows
                                                 : height * layout->block_rows;
    }
    if (counts_texels(&program->variant))
        send_texels(program, part);
    else
        send_region(program, part);
    glDispatchCompute((GLuint)glnn__ceil_div(width, side), (GLuint)glnn__ceil_div(height, side),
                      pass->blocking.group_layers > 1 ? (GLuint)pass->blocking.group_layers : 1);
}

static void submit_part(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                        const glnn__pass *pass, const glnn__blocks *part)
{
    if (program->variant.stage == GLNN_STAGE_COMPUTE)
        dispatch(program, pass, part);
    else
        draw(ctx, programs, pass, part);
    ctx->counters.passes++;
}

static void submit_strips(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                          const glnn__pass *pass, const glnn__blocks *region)
{
    const glnn__blocks whole = part_of(&program->variant, region);
    glnn__strips strips;
    glnn__blocks part;
    if (counts_texels(&program->variant))
        send_region(program, region);
    glnn__strips_begin(&strips, ctx, program, pass, &whole);
    while (glnn__strips_next(&strips, &part))
        submit_part(ctx, programs, program, pass, &part);
}

/* Notes the uses of side outputs: as images, or as textures that others replace. */
static void note_side_outputs(glnn__barriers *barriers, const glnn__variant *variant,
                              const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *m = side_output_of(pass, variant, i);
        if (!m)
            continue;
        glnn__barrier_note(barriers, &m->texture->uses,
                           variant->targets ? GLNN__USE_FETCH : GLNN__USE_IMAGE);
        if (glnn__destination_matrix(pass, variant, 1 + i))
            glnn__barrier_note(barriers, &m->next->uses,
                               variant->images ? GLNN__USE_IMAGE : GLNN__USE_FIXED);
    }
}

/* Makes earlier writes to the operands and outputs visible. */
static void wait_for_stores(glnn_context *ctx, const glnn__variant *variant, const glnn__pass *pass,
                            const glnn__destination *target)
{
    glnn__barriers *barriers = &glnn__textures_of(ctx)->barriers;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix)
            glnn__barrier_note(barriers, &pass->operands[i].matrix->texture->uses, GLNN__USE_FETCH);
    note_side_outputs(barriers, variant, pass);
    if (glnn__variant_fetches_former(ctx, variant))
        glnn__barrier_note(barriers, &target->former->uses, GLNN__USE_FETCH);
    glnn__barrier_note(barriers, &target->texture->uses,
                       variant->images ? GLNN__USE_IMAGE : GLNN__USE_FIXED);
    glnn__barrier_wait(barriers);
}

/* Binds everything that the pass uses. */
static void bind(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                 const glnn__pass *pass, const glnn__destination *target)
{
    const glnn__variant *variant = &program->variant;
    if (programs->bound.age != ctx->bindings_age) {
        memset(&programs->bound, GLNN__UNKNOWN, sizeof programs->bound);
        programs->bound.age = ctx->bindings_age;
    }
    if (programs->bound.framebuffer_age != ctx->framebuffer_age) {
        memset(&programs->bound.framebuffer, GLNN__UNKNOWN, sizeof programs->bound.framebuffer);
        programs->bound.framebuffer_age = ctx->framebuffer_age;
    }
    if (programs->has_stale_units && !ctx->host)
        unbind_stale(programs);
    bind_program(ctx, programs, program->name);
    send_uniforms(program, pass);
    bind_operands(ctx, programs, program, pass, target);
    bind_images(ctx, programs, program, pass, target->texture);
    wait_for_stores(ctx, variant, pass, target);
    if (variant->stage == GLNN_STAGE_FRAGMENT) {
        bind_target(ctx, programs, variant, target);
        bind_vertex_array(programs);
        set_blend(ctx, programs, variant, uses_blending(variant, pass),
                  blend_factor_of(variant, pass));
    }
}

/* In the compute stage, kernels with a main of their own and kernels in slices read operands even
 * if the region is empty, so they are not used ahead. */
static void submit_nothing(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                           const glnn__pass *pass, const glnn__destination *target)
{
    const glnn__variant *variant = &program->variant;
    const glnn__blocks nothing = {0};
    if (variant->stage == GLNN_STAGE_COMPUTE && (variant->kernel->has_main || variant->slices > 0))
        return;
    bind(ctx, programs, program, pass, target);
    if (variant->stage == GLNN_STAGE_FRAGMENT) {
        draw(ctx, programs, pass, &nothing);
        return;
    }
    send_region(program, &nothing);
    glDispatchCompute(1, 1, 1);
}

static void submit(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                   const glnn__pass *pass, const glnn__destination *target)
{
    const glnn__variant *variant = &program->variant;
    glnn__blocks whole = whole_of(variant, pass->output);
    bind(ctx, programs, program, pass, target);
    if (variant->counted) {
        draw_counts(ctx, programs, program, pass);
    } else if (variant->rows) {
        draw_points(ctx, programs, program, pass);
    } else if (pass->picks > 0) {
        if (variant->stage == GLNN_STAGE_COMPUTE)
            whole.height = pass->picks;
        submit_part(ctx, programs, program, pass, &whole);
    } else {
        submit_strips(ctx, programs, program, pass, pass->region.width ? &pass->region : &whole);
    }
}

/* ---- The whole pass */

/* Claims what the pass binds, and makes the textures that it reads and writes. */
static glnn_status open_pass(glnn_context *ctx, const glnn__variant *variant,
                             const glnn__pass *pass, glnn__destination *target)
{
    GLNN__TRY(claim(ctx, variant, pass));
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (variant->operands[i].layered)
            GLNN__TRY(glnn__texture_split(ctx, pass->operands[i].matrix->texture));
    return glnn__destination_open(ctx, pass, variant, target);
}

/* Some drivers compile when a program is first used. That time is not counted as the pass's. */
static void submit_traced(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                          const glnn__pass *pass, const glnn__destination *target)
{
    glnn__timer timer;
    if (!program->is_used)
        submit_nothing(ctx, programs, program, pass, target);
    glnn__timer_begin(ctx, &timer);
    submit(ctx, programs, program, pass, target);
    glnn__trace_pass(programs->trace, ctx, pass, glnn__timer_end(ctx, &timer));
}

glnn_status glnn__pass_draw(glnn_context *ctx, glnn__program *program, const glnn__pass *pass)
{
    glnn__programs *programs = glnn__programs_of(ctx);
    const bool may_compile = !program->is_used;
    glnn__destination target;
    GLNN__TRY(glnn__program_finish(ctx, programs, program));
    GLNN__TRY(open_pass(ctx, &program->variant, pass, &target));
    if (may_compile)
        glnn__busy_begin(ctx);
    (programs->trace ? submit_traced : submit)(ctx, programs, program, pass, &target);
    if (may_compile)
        glnn__busy_end(ctx);
    program->is_used = true;
    return glnn__destination_close(ctx, pass, &program->variant, &target);
}

/* The textures are those of the pass, so that these exist afterwards too. */
static glnn_status use_ahead(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                             const glnn__pass *pass)
{
    glnn__destination target;
    GLNN__TRY(open_pass(ctx, &program->variant, pass, &target));
    glnn__busy_begin(ctx);
    submit_nothing(ctx, programs, program, pass, &target);
    glnn__busy_end(ctx);
    glnn__destination_release(ctx, &target);
    if (pass->part.is_last || pass->part.rows)
        glnn__destination_drop_parts(ctx, pass);
    program->is_used = true;
    return GLNN_OK;
}

glnn_status glnn__pass_work(glnn_context *ctx, glnn__program *program, const glnn__pass *pass)
{
    glnn__programs *programs = glnn__programs_of(ctx);
    if (!program->name)
        return glnn__program_start(ctx, programs, program);
    return program->text.content.text ? glnn__program_finish(ctx, programs, program)
                                      : use_ahead(ctx, programs, program, pass);
}
