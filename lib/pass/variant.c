#include "pass/variant.h"

#include "base/file.h"
#include "base/status.h"
#include "base/string.h"
#include "pass/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the text of a shader file, which ends with a zero byte. The caller frees *owned. */
static glnn_status find_source(glnn_context *ctx, const char *name, const char **text,
                               unsigned char **owned)
{
    size_t size;
    *owned = NULL;
    if (ctx->desc.shader_dir) {
        char *path = glnn__path_join(ctx->desc.shader_dir, name);
        const glnn_status status = path
                                       ? glnn__file_read(path, owned, &size)
                                       : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a path", name);
        free(path);
        *text = (const char *)*owned;
        return status;
    }
    *text = glnn__embedded_text(name);
    return *text ? GLNN_OK
                 : glnn__fail(GLNN_E_SHADER, "shader file %s is not in the library", name);
}

/* Each part has line numbers of its own, because some compilers forget the number that #line gives
 * to a source string. */
#define LINES_OF_PART 10000

/* Starts a part: from here on the compiler counts lines of `name`. */
static glnn_status begin_part(glnn__text *out, const char *name)
{
    if (out->part_count == GLNN__MAX_PARTS)
        return glnn__fail(GLNN_E_SHADER, "%s: a shader has more than %d parts", name,
                          GLNN__MAX_PARTS);
    out->parts[out->part_count] = glnn__string_copy(name);
    if (!out->parts[out->part_count])
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a shader's name", name);
    glnn__text_print(&out->content, "#line %d\n", ++out->part_count * LINES_OF_PART + 1);
    return GLNN_OK;
}

/* A word of a shader file, and the name that replaces it. */
typedef struct stand_in {
    const char *word, *name;
} stand_in;

/* Appends a text, with the word replaced unless `named` is NULL. */
static void append_template(glnn__text *out, const char *text, const stand_in *named)
{
    for (const char *found; named && (found = strstr(text, named->word));) {
        glnn__text_print(&out->content, "%.*s%s", (int)(found - text), text, named->name);
        text = found + strlen(named->word);
    }
    glnn__text_print(&out->content, "%s\n", text);
}

static glnn_status append_file(glnn_context *ctx, const char *name, const stand_in *named,
                               glnn__text *out);

static bool has_part(const glnn__text *text, const char *name)
{
    for (int i = 0; i < text->part_count; ++i)
        if (strcmp(text->parts[i], name) == 0)
            return true;
    return false;
}

/* A line "//! use maps" adds include/maps.glsl before the file with this line, but only once. */
static glnn_status append_used(glnn_context *ctx, const char *text, glnn__text *out)
{
    static const char mark[] = "//! use ";
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        char word[64], name[96];
        if (strncmp(line, mark, strlen(mark)) != 0 ||
            sscanf(line + strlen(mark), "%63[a-z_]", word) != 1)
            continue;
        snprintf(name, sizeof name, "include/%s.glsl", word);
        if (!has_part(out, name))
            GLNN__TRY(append_file(ctx, name, NULL, out));
    }
    return GLNN_OK;
}

static glnn_status append_file(glnn_context *ctx, const char *name, const stand_in *named,
                               glnn__text *out)
{
    const char *text;
    unsigned char *owned;
    GLNN__TRY(find_source(ctx, name, &text, &owned));
    glnn_status status = append_used(ctx, text, out);
    if (!status)
        status = begin_part(out, name);
    if (!status)
        append_template(out, text, named);
    free(owned);
    return status;
}

static void append_block(const glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    const glnn__layout_info *info = glnn__layout_in(ctx, (glnn_layout)variant->output_layout);
    glnn__text_print(&out->content,
                     "#define STACK %d\n#define BLOCK_ROWS %d\n#define BLOCK_COLUMNS %d\n",
                     variant->stack, variant->stack * info->block_rows, info->block_columns);
    glnn__text_print(&out->content, "#define WRAP %d\n#define TILE_LAYERS %d\n",
                     variant->output_wrap, glnn__layout_in(ctx, GLNN_LAYOUT_TILED)->block_layers);
    glnn__text_print(&out->content, "#define BLOCK_TEXELS %d\n#define TEXELS_ACROSS %d\n",
                     variant->stack * info->block_layers, info->block_columns / info->channels);
    glnn__text_print(
        &out->content, "#define TEXEL_COLUMNS %d\n#define TEXEL %s\n#define STORAGE %d\n",
        info->channels, info->channels == 1 ? "float" : "vec4", variant->output_storage);
}

/* Enumerators that all shaders know. */
static const glnn__enumerator shared_enumerators[] = {
    GLNN__ENUMERATOR(GLNN_LAYOUT_TILED),      GLNN__ENUMERATOR(GLNN_LAYOUT_PACKED),
    GLNN__ENUMERATOR(GLNN_LAYOUT_UNPACKED),   GLNN__ENUMERATOR(GLNN_LAYOUT_PAGED),
    GLNN__ENUMERATOR(GLNN_STORAGE_FLOAT16),   GLNN__ENUMERATOR(GLNN_STORAGE_UNORM8),
    GLNN__ENUMERATOR(GLNN__READING_SAME),     GLNN__ENUMERATOR(GLNN__READING_TEXELS),
    GLNN__ENUMERATOR(GLNN__READING_SQUARES),  GLNN__ENUMERATOR(GLNN__READING_ROW),
    GLNN__ENUMERATOR(GLNN__READING_COLUMN),   GLNN__ENUMERATOR(GLNN__READING_LINE),
    GLNN__ENUMERATOR(GLNN__READING_ELEMENTS), GLNN__ENUMERATOR(GLNN__FETCHING_TEXELS),
    GLNN__ENUMERATOR(GLNN__FETCHING_SAMPLES), {0}};

static void append_enumeration(const glnn__enumerator *list, glnn__text *out)
{
    static const char prefix[] = "GLNN__";
    for (; list->name; ++list) {
        const bool is_internal = strncmp(list->name, prefix, strlen(prefix)) == 0;
        glnn__text_print(&out->content, "#define %s %d\n",
                         list->name + (is_internal ? strlen(prefix) : 0), list->value);
    }
}

static int location_of(int binding)
{
    return GLNN__LOCATION_BINDINGS + binding;
}

static void append_stage(const glnn__variant *variant, glnn__text *out)
{
    if (variant->shares)
        glnn__text_print(&out->content, "#extension GL_KHR_shader_subgroup_quad : require\n");
    append_enumeration(shared_enumerators, out);
    glnn__text_print(&out->content, "#define FETCHING %d\n#define SHARES %d\n", variant->fetching,
                     variant->shares);
    glnn__text_print(&out->content, "#define BLENDS %d\n#define PICKS %d\n", variant->blends,
                     variant->picks);
    glnn__text_print(&out->content, "#define EPILOGUE %d\n#define EPILOGUE_TAKES_SUM %d\n",
                     variant->epilogue != NULL, variant->takes_sum);
    glnn__text_print(&out->content, "#define EPILOGUE_BLENDS %d\n", variant->epilogue_blends);
    glnn__text_print(
        &out->content, "#define OUTPUT_SIZE %d\n#define REGION %d\n#define BLEND_FACTOR %d\n",
        GLNN__LOCATION_OUTPUT_SIZE, GLNN__LOCATION_REGION, GLNN__LOCATION_BLEND_FACTOR);
    glnn__text_print(&out->content, "#define TEXELS %d\n", GLNN__LOCATION_TEXELS);
    glnn__text_print(&out->content, "#define GROUP %d\n#define SLICES %d\n#define HAS_MAIN %d\n",
                     variant->group, variant->slices, variant->kernel->has_main);
    glnn__text_print(&out->content, "#define FORMER_UNIT %d\n", location_of(GLNN__BINDING_FORMER));
    glnn__text_print(&out->content, "#define COUNTS_POINTS %d\n",
                     variant->counted && variant->rows);
}

/* A matrix that the shader writes and that is not declared with the targets. */
typedef struct written_matrix {
    const char *name, *file;
    int binding; /* by which the shader reads it                             */
    int image;   /* by which it stores, if it cannot load; -1: it does not store */
    glnn_layout layout;
    glnn_storage storage;
    int wrap;
} written_matrix;

static glnn_status append_written(glnn_context *ctx, const written_matrix *of, glnn__text *out)
{
    const stand_in name = {"WRITTEN", of->name};
    glnn__text_print(&out->content, "#define %s_UNIT %d\n#define %s_LAYOUT %d\n", of->name,
                     location_of(of->binding), of->name, of->layout);
    glnn__text_print(&out->content, "#define %s_WRAP %d\n", of->name, of->wrap);
    if (!ctx->has_images)
        glnn__text_print(&out->content, "#define %s_IMAGE %d\n#define %s_IMAGE_UNIT %d\n", of->name,
                         of->image, of->name, location_of(GLNN__BINDING_IMAGES + of->image));
    glnn__text_print(&out->content, "#define %s_FORMAT %s%d%s\n", of->name,
                     glnn__layout_channels(of->layout) == 1 ? "r" : "rgba",
                     8 * (int)glnn__storage_bytes(of->storage),
                     of->storage == GLNN_STORAGE_UNORM8 ? "" : "f");
    GLNN__TRY(append_file(ctx, "include/place.glsl", &name, out));
    return append_file(ctx, of->file, &name, out);
}

static const char *side_output_name(const glnn__variant *variant, int place)
{
    if (variant->kernel->side_outputs[place] || !variant->epilogue)
        return variant->kernel->side_outputs[place];
    return variant->epilogue->side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - place];
}

static const char *written_file(const glnn_context *ctx, const glnn__variant *variant)
{
    if (variant->rows)
        return "include/row_target.glsl";
    if (variant->images && !ctx->has_images)
        return "include/stored_image.glsl";
    return variant->targets ? "include/side_target.glsl" : "include/image.glsl";
}

/* The output, if it is an image, and side outputs. */
static glnn_status append_outputs(glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    const char *file = written_file(ctx, variant);
    const int first = variant->targets ? GLNN__BINDING_SIDE(0) : GLNN__BINDING_IMAGES + 1;
    if (variant->images)
        GLNN__TRY(append_written(
            ctx,
            &(written_matrix){"OUTPUT", file,
                              ctx->has_images ? GLNN__BINDING_IMAGES : GLNN__BINDING_FORMER,
                              glnn__variant_image(variant, 0), (glnn_layout)variant->output_layout,
                              (glnn_storage)variant->output_storage, variant->output_wrap},
            out));
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const char *name = side_output_name(variant, i);
        if (!name)
            continue;
        glnn__text_print(&out->content, "#define HAS_%s %d\n", name,
                         variant->side_outputs[i].is_present);
        if (variant->side_outputs[i].is_present)
            GLNN__TRY(append_written(
                ctx,
                &(written_matrix){name, file, first + i, glnn__variant_image(variant, 1 + i),
                                  (glnn_layout)variant->side_outputs[i].layout,
                                  (glnn_storage)variant->side_outputs[i].storage,
                                  variant->side_outputs[i].wrap},
                out));
    }
    return GLNN_OK;
}

/* The name of the matrix that bit `place` of glnn__part::targets stands for. */
static const char *target_name(const glnn__variant *variant, int place)
{
    return place == 0 ? "OUTPUT" : side_output_name(variant, place - 1);
}

/* A piece of text for each target: its declaration, or an assignment to it. */
typedef enum target_text { DECLARE, WRITE, CLEAR } target_text;

static void append_target(target_text text, int number, const char *name, int t, glnn__text *out)
{
    if (text == DECLARE)
        glnn__text_print(&out->content, " layout(location = %d) out TEXEL target_%d;", number,
                         number);
    else if (text == WRITE)
        glnn__text_print(&out->content, " target_%d = %s_texels[%d];", number, name, t);
    else
        glnn__text_print(&out->content, " target_%d = TEXEL(0.0);", number);
}

/* The targets have a name each, because OpenGL ES does not allow a variable as their index. */
static void append_targets(const glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    static const char *const macros[] = {
        [DECLARE] = "DECLARE_TARGETS", [WRITE] = "WRITE_TARGETS", [CLEAR] = "CLEAR_TARGETS"};
    const int layers = glnn__layout_in(ctx, (glnn_layout)variant->output_layout)->block_layers;
    const unsigned targets = variant->targets ? variant->targets : 1;
    for (int text = DECLARE; text <= CLEAR; ++text) {
        int number = 0;
        glnn__text_print(&out->content, "#define %s", macros[text]);
        for (int place = 0; targets >> place; ++place)
            for (int t = 0; (targets >> place & 1) && t < layers; ++t)
                append_target((target_text)text, number++, target_name(variant, place), t, out);
        glnn__text_print(&out->content, "\n");
    }
}

static void append_constants(const glnn__variant *variant, glnn__text *out)
{
    const char *const *names = variant->kernel->constants;
    for (int i = 0; i < GLNN__MAX_CONSTANTS && names[i]; ++i)
        glnn__text_print(&out->content, "#define %s (%d)\n", names[i],
                         variant->constants ? variant->constants[i] : 0);
}

/* Enumerators and options of a kernel or an epilogue. */
static void append_names(const glnn__kernel *kernel, const unsigned char *options, glnn__text *out)
{
    for (int i = 0; i < GLNN__MAX_ENUMERATIONS && kernel->enumerations[i]; ++i)
        append_enumeration(kernel->enumerations[i], out);
    for (int i = 0; i < GLNN__MAX_OPTIONS && kernel->options[i]; ++i)
        glnn__text_print(&out->content, "#define %s %d\n", kernel->options[i], options[i]);
}

static void append_operand(const glnn__variant *variant, int i, glnn__text *out)
{
    const char *name = variant->kernel->operands[i];
    const int location = GLNN__LOCATION_OPERANDS + 4 * i;
    glnn__text_print(&out->content, "#define HAS_%s %d\n", name, variant->operands[i].is_present);
    if (!variant->operands[i].is_present)
        return;
    glnn__text_print(&out->content, "#define %s_UNIT %d\n#define %s_MAP %d\n", name, location_of(i),
                     name, location);
    glnn__text_print(&out->content, "#define %s_SIZE %d\n#define %s_HALF_TEXEL %d\n", name,
                     location + 2, name, location + 3);
    glnn__text_print(&out->content, "#define %s_LAYOUT %d\n#define %s_READING %d\n", name,
                     variant->operands[i].layout, name, variant->operands[i].reading);
    glnn__text_print(&out->content, "#define %s_LAYERED %d\n#define %s_WRAP %d\n", name,
                     variant->operands[i].layered, name, variant->operands[i].wrap);
    glnn__text_print(&out->content, "#define %s_IS_ARRAY %d\n#define %s_IS_PLACED %d\n", name,
                     variant->operands[i].is_array, name, variant->operands[i].is_placed);
    glnn__text_print(&out->content, "#define %s_CHANNELS %d\n#define %s_IS_COUNTED %d\n", name,
                     variant->operands[i].channels, name, variant->counted == 1 + i);
    if (variant->operands[i].filter != GLNN__FILTER_NONE)
        glnn__text_print(&out->content, "#define %s_FILTER_IS_SAMPLER %d\n", name,
                         variant->operands[i].filter == GLNN__FILTER_SAMPLER);
    if (variant->operands[i].layered)
        glnn__text_print(&out->content, "#define %s_LAYER_UNIT %d\n", name,
                         location_of(GLNN__BINDING_LAYERS(i)));
}

static void append_choices(const glnn__variant *variant, glnn__text *out)
{
    append_names(variant->kernel, variant->options, out);
    append_constants(variant, out);
    if (variant->epilogue)
        append_names(variant->epilogue, variant->epilogue_options, out);
    for (int i = 0; i < GLNN__MAX_OPERANDS && variant->kernel->operands[i]; ++i)
        append_operand(variant, i, out);
}

static glnn_status append_expression(const glnn__kernel *kernel, const char *expression,
                                     glnn__text *out)
{
    if (!expression)
        return GLNN_OK;
    /* The expression begins with the first line, so that messages name its own lines. */
    GLNN__TRY(begin_part(out, "expression"));
    glnn__text_print(&out->content, "%s { return (%s\n); }\n", kernel->expression, expression);
    return GLNN_OK;
}

/* A text that a program gave, and the block that calls it. */
static glnn_status append_text(glnn_context *ctx, const glnn__kernel *kernel, glnn__text *out)
{
    glnn__text_print(&out->content,
                     "#define output_rows output_size.x\n#define output_columns output_size.y\n");
    GLNN__TRY(begin_part(out, kernel->name));
    append_template(out, kernel->text, NULL);
    out->end_of = out->part_count;
    return append_file(ctx, "include/element.glsl", NULL, out);
}

/* The uniforms come after those of the operands, because unpacked products are slower on llvmpipe
 * otherwise. */
static glnn_status append_body(glnn_context *ctx, const glnn__kernel *kernel, int location,
                               glnn__text *out)
{
    char file[96];
    if (kernel->uniforms[0]) {
        snprintf(file, sizeof file, "uniforms of %s", kernel->name);
        GLNN__TRY(begin_part(out, file));
    }
    for (int i = 0; i < GLNN__MAX_UNIFORMS && kernel->uniforms[i]; ++i)
        glnn__text_print(&out->content, "UNIFORM_AT(%d) %s;\n", location + i, kernel->uniforms[i]);
    if (kernel->text)
        return append_text(ctx, kernel, out);
    snprintf(file, sizeof file, "kernels/%s.glsl", kernel->name);
    return append_file(ctx, file, NULL, out);
}

/* The shader of a variant without its main. */
static glnn_status append_kernel(glnn_context *ctx, const glnn__variant *variant,
                                 const char *expression, glnn__text *out)
{
    const glnn__kernel *kernel = variant->kernel;
    append_block(ctx, variant, out);
    append_stage(variant, out);
    append_choices(variant, out);
    GLNN__TRY(append_file(ctx, "include/prelude.glsl", NULL, out));
    for (int i = 0; i < GLNN__MAX_OPERANDS && kernel->operands[i]; ++i) {
        const stand_in name = {"OPERAND", kernel->operands[i]};
        if (!variant->operands[i].is_present)
            continue;
        GLNN__TRY(append_file(ctx, "include/operand.glsl", &name, out));
        if (kernel->text)
            GLNN__TRY(append_file(ctx, "include/rectangle.glsl", &name, out));
        if (variant->operands[i].filter != GLNN__FILTER_NONE)
            GLNN__TRY(append_file(ctx, "include/filter.glsl", &name, out));
    }
    if (variant->stage == GLNN_STAGE_FRAGMENT && !variant->images && !variant->rows)
        append_targets(ctx, variant, out);
    GLNN__TRY(append_outputs(ctx, variant, out));
    GLNN__TRY(append_expression(kernel, expression, out));
    if (variant->epilogue)
        GLNN__TRY(append_body(ctx, variant->epilogue, GLNN__LOCATION_EPILOGUE, out));
    return append_body(ctx, kernel, GLNN__LOCATION_UNIFORMS, out);
}

/* ---- The numbers of uniforms by their names, where shaders cannot choose locations */

/* A name, and the number of the uniform that has it. */
typedef struct numbered {
    const char *name;
    int number;
} numbered;

/* The number that goes with the name in a list; -1: the list lacks it. */
static int find_in(const numbered *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(list[i].name, name) == 0)
            return list[i].number;
    return -1;
}

/* The rest of a name after that of a matrix and an underscore; NULL: it begins otherwise. */
static const char *after_matrix(const char *name, const char *matrix)
{
    const size_t length = matrix ? strlen(matrix) : 0;
    return matrix && strncmp(name, matrix, length) == 0 && name[length] == '_' ? name + length + 1
                                                                               : NULL;
}

static int find_of_operand(int i, const char *word)
{
    const int first = GLNN__LOCATION_OPERANDS + 4 * i;
    const numbered list[] = {{"texture", location_of(i)},
                             {"map", first},
                             {"size", first + 2},
                             {"half_texel", first + 3},
                             {"level", first + 3}};
    return find_in(list, sizeof list / sizeof *list, word);
}

static int find_of_matrices(const glnn__variant *variant, const char *name)
{
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const char *word = after_matrix(name, variant->kernel->operands[i]);
        const int number = word ? find_of_operand(i, word) : -1;
        if (number >= 0)
            return number;
    }
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const char *word = after_matrix(name, side_output_name(variant, i));
        if (word && strcmp(word, "texture") == 0)
            return location_of(GLNN__BINDING_SIDE(i));
    }
    return -1;
}

/* The declaration of a uniform ends with its name. */
static int find_of_kernel(const glnn__kernel *kernel, int first, const char *name)
{
    for (int i = 0; kernel && i < GLNN__MAX_UNIFORMS && kernel->uniforms[i]; ++i)
        if (strcmp(strrchr(kernel->uniforms[i], ' ') + 1, name) == 0)
            return first + i;
    return -1;
}

int glnn__variant_uniform(const glnn__variant *variant, const char *name)
{
    static const numbered all[] = {
        {"output_size", GLNN__LOCATION_OUTPUT_SIZE},
        {"region", GLNN__LOCATION_REGION},
        {"counted", GLNN__LOCATION_REGION},
        {"blend_factor", GLNN__LOCATION_BLEND_FACTOR},
        {"texels", GLNN__LOCATION_TEXELS},
        {"former_texture", GLNN__LOCATION_BINDINGS + GLNN__BINDING_FORMER},
    };
    int number = find_in(all, sizeof all / sizeof *all, name);
    if (number < 0)
        number = find_of_kernel(variant->kernel, GLNN__LOCATION_UNIFORMS, name);
    if (number < 0)
        number = find_of_kernel(variant->epilogue, GLNN__LOCATION_EPILOGUE, name);
    return number < 0 ? find_of_matrices(variant, name) : number;
}

static const char *stage_file(const glnn__variant *variant)
{
    if (variant->stage == GLNN_STAGE_COMPUTE)
        return variant->slices > 0 ? "stage/compute_slices.glsl" : "stage/compute.glsl";
    if (variant->counted)
        return "stage/fetches.glsl";
    if (variant->rows)
        return "stage/rows.vert";
    return variant->images ? "stage/fragment_images.glsl" : "stage/fragment.glsl";
}

/* Assembles a shader. `variant` NULL: only the last file. `last` NULL: the kernel has the main. */
static glnn_status assemble(glnn_context *ctx, const glnn__variant *variant, const char *expression,
                            const char *last, glnn__text *out)
{
    glnn_status status = GLNN_OK;
    glnn__text_print(&out->content, "%s", glnn__gl_shader_head(ctx));
    if (variant)
        status = append_kernel(ctx, variant, expression, out);
    if (!status && last)
        status = append_file(ctx, last, NULL, out);
    if (out->content.is_cut && !status)
        status =
            glnn__fail(GLNN_E_NOMEM, "no memory for a shader of over %zu bytes", out->content.size);
    return status;
}

glnn_status glnn__variant_assemble(glnn_context *ctx, const glnn__variant *variant,
                                   const char *expression, glnn__text *out)
{
    return assemble(ctx, variant, expression,
                    variant->kernel->has_main ? NULL : stage_file(variant), out);
}

glnn_status glnn__partner_assemble(glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    return variant->picks ? assemble(ctx, variant, NULL, "stage/picks.vert", out)
                          : assemble(ctx, NULL, NULL,
                                     glnn__variant_draws_points(variant) ? "stage/rows.glsl"
                                                                         : "stage/cover.vert",
                                     out);
}

void glnn__text_free(glnn__text *text)
{
    for (int i = 0; i < text->part_count; ++i)
        free(text->parts[i]);
    free(text->content.text);
    *text = (glnn__text){0};
}

/* Reads "string:line" or "string(line)" at the start of a driver's message, and finds the part and
 * the line in that part. */
static const char *read_place(const char *message, int *part, int *line)
{
    static const char *const forms[] = {"%*d:%d(%*d): %n", "%*d(%d) : %n", "%*d:%d: %n"};
    if (strncmp(message, "ERROR: ", 7) == 0)
        message += 7;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        int length = 0, number;
        if (sscanf(message, forms[i], &number, &length) != 1 || length == 0)
            continue;
        *part = number / LINES_OF_PART - 1;
        *line = number % LINES_OF_PART;
        return message + length;
    }
    return NULL;
}

void glnn__text_explain(const glnn__text *text, const char *log, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    while (*log && used + 1 < size) {
        size_t length = strcspn(log, "\n");
        int part, line;
        const char *rest = read_place(log, &part, &line);
        int written;
        if (rest && rest <= log + length && text->end_of > 0 && part >= text->end_of)
            written = snprintf(out + used, size - used, "the end of %s: %.*s\n",
                               text->parts[text->end_of - 1], (int)(log + length - rest), rest);
        else if (rest && rest <= log + length && part >= 0 && part < text->part_count)
            written = snprintf(out + used, size - used, "%s:%d: %.*s\n", text->parts[part], line,
                               (int)(log + length - rest), rest);
        else
            written = snprintf(out + used, size - used, "%.*s\n", (int)length, log);
        used += written > 0 ? (size_t)written : 0;
        log += length + (log[length] == '\n');
    }
    if (used > 0 && used < size)
        out[used - 1] = 0;
}
