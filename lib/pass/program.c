#include "pass/program.h"

#include "base/hash.h"
#include "base/integers.h"
#include "base/log.h"
#include "base/status.h"
#include "base/string.h"
#include "gl/busy.h"
#include "gl/limits.h"
#include "pass/dump.h"
#include "pass/trace.h"
#include "pass/unroll.h"

#include <stdlib.h>
#include <string.h>

/* A program that is in use when it is deleted has no number any more in WebGL. */
static void leave_programs(glnn_context *ctx, glnn__programs *programs, const glnn__program *list)
{
    const GLuint current = list ? (GLuint)glnn__gl_integer(GL_CURRENT_PROGRAM) : 0;
    for (; list && current; list = list->next)
        if (list->name == current) {
            glnn__gl_use_program(ctx, 0);
            programs->bound.program = 0;
            return;
        }
}

static void free_programs(glnn_context *ctx, glnn__programs *programs, glnn__program **list)
{
    leave_programs(ctx, programs, *list);
    while (*list) {
        glnn__program *program = *list;
        *list = program->next;
        glnn__text_free(&program->text);
        glDeleteShader(program->shader);
        glDeleteProgram(program->name);
        free(program);
    }
}

static void destroy_programs(glnn_context *ctx, void *state)
{
    glnn__programs *programs = state;
    glnn__trace_end(programs->trace);
    for (int i = 0; i < GLNN__BUCKETS; ++i)
        free_programs(ctx, programs, &programs->buckets[i]);
    free_programs(ctx, programs, &programs->forgotten);
    for (uint32_t i = 0; i < programs->expression_count; ++i)
        free(programs->expressions[i]);
    free(programs->expressions);
    for (uint32_t i = 0; i < programs->constants_count; ++i)
        free(programs->constants[i]);
    free(programs->constants);
    glnn__tuning_forget(&programs->tuning);
    for (int i = 0; i < 2; ++i)
        glDeleteShader(programs->partners[i]);
    glDeleteVertexArrays(1, &programs->vertex_array);
    glDeleteSamplers(GLNN__SAMPLINGS, programs->samplers);
    glDeleteFramebuffers(GLNN__NO_TARGETS_SIZES, programs->no_targets);
    free(programs->cache_dir);
}

static bool environment_has(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static void create_programs(glnn_context *ctx, void *state)
{
    glnn__programs *programs = state;
    if (environment_has("GLNN_TRACE"))
        programs->trace = glnn__trace_create(ctx);
    programs->dump_dir = environment_has("GLNN_DUMP_SHADERS") ? getenv("GLNN_DUMP_SHADERS") : NULL;
    programs->cache_dir = glnn__disk_cache_folder(ctx);
    programs->tuning.folder = programs->cache_dir;
    programs->has_binaries = glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS) &&
                             glnn__gl_integer(GL_NUM_PROGRAM_BINARY_FORMATS) > 0;
    programs->bound.age = ~ctx->bindings_age;
    programs->unit_count =
        glnn__least(glnn__gl_integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS), GLNN__MOST_UNITS);
    if (glnn__gl_offers(ctx, GLNN__OFFERS_IMAGE_UNITS))
        programs->image_unit_count =
            glnn__least(glnn__gl_integer(GL_MAX_IMAGE_UNITS), GLNN__MOST_UNITS);
    glGenVertexArrays(1, &programs->vertex_array);
}

glnn__slot glnn__programs_slot = {.holds = "a list of programs",
                                  .size = sizeof(glnn__programs),
                                  .create = create_programs,
                                  .destroy = destroy_programs};

glnn_status glnn__expression_number(glnn__programs *programs, const char *expression,
                                    uint32_t *number)
{
    for (uint32_t i = 0; i < programs->expression_count; ++i) {
        *number = i + 1;
        if (strcmp(programs->expressions[i], expression) == 0)
            return GLNN_OK;
    }
    char **grown = realloc(programs->expressions, (programs->expression_count + 1) * sizeof *grown);
    if (grown)
        programs->expressions = grown;
    char *copy = grown ? glnn__string_copy(expression) : NULL;
    if (!copy)
        return glnn__fail(GLNN_E_NOMEM, "no memory for an expression");
    programs->expressions[programs->expression_count] = copy;
    *number = ++programs->expression_count;
    return GLNN_OK;
}

glnn_status glnn__constants_keep(glnn__programs *programs, const int *constants, const int **out)
{
    const size_t size = GLNN__MAX_CONSTANTS * sizeof *constants;
    const uint32_t count = programs->constants_count;
    for (uint32_t i = 0; i < count; ++i) {
        *out = programs->constants[i];
        if (memcmp(*out, constants, size) == 0)
            return GLNN_OK;
    }
    int **grown = realloc(programs->constants, (count + 1) * sizeof *grown);
    if (grown)
        programs->constants = grown;
    int *copy = grown ? malloc(size) : NULL;
    if (!copy)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the constants of a shader");
    memcpy(copy, constants, size);
    *out = programs->constants[programs->constants_count++] = copy;
    return GLNN_OK;
}

/* ---- Mistakes in kernels and passes */

/* A pass may give no matrix for an operand that the kernel does not declare. */
static glnn_status check_declarations(const glnn__variant *variant)
{
    const int count = glnn__kernel_operands(variant->kernel);
    GLNN__TRY(glnn__kernel_check(variant->kernel));
    for (int i = count; i < GLNN__MAX_OPERANDS; ++i)
        if (variant->operands[i].is_present)
            return glnn__fail(GLNN_E_ARG,
                              "%s: operand %d has a matrix, but the kernel declares %d operand%s",
                              variant->kernel->name, i, count, count == 1 ? "" : "s");
    return variant->epilogue ? glnn__kernel_check(variant->epilogue) : GLNN_OK;
}

static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Whether a text has an identifier that begins with the name of an operand and an underscore. */
static bool names_operand(const char *text, const char *name)
{
    const size_t length = strlen(name);
    while (*text) {
        const size_t span = strspn(text, word);
        if (span > length && strncmp(text, name, length) == 0 && text[length] == '_')
            return true;
        text += span + strcspn(text + span, word);
    }
    return false;
}

/* The operand without a matrix whose functions or macros a compiler's message names; NULL: none. */
static const char *find_missing(const glnn__variant *variant, const char *log)
{
    const glnn__kernel *kernel = variant->kernel;
    for (int i = 0; i < GLNN__MAX_OPERANDS && kernel->operands[i]; ++i)
        if (!variant->operands[i].is_present && names_operand(log, kernel->operands[i]))
            return kernel->operands[i];
    return NULL;
}

/* ---- Compiling */

/* OpenGL has not created an object that a kernel needs. */
static glnn_status fail_object(glnn_context *ctx, const char *what, const char *name)
{
    GLNN__TRY(glnn__gl_check(ctx, "creating %s for %s", what, name));
    return glnn__fail(GLNN_E_GL, "OpenGL cannot create %s for %s", what, name);
}

/* Starts compiling a shader. Only reading its status waits for the compiler. */
static GLuint start_shader(glnn_context *ctx, GLenum kind, const glnn__text *text)
{
    glnn__growing_text unrolled = {0};
    if (ctx->checks_indices)
        glnn__unroll(text->content.text, &unrolled);
    const bool is_whole = unrolled.text && !unrolled.is_cut;
    const GLchar *source = is_whole ? unrolled.text : text->content.text;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    free(unrolled.text);
    return shader;
}

/* An error names file and line of the shader. `variant` NULL: a shader that programs share. */
static glnn_status check_shader(GLuint shader, const glnn__text *text, const glnn__variant *variant)
{
    const char *name = variant ? variant->kernel->name : "a shader of the library";
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return GLNN_OK;
    char log[2048] = "", sentence[3072];
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glnn__text_explain(text, log, sentence, sizeof sentence);
    const char *missing = variant ? find_missing(variant, log) : NULL;
    if (missing)
        return glnn__fail(GLNN_E_ARG, "%s: operand %s has no matrix, but the kernel reads it: %.*s",
                          name, missing, (int)strcspn(sentence, "\n"), sentence);
    return glnn__fail(GLNN_E_SHADER, "%s does not compile: %s", name, sentence);
}

static glnn_status check_program(GLuint program, const char *name)
{
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return GLNN_OK;
    char log[2048] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return glnn__fail(GLNN_E_SHADER, "%s does not link: %s", name, log);
}

/* The other shader of a program that draws. If the kernel picks rows of blocks, it is the kernel's
 * and the caller deletes it; other programs share two. */
static glnn_status get_partner(glnn_context *ctx, glnn__programs *programs,
                               const glnn__variant *variant, GLuint *out)
{
    const bool has_points = glnn__variant_draws_points(variant);
    GLuint *shared = &programs->partners[has_points];
    glnn__text text = {0};
    *out = variant->picks ? 0 : *shared;
    if (*out)
        return GLNN_OK;
    glnn_status status = glnn__partner_assemble(ctx, variant, &text);
    if (!status) {
        *out = start_shader(ctx, has_points ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, &text);
        status = check_shader(*out, &text, variant->picks ? variant : NULL);
    }
    glnn__text_free(&text);
    if (status)
        glDeleteShader(*out);
    else if (!variant->picks)
        *shared = *out;
    return status;
}

static GLenum kind_of(const glnn__variant *variant)
{
    if (variant->stage == GLNN_STAGE_COMPUTE)
        return GL_COMPUTE_SHADER;
    return glnn__variant_draws_points(variant) ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER;
}

/* Starts to compile and link. OpenGL keeps a deleted shader as long as it is attached. */
static glnn_status start_build(glnn_context *ctx, glnn__programs *programs, glnn__program *program)
{
    const GLenum kind = kind_of(&program->variant);
    GLuint partner = 0;
    if (kind != GL_COMPUTE_SHADER)
        GLNN__TRY(get_partner(ctx, programs, &program->variant, &partner));
    program->shader = start_shader(ctx, kind, &program->text);
    if (partner)
        glAttachShader(program->name, partner);
    glAttachShader(program->name, program->shader);
    if (programs->has_binaries)
        glProgramParameteri(program->name, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glLinkProgram(program->name);
    if (program->variant.picks)
        glDeleteShader(partner);
    if (!program->shader)
        return fail_object(ctx, "a shader", program->variant.kernel->name);
    ctx->counters.programs_compiled++;
    return GLNN_OK;
}

static bool is_binding(GLenum type)
{
    return type == GL_SAMPLER_2D || type == GL_SAMPLER_2D_ARRAY || type == GL_IMAGE_2D ||
           type == GL_IMAGE_2D_ARRAY;
}

static void note_uniform(glnn__program *program, int number, GLint location, GLenum type,
                         GLint size)
{
    for (int i = 0; i < size && number + i < GLNN__LOCATIONS; ++i)
        program->locations[number + i] = location + i;
    if (is_binding(type))
        program->bindings |= ((1u << size) - 1) << (number - GLNN__LOCATION_BINDINGS);
    else
        program->active |= UINT64_C(1) << number;
    if (type == GL_FLOAT)
        program->floats |= UINT64_C(1) << number;
}

/* Finds the uniforms that the program uses. To set another one is an error in OpenGL. */
static void find_uniforms(const glnn_context *ctx, glnn__program *program)
{
    GLint count = 0;
    glGetProgramiv(program->name, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        char name[128];
        GLint size;
        GLenum type;
        glGetActiveUniform(program->name, (GLuint)i, sizeof name, NULL, &size, &type, name);
        const GLint location = glGetUniformLocation(program->name, name);
        name[strcspn(name, "[")] = 0; /* of an array */
        const int number = glnn__gl_offers(ctx, GLNN__OFFERS_UNIFORM_LOCATIONS)
                               ? location
                               : glnn__variant_uniform(&program->variant, name);
        if (number >= 0)
            note_uniform(program, number, location, type, size);
    }
}

static int next_of(int *next, int first, int count)
{
    const int unit = first + *next;
    *next = (*next + 1) % (count - first);
    return unit;
}

/* In a context of the library's own, texture unit 0 is for transfers. */
static int shared_unit(const glnn_context *ctx, int binding)
{
    return binding >= GLNN__BINDING_IMAGES ? binding - GLNN__BINDING_IMAGES : binding + !ctx->host;
}

static int own_unit(glnn__programs *programs, int binding)
{
    return binding >= GLNN__BINDING_IMAGES
               ? next_of(&programs->next_image_unit, 0, programs->image_unit_count)
               : next_of(&programs->next_unit, GLNN__OWN_UNITS, programs->unit_count);
}

/* Where it is not named with the uniform, the program has to be in use. */
static void set_unit(glnn_context *ctx, const glnn__program *program, int binding, int unit)
{
    const int number = GLNN__LOCATION_BINDINGS + binding;
    if (glnn__gl_offers(ctx, GLNN__OFFERS_UNIFORM_LOCATIONS)) {
        glProgramUniform1i(program->name, number, unit);
        return;
    }
    glnn__gl_use_program(ctx, program->name);
    glUniform1i(program->locations[number], unit);
    glnn__programs_of(ctx)->bound.program = program->name;
}

/* Gives units to the textures and images that the program uses. In OpenGL ES the unit of an image
 * stands in the shader. */
static void give_units(glnn_context *ctx, glnn__programs *programs, glnn__program *program)
{
    for (int i = 0; i < GLNN__BINDINGS; ++i) {
        if (!(program->bindings >> i & 1))
            continue;
        const bool is_fixed = i >= GLNN__BINDING_IMAGES && ctx->info.api == GLNN_API_ES;
        const bool has_own = program->is_listed && !ctx->host && !is_fixed;
        const int unit = has_own ? own_unit(programs, i) : shared_unit(ctx, i);
        program->units[i] = (unsigned char)unit;
        if (!is_fixed)
            set_unit(ctx, program, i, unit);
    }
}

void glnn__program_note_listed(glnn_context *ctx, glnn__program *program)
{
    const bool is_new = !program->is_listed;
    program->is_listed = true;
    if (is_new && !ctx->host && program->name && !program->text.content.text)
        give_units(ctx, glnn__programs_of(ctx), program);
}

static const char *folder_of(const glnn__programs *programs)
{
    return programs->has_binaries ? programs->cache_dir : NULL;
}

/* The text of a variant's expression; NULL: none. */
static const char *expression_of(const glnn__programs *programs, const glnn__variant *variant)
{
    return variant->expression ? programs->expressions[variant->expression - 1] : NULL;
}

/* Starts compiling a program, or loads it from disk. */
static glnn_status start_program(glnn_context *ctx, glnn__programs *programs,
                                 glnn__program *program)
{
    const char *expression = expression_of(programs, &program->variant);
    GLNN__TRY(check_declarations(&program->variant));
    GLNN__TRY(glnn__variant_assemble(ctx, &program->variant, expression, &program->text));
    program->key =
        glnn__disk_cache_key(ctx, program->text.content.text, program->text.content.size);
    program->name = glCreateProgram();
    if (!program->name)
        return fail_object(ctx, "a program", program->variant.kernel->name);
    if (glnn__disk_cache_load(ctx, folder_of(programs), &program->key, program->name))
        return GLNN_OK;
    return start_build(ctx, programs, program);
}

/* Waits until the driver has compiled the program. */
static glnn_status finish_program(glnn_context *ctx, glnn__programs *programs,
                                  glnn__program *program)
{
    const char *name = program->variant.kernel->name;
    if (program->shader) {
        GLNN__TRY(check_shader(program->shader, &program->text, &program->variant));
        GLNN__TRY(check_program(program->name, name));
        glnn__disk_cache_store(folder_of(programs), &program->key, program->name);
        glDetachShader(program->name, program->shader);
    }
    if (programs->dump_dir)
        glnn__shader_dump(programs->dump_dir, &program->variant,
                          expression_of(programs, &program->variant), &program->text);
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_UNIFORM_LOCATIONS))
        GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_PROGRAM));
    find_uniforms(ctx, program);
    give_units(ctx, programs, program);
    glnn__text_free(&program->text);
    glDeleteShader(program->shader);
    program->shader = 0;
    return glnn__gl_check(ctx, "making the program %s", name);
}

static glnn__program **bucket_of(glnn__programs *programs, const glnn__variant *variant)
{
    return &programs->buckets[glnn__hash(variant, sizeof *variant) % GLNN__BUCKETS];
}

/* Undoes all work on a program that cannot be made. Its next use tries again. */
static glnn_status undo_program(glnn__program *program, glnn_status status)
{
    glnn__text_free(&program->text);
    glDeleteShader(program->shader);
    glDeleteProgram(program->name);
    program->shader = program->name = 0;
    return status;
}

bool glnn__program_is_compiled(const glnn__program *program)
{
    GLint is_compiled = GL_TRUE;
    if (program->shader && glnn__gl_has_extension("GL_KHR_parallel_shader_compile"))
        glGetProgramiv(program->name, GL_COMPLETION_STATUS_KHR, &is_compiled);
    return is_compiled;
}

glnn_status glnn__program_get(glnn__programs *programs, const glnn__variant *variant,
                              glnn__program **out)
{
    glnn__program **bucket = bucket_of(programs, variant), *program = *bucket;
    while (program && memcmp(&program->variant, variant, sizeof *variant) != 0)
        program = program->next;
    *out = program;
    if (program)
        return GLNN_OK;
    *out = program = calloc(1, sizeof *program);
    if (!program)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a program", variant->kernel->name);
    program->variant = *variant;
    program->next = *bucket;
    *bucket = program;
    return GLNN_OK;
}

/* Moves the programs of a kernel from a bucket to those that are forgotten. */
static void forget_in(glnn__programs *programs, glnn__program **link, const glnn__kernel *kernel)
{
    while (*link) {
        glnn__program *program = *link;
        if (program->variant.kernel != kernel) {
            link = &program->next;
            continue;
        }
        *link = program->next;
        program->next = programs->forgotten;
        programs->forgotten = program;
    }
}

void glnn__programs_forget(glnn_context *ctx, const glnn__kernel *kernel)
{
    glnn__programs *programs = glnn__programs_of(ctx);
    if (!programs)
        return;
    for (int i = 0; i < GLNN__BUCKETS; ++i)
        forget_in(programs, &programs->buckets[i], kernel);
    ctx->lists_age++;
    if (glnn__gl_can_delete(ctx))
        free_programs(ctx, programs, &programs->forgotten);
}

glnn_status glnn__program_start(glnn_context *ctx, glnn__programs *programs, glnn__program *program)
{
    if (program->name)
        return GLNN_OK;
    glnn__busy_begin(ctx);
    const glnn_status status = start_program(ctx, programs, program);
    glnn__busy_end(ctx);
    return status ? undo_program(program, status) : GLNN_OK;
}

void glnn__programs_log(const glnn_context *ctx, uint64_t before)
{
    const uint64_t count = ctx->counters.programs_compiled - before;
    if (count > 0)
        glnn__log(GLNN_LOG_PROGRESS, "compiling %u program%s", (unsigned)count,
                  count == 1 ? "" : "s");
}

glnn_status glnn__program_finish(glnn_context *ctx, glnn__programs *programs,
                                 glnn__program *program)
{
    GLNN__TRY(glnn__program_start(ctx, programs, program));
    if (!program->text.content.text)
        return GLNN_OK;
    glnn__busy_begin(ctx);
    const glnn_status status = finish_program(ctx, programs, program);
    glnn__busy_end(ctx);
    return status ? undo_program(program, status) : GLNN_OK;
}
