#include "pass/dump/dump.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "pass/dump/cut.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last line of a file's head tells variants apart whose names are the same. */
static const char mark[] = "// variant ";

/* ---- The name and the head of a file */

/* Descriptors are at other addresses in another process, so their names count. */
static uint32_t number_of(const glnn__variant *v, const char *expression)
{
    const size_t first = offsetof(glnn__variant, fetching);
    const size_t last = offsetof(glnn__variant, expression);
    uint32_t number = glnn__hash((const char *)v + first, last - first);
    const char *const texts[] = {v->kernel->name, v->epilogue ? v->epilogue->name : "",
                                 expression ? expression : ""};
    for (int i = 0; i < 3; ++i)
        number = 31 * number + glnn__hash(texts[i], strlen(texts[i]));
    if (v->constants)
        number = 31 * number + glnn__hash(v->constants, GLNN__MAX_CONSTANTS * sizeof *v->constants);
    return number;
}

static const char *layout_name(unsigned layout)
{
    return glnn_layout_name((glnn_layout)layout);
}

static const char *bits_of(const glnn__variant *v)
{
    return v->output_storage == GLNN_STORAGE_FLOAT16 ? "16" : "";
}

static void write_kernels(const glnn__variant *v, char slash, FILE *to)
{
    const glnn__kernel *const kernels[] = {v->kernel, v->epilogue};
    for (int i = 0; i < 2 && kernels[i]; ++i) {
        if (i > 0)
            fputc('+', to);
        for (const char *c = kernels[i]->name; *c; ++c)
            fputc(*c == '/' ? slash : *c, to);
    }
}

/* "folder/ops-gemm.tiled-tiled-tiled.fragment": the layouts of the operands, then of the output. */
static void write_stem(const char *folder, const glnn__variant *v, FILE *to)
{
    const bool is_fragment = v->stage == GLNN_STAGE_FRAGMENT;
    fprintf(to, "%s/", folder);
    write_kernels(v, '-', to);
    fputc('.', to);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (v->operands[i].is_present)
            fprintf(to, "%s-", layout_name(v->operands[i].layout));
    fprintf(to, "%s%s%s.%s", layout_name(v->output_layout), bits_of(v),
            is_fragment && v->images ? ".images" : "", glnn_stage_name((glnn_stage)v->stage));
}

static void write_options(const glnn__kernel *kernel, const unsigned char *options, FILE *to)
{
    for (int i = 0; i < GLNN__MAX_OPTIONS && kernel->options[i]; ++i)
        if (options[i] > 0)
            fprintf(to, ", %s %d", kernel->options[i], options[i]);
}

/* "// ops/gemm: A tiled, B tiled -> tiled, fragment stage, TRANSPOSE_A 1" */
static void write_head(const glnn__variant *v, uint32_t number, FILE *to)
{
    const char *separator = ":";
    fputs("// ", to);
    write_kernels(v, '/', to);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        if (!v->operands[i].is_present)
            continue;
        fprintf(to, "%s %s %s", separator, v->kernel->operands[i],
                layout_name(v->operands[i].layout));
        separator = ",";
    }
    fprintf(to, " -> %s%s, %s stage", layout_name(v->output_layout), bits_of(v),
            glnn_stage_name((glnn_stage)v->stage));
    write_options(v->kernel, v->options, to);
    if (v->epilogue)
        write_options(v->epilogue, v->epilogue_options, to);
    for (int i = 0; v->constants && i < GLNN__MAX_CONSTANTS && v->kernel->constants[i]; ++i)
        fprintf(to, ", %s %d", v->kernel->constants[i], v->constants[i]);
    fprintf(to, "\n%s%08x\n", mark, number);
}

/* ---- The file */

/* A text that cannot be cut is written as it is. */
static char *make_content(const glnn__variant *v, uint32_t number, const glnn__text *text,
                          bool cuts, size_t *size)
{
    char *content = NULL;
    FILE *to = open_memstream(&content, size);
    if (!to)
        return NULL;
    write_head(v, number, to);
    const bool is_cut = cuts && glnn__text_cut(text, to);
    if (!cuts)
        fwrite(text->text, 1, text->size, to);
    if (fclose(to) == 0 && (is_cut || !cuts))
        return content;
    free(content);
    return cuts ? make_content(v, number, text, false, size) : NULL;
}

static char *make_path(const char *folder, const glnn__variant *v, const char *end)
{
    char *path = NULL;
    size_t size;
    FILE *to = open_memstream(&path, &size);
    if (!to)
        return NULL;
    write_stem(folder, v, to);
    fputs(end, to);
    if (fclose(to) == 0)
        return path;
    free(path);
    return NULL;
}

/* Whether a file is of this variant, whose shader may have been edited since. */
static bool is_of_variant(const char *path, uint32_t number)
{
    char line[1024];
    unsigned found = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file) && strncmp(line, "//", 2) == 0)
        if (strncmp(line, mark, strlen(mark)) == 0)
            sscanf(line + strlen(mark), "%x", &found);
    fclose(file);
    return found == number;
}

static bool write_file(const char *path, const char *content, size_t size)
{
    FILE *file = fopen(path, "w");
    const bool is_whole = file && fwrite(content, 1, size, file) == size;
    return (!file || fclose(file) == 0) && is_whole;
}

/* Puts a whole file in its place. Several processes may do so at the same time: the first one gets
 * the short name. */
static bool place(const char *temporary, const char *short_path, const char *long_path,
                  uint32_t number)
{
    if (link(temporary, short_path) == 0)
        return remove(temporary) == 0;
    if (errno != EEXIST)
        return false;
    return rename(temporary, is_of_variant(short_path, number) ? short_path : long_path) == 0;
}

void glnn__shader_dump(const char *folder, const glnn__variant *variant, const char *expression,
                       const glnn__text *text)
{
    const uint32_t number = number_of(variant, expression);
    char ends[2][48];
    size_t size;
    snprintf(ends[0], sizeof ends[0], ".%08x.%ld", number, (long)getpid());
    snprintf(ends[1], sizeof ends[1], ".%08x.glsl", number);
    char *content = make_content(variant, number, text, true, &size);
    char *temporary = make_path(folder, variant, ends[0]);
    char *long_path = make_path(folder, variant, ends[1]);
    char *short_path = make_path(folder, variant, ".glsl");
    const bool has_all = content && temporary && long_path && short_path;
    glnn__folder_make(folder);
    if (!has_all || !write_file(temporary, content, size) ||
        !place(temporary, short_path, long_path, number))
        glnn__log(GLNN_LOG_WARNING, "%s: the shader's text cannot be written to %s",
                  variant->kernel->name, folder);
    free(content);
    free(temporary);
    free(long_path);
    free(short_path);
}
