#include "pass/variant.h"

#include "base/file.h"
#include "base/status.h"
#include "pass/embedded.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static glnn_status append_bytes(glnn__text *out, const char *bytes, size_t size)
{
    if (out->size + size + 1 > out->capacity) {
        size_t capacity = 2 * (out->size + size) + 4096;
        char *grown = realloc(out->text, capacity);
        if (!grown)
            return glnn__fail(GLNN_E_NOMEM, "no memory for a shader of %zu bytes", capacity);
        out->text = grown;
        out->capacity = capacity;
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    out->text[out->size] = 0;
    return GLNN_OK;
}

__attribute__((format(printf, 2, 3))) static glnn_status append(glnn__text *out, const char *format,
                                                                ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return append_bytes(out, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* The text of a shader file; the caller frees *owned. */
static glnn_status find_source(glnn_context *ctx, const char *name, const char **text, size_t *size,
                               unsigned char **owned)
{
    *owned = NULL;
    *text = NULL;
    if (ctx->desc.shader_dir) {
        char *path = glnn__path_join(ctx->desc.shader_dir, name);
        const glnn_status status = path
                                       ? glnn__file_read(path, owned, size)
                                       : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a path", name);
        free(path);
        *text = (const char *)*owned;
        return status;
    }
    for (size_t i = 0; i < glnn__embedded_file_count; ++i) {
        if (strcmp(glnn__embedded_files[i].name, name) == 0) {
            *text = (const char *)glnn__embedded_files[i].text;
            *size = glnn__embedded_files[i].size;
            return GLNN_OK;
        }
    }
    return glnn__fail(GLNN_E_SHADER, "shader file %s is not in the library", name);
}

/* Parts are told apart by their line numbers, because some compilers forget the number that #line
 * gives to a source string. */
#define LINES_OF_PART 10000

/* Starts a part: from here on the compiler counts lines of `name`. */
static glnn_status begin_part(glnn__text *out, const char *name)
{
    if (out->part_count == GLNN__MAX_PARTS)
        return glnn__fail(GLNN_E_SHADER, "%s: a shader has more than %d parts", name,
                          GLNN__MAX_PARTS);
    out->parts[out->part_count] = strdup(name);
    if (!out->parts[out->part_count])
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a shader's name", name);
    return append(out, "#line %d\n", ++out->part_count * LINES_OF_PART + 1);
}

/* A word of a shader file that a name replaces. */
typedef struct stand_in {
    const char *word, *name;
} stand_in;

/* Appends `size` bytes, with the word replaced if there is a name. */
static glnn_status append_template(glnn__text *out, const char *text, size_t size,
                                   const stand_in *named)
{
    const char *end = text + size;
    while (named && text < end) {
        const char *found = strstr(text, named->word);
        if (!found || found >= end)
            break;
        GLNN__TRY(append_bytes(out, text, (size_t)(found - text)));
        GLNN__TRY(append_bytes(out, named->name, strlen(named->name)));
        text = found + strlen(named->word);
    }
    GLNN__TRY(append_bytes(out, text, (size_t)(end - text)));
    return append(out, "\n");
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

/* A line "//! use maps" brings in include/maps.glsl, once, ahead of the file that has the line. */
static glnn_status append_used(glnn_context *ctx, const char *text, size_t size, glnn__text *out)
{
    static const char mark[] = "//! use ";
    const char *end = text + size;
    for (const char *line = text; line && line < end; line = strchr(line, '\n')) {
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
    size_t size;
    unsigned char *owned;
    GLNN__TRY(find_source(ctx, name, &text, &size, &owned));
    glnn_status status = append_used(ctx, text, size, out);
    if (!status)
        status = begin_part(out, name);
    if (!status)
        status = append_template(out, text, size, named);
    free(owned);
    return status;
}

static glnn_status append_block(const glnn__variant *variant, glnn__text *out)
{
    const glnn__layout_info *info = glnn__layout_get((glnn_layout)variant->output_layout);
    GLNN__TRY(append(out, "#define STACK %d\n", variant->stack));
    GLNN__TRY(append(out, "#define BLOCK_ROWS %d\n#define BLOCK_COLUMNS %d\n",
                     variant->stack * info->block_rows, info->block_columns));
    GLNN__TRY(append(out, "#define BLOCK_TEXELS %d\n#define TEXELS_ACROSS %d\n",
                     variant->stack * info->block_layers, info->block_columns / info->channels));
    GLNN__TRY(append(out, "#define TEXEL_COLUMNS %d\n#define TEXEL %s\n", info->channels,
                     info->channels == 1 ? "float" : "vec4"));
    return append(out, "#define ROUNDS %d\n", variant->output_storage == GLNN_STORAGE_FLOAT16);
}

static const glnn__enumerator layouts[] = {GLNN__ENUMERATOR(GLNN_LAYOUT_TILED),
                                           GLNN__ENUMERATOR(GLNN_LAYOUT_PACKED),
                                           GLNN__ENUMERATOR(GLNN_LAYOUT_UNPACKED),
                                           GLNN__ENUMERATOR(GLNN_LAYOUT_PAGED),
                                           {0}};

static const glnn__enumerator readings[] = {
    GLNN__ENUMERATOR(GLNN__READING_SAME),     GLNN__ENUMERATOR(GLNN__READING_TEXELS),
    GLNN__ENUMERATOR(GLNN__READING_SQUARES),  GLNN__ENUMERATOR(GLNN__READING_ROW),
    GLNN__ENUMERATOR(GLNN__READING_COLUMN),   GLNN__ENUMERATOR(GLNN__READING_LINE),
    GLNN__ENUMERATOR(GLNN__READING_ELEMENTS), {0}};

static const glnn__enumerator fetchings[] = {
    GLNN__ENUMERATOR(GLNN__FETCHING_TEXELS), GLNN__ENUMERATOR(GLNN__FETCHING_SAMPLES), {0}};

static glnn_status append_enumeration(const glnn__enumerator *list, glnn__text *out)
{
    static const char prefix[] = "GLNN__";
    for (; list->name; ++list) {
        const bool is_internal = strncmp(list->name, prefix, strlen(prefix)) == 0;
        GLNN__TRY(append(out, "#define %s %d\n", list->name + (is_internal ? strlen(prefix) : 0),
                         list->value));
    }
    return GLNN_OK;
}

static glnn_status append_stage(const glnn__variant *variant, glnn__text *out)
{
    if (variant->shares)
        GLNN__TRY(append(out, "#extension GL_KHR_shader_subgroup_quad : require\n"));
    GLNN__TRY(append_enumeration(layouts, out));
    GLNN__TRY(append_enumeration(readings, out));
    GLNN__TRY(append_enumeration(fetchings, out));
    GLNN__TRY(append(out, "#define FETCHING %d\n#define SHARES %d\n", variant->fetching,
                     variant->shares));
    GLNN__TRY(
        append(out, "#define BLENDS %d\n#define PICKS %d\n", variant->blends, variant->picks));
    GLNN__TRY(append(out, "#define EPILOGUE %d\n#define EPILOGUE_TAKES_SUM %d\n",
                     variant->epilogue != NULL, variant->epilogue && variant->epilogue->takes_sum));
    GLNN__TRY(append(out, "#define OUTPUT_SIZE %d\n#define REGION %d\n#define BLEND_FACTOR %d\n",
                     GLNN__LOCATION_OUTPUT_SIZE, GLNN__LOCATION_REGION,
                     GLNN__LOCATION_BLEND_FACTOR));
    return append(out, "#define GROUP %d\n#define SLICES %d\n#define FORMER_UNIT %d\n",
                  variant->group, variant->slices, GLNN__FORMER_UNIT);
}

static glnn_status append_image(glnn_context *ctx, const char *name, int unit, glnn_layout layout,
                                glnn_storage storage, glnn__text *out)
{
    const int channels = glnn__layout_get(layout)->channels;
    GLNN__TRY(append(out, "#define %s_UNIT %d\n#define %s_LAYOUT %d\n", name, unit, name, layout));
    GLNN__TRY(append(out, "#define %s_FORMAT %s%df\n", name, channels == 1 ? "r" : "rgba",
                     8 * (int)glnn__storage_bytes(storage)));
    return append_file(ctx, "include/image.glsl", &(stand_in){"IMAGE", name}, out);
}

static const char *side_output_name(const glnn__variant *variant, int place)
{
    if (variant->kernel->side_outputs[place] || !variant->epilogue)
        return variant->kernel->side_outputs[place];
    return variant->epilogue->side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - place];
}

/* The output, if it is an image, and side outputs. */
static glnn_status append_images(glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    if (variant->images)
        GLNN__TRY(append_image(ctx, "OUTPUT", 0, (glnn_layout)variant->output_layout,
                               (glnn_storage)variant->output_storage, out));
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const char *name = side_output_name(variant, i);
        if (!name)
            continue;
        GLNN__TRY(append(out, "#define HAS_%s %d\n", name, variant->side_outputs[i].is_present));
        if (variant->side_outputs[i].is_present)
            GLNN__TRY(append_image(ctx, name, 1 + i, (glnn_layout)variant->side_outputs[i].layout,
                                   (glnn_storage)variant->side_outputs[i].storage, out));
    }
    return GLNN_OK;
}

/* Enumerators, options and uniforms of a kernel or an epilogue. */
static glnn_status append_names(const glnn__kernel *kernel, const unsigned char *options,
                                int location, glnn__text *out)
{
    for (int i = 0; i < GLNN__MAX_ENUMERATIONS && kernel->enumerations[i]; ++i)
        GLNN__TRY(append_enumeration(kernel->enumerations[i], out));
    for (int i = 0; i < GLNN__MAX_OPTIONS && kernel->options[i]; ++i)
        GLNN__TRY(append(out, "#define %s %d\n", kernel->options[i], options[i]));
    for (int i = 0; i < GLNN__MAX_UNIFORMS && kernel->uniforms[i]; ++i)
        GLNN__TRY(
            append(out, "layout(location = %d) uniform %s;\n", location + i, kernel->uniforms[i]));
    return GLNN_OK;
}

static glnn_status append_choices(const glnn__variant *variant, glnn__text *out)
{
    GLNN__TRY(append_names(variant->kernel, variant->options, GLNN__LOCATION_UNIFORMS, out));
    if (variant->epilogue)
        GLNN__TRY(append_names(variant->epilogue, variant->epilogue_options,
                               GLNN__LOCATION_EPILOGUE, out));
    for (int i = 0; i < GLNN__MAX_OPERANDS && variant->kernel->operands[i]; ++i) {
        const char *name = variant->kernel->operands[i];
        const int location = GLNN__LOCATION_OPERANDS + 4 * i;
        GLNN__TRY(append(out, "#define HAS_%s %d\n", name, variant->operands[i].is_present));
        if (!variant->operands[i].is_present)
            continue;
        GLNN__TRY(append(out, "#define %s_UNIT %d\n#define %s_MAP %d\n#define %s_SIZE %d\n", name,
                         i, name, location, name, location + 2));
        GLNN__TRY(append(out, "#define %s_HALF_TEXEL %d\n", name, location + 3));
        GLNN__TRY(append(out, "#define %s_LAYOUT %d\n#define %s_READING %d\n", name,
                         variant->operands[i].layout, name, variant->operands[i].reading));
        GLNN__TRY(append(out, "#define %s_LAYERED %d\n", name, variant->operands[i].layered));
        if (variant->operands[i].layered)
            GLNN__TRY(append(out, "#define %s_LAYER_UNIT %d\n", name, GLNN__LAYER_UNIT(i)));
    }
    return GLNN_OK;
}

static glnn_status append_expression(const char *expression, glnn__text *out)
{
    if (!expression)
        return GLNN_OK;
    /* Everything stays on one line, so that each message names line 1 of the expression. */
    GLNN__TRY(begin_part(out, "expression"));
    GLNN__TRY(append(out, "float expression(float x, int row, int column) { return ("));
    GLNN__TRY(append_bytes(out, expression, strlen(expression)));
    return append(out, "\n); }\n");
}

static glnn_status append_body(glnn_context *ctx, const glnn__kernel *kernel, glnn__text *out)
{
    char file[96];
    snprintf(file, sizeof file, "kernels/%s.glsl", kernel->name);
    return append_file(ctx, file, NULL, out);
}

/* A variant's shader without its main. */
static glnn_status append_kernel(glnn_context *ctx, const glnn__variant *variant,
                                 const char *expression, glnn__text *out)
{
    const glnn__kernel *kernel = variant->kernel;
    GLNN__TRY(append(out, "#version 430 core\n"));
    GLNN__TRY(append_block(variant, out));
    GLNN__TRY(append_stage(variant, out));
    GLNN__TRY(append_choices(variant, out));
    GLNN__TRY(append_file(ctx, "include/prelude.glsl", NULL, out));
    for (int i = 0; i < GLNN__MAX_OPERANDS && kernel->operands[i]; ++i)
        if (variant->operands[i].is_present)
            GLNN__TRY(append_file(ctx, "include/operand.glsl",
                                  &(stand_in){"OPERAND", kernel->operands[i]}, out));
    GLNN__TRY(append_images(ctx, variant, out));
    GLNN__TRY(append_expression(expression, out));
    if (variant->epilogue)
        GLNN__TRY(append_body(ctx, variant->epilogue, out));
    return append_body(ctx, kernel, out);
}

static const char *stage_file(const glnn__variant *variant)
{
    if (variant->stage == GLNN_STAGE_COMPUTE)
        return variant->slices > 0 ? "stage/compute_slices.glsl" : "stage/compute.glsl";
    return variant->images ? "stage/fragment_images.glsl" : "stage/fragment.glsl";
}

glnn_status glnn__variant_assemble(glnn_context *ctx, const glnn__variant *variant,
                                   const char *expression, glnn__text *out)
{
    GLNN__TRY(append_kernel(ctx, variant, expression, out));
    if (variant->kernel->has_main)
        return GLNN_OK;
    return append_file(ctx, stage_file(variant), NULL, out);
}

glnn_status glnn__picks_assemble(glnn_context *ctx, const glnn__variant *variant, glnn__text *out)
{
    GLNN__TRY(append_kernel(ctx, variant, NULL, out));
    return append_file(ctx, "stage/picks.vert", NULL, out);
}

glnn_status glnn__cover_assemble(glnn_context *ctx, glnn__text *out)
{
    GLNN__TRY(append(out, "#version 430 core\n"));
    return append_file(ctx, "stage/cover.vert", NULL, out);
}

void glnn__text_free(glnn__text *text)
{
    for (int i = 0; i < text->part_count; ++i)
        free(text->parts[i]);
    free(text->text);
    *text = (glnn__text){0};
}

/* Reads "string:line" or "string(line)", the start of a driver's message, and finds the part
 * and its line in it. */
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
        if (rest && rest <= log + length && part >= 0 && part < text->part_count)
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
