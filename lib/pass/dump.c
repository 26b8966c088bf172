#include "pass/dump.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/process.h"
#include "io/growing_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last line of a file's head tells variants apart whose names are the same. The number of the
 * text says whether the shader was edited since. */
static const char mark[] = "// variant ";

typedef struct numbers {
    uint32_t variant, text;
} numbers;

/* ---- The name and the head of a file */

/* Descriptors are at other addresses in another process, so their names count. */
static uint32_t number_of(const glnn__variant *v, const char *expression)
{
    const size_t first = offsetof(glnn__variant, fetching);
    const size_t last = offsetof(glnn__variant, expression);
    uint32_t number = glnn__hash((const char *)v + first, last - first);
    const char *const texts[] = {v->kernel->name, v->epilogue ? v->epilogue->name : "",
                                 expression ? expression : "",
                                 v->kernel->text ? v->kernel->text : ""};
    for (int i = 0; i < 4; ++i)
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

static void write_kernels(const glnn__variant *v, char slash, glnn__growing_text *to)
{
    const glnn__kernel *const kernels[] = {v->kernel, v->epilogue};
    for (int i = 0; i < 2 && kernels[i]; ++i) {
        if (i > 0)
            glnn__text_print(to, "+");
        for (const char *c = kernels[i]->name; *c; ++c)
            glnn__text_print(to, "%c", *c == '/' ? slash : *c);
    }
}

/* The shader that has the kernel: rows of a side output are points, which vertices compute. */
static const char *shader_name(const glnn__variant *v)
{
    return glnn__variant_draws_points(v) ? "vertex" : glnn_stage_name((glnn_stage)v->stage);
}

/* "folder/ops-gemm.tiled-tiled-tiled.fragment": the layouts of the operands, then of the output. */
static void write_stem(const char *folder, const glnn__variant *v, glnn__growing_text *to)
{
    const bool is_fragment = v->stage == GLNN_STAGE_FRAGMENT;
    glnn__text_print(to, "%s/", folder);
    write_kernels(v, '-', to);
    glnn__text_print(to, ".");
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (v->operands[i].is_present)
            glnn__text_print(to, "%s-", layout_name(v->operands[i].layout));
    glnn__text_print(to, "%s%s%s.%s", layout_name(v->output_layout), bits_of(v),
                     is_fragment && v->images ? ".images" : "", shader_name(v));
}

static void write_options(const glnn__kernel *kernel, const unsigned char *options,
                          glnn__growing_text *to)
{
    for (int i = 0; i < GLNN__MAX_OPTIONS && kernel->options[i]; ++i)
        if (options[i] > 0)
            glnn__text_print(to, ", %s %d", kernel->options[i], options[i]);
}

/* "// ops/gemm: A tiled, B tiled -> tiled, fragment stage, TRANSPOSE_A 1" */
static void write_head(const glnn__variant *v, numbers n, glnn__growing_text *to)
{
    const char *separator = ":";
    glnn__text_print(to, "// ");
    write_kernels(v, '/', to);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        if (!v->operands[i].is_present)
            continue;
        glnn__text_print(to, "%s %s %s", separator, v->kernel->operands[i],
                         layout_name(v->operands[i].layout));
        separator = ",";
    }
    glnn__text_print(to, " -> %s%s, %s stage", layout_name(v->output_layout), bits_of(v),
                     shader_name(v));
    write_options(v->kernel, v->options, to);
    if (v->epilogue)
        write_options(v->epilogue, v->epilogue_options, to);
    for (int i = 0; v->constants && i < GLNN__MAX_CONSTANTS && v->kernel->constants[i]; ++i)
        glnn__text_print(to, ", %s %d", v->kernel->constants[i], v->constants[i]);
    glnn__text_print(to, "\n%s%08x of text %08x\n", mark, n.variant, n.text);
}

/* ---- The file */

static char *make_path(const char *folder, const glnn__variant *v, const char *end)
{
    glnn__growing_text path = {0};
    write_stem(folder, v, &path);
    glnn__text_print(&path, "%s", end);
    if (!path.is_cut)
        return path.text;
    free(path.text);
    return NULL;
}

/* The numbers in the head of a file, which follows the version; zeros if there is none. */
static numbers numbers_in(const char *path)
{
    char line[1024];
    numbers found = {0, 0};
    FILE *file = fopen(path, "r");
    if (!file)
        return found;
    const char *version = fgets(line, sizeof line, file);
    while (version && fgets(line, sizeof line, file) && strncmp(line, "//", 2) == 0)
        if (strncmp(line, mark, strlen(mark)) == 0)
            sscanf(line + strlen(mark), "%x of text %x", &found.variant, &found.text);
    fclose(file);
    return found;
}

static bool has_numbers(const char *path, numbers n)
{
    const numbers found = numbers_in(path);
    return found.variant == n.variant && found.text == n.text;
}

/* OpenGL ES wants the line with the version to be the first. */
static bool write_file(const char *path, const glnn__variant *variant, numbers n,
                       const glnn__text *text)
{
    const char *const all = text->content.text;
    const size_t version = strcspn(all, "\n") + 1;
    glnn__growing_text head = {0};
    write_head(variant, n, &head);
    FILE *file = head.is_cut ? NULL : fopen(path, "wb");
    if (file) {
        fwrite(all, 1, version, file);
        fwrite(head.text, 1, head.size, file);
        fwrite(all + version, 1, text->content.size - version, file);
    }
    free(head.text);
    const bool is_whole = file && !ferror(file);
    return file && fclose(file) == 0 && is_whole;
}

/* Puts a whole file in its place. Several processes may do so at the same time: the first one gets
 * the short name. */
static bool place(const char *temporary, const char *short_path, const char *long_path,
                  uint32_t number)
{
    if (glnn__file_rename_new(temporary, short_path))
        return true;
    const bool is_same = numbers_in(short_path).variant == number;
    return glnn__file_rename(temporary, is_same ? short_path : long_path);
}

typedef struct paths {
    char *temporary, *short_one, *long_one;
} paths;

/* Programs of one folder mostly have the same variants, so most files are there. */
void glnn__shader_dump(const char *folder, const glnn__variant *variant, const char *expression,
                       const glnn__text *text)
{
    const numbers n = {number_of(variant, expression),
                       glnn__hash(text->content.text, text->content.size)};
    char ends[2][48];
    snprintf(ends[0], sizeof ends[0], ".%08x.%ld", n.variant, glnn__process_number());
    snprintf(ends[1], sizeof ends[1], ".%08x.glsl", n.variant);
    glnn__folder_make(folder);
    const paths to = {make_path(folder, variant, ends[0]), make_path(folder, variant, ".glsl"),
                      make_path(folder, variant, ends[1])};
    const bool has_paths = to.temporary && to.short_one && to.long_one;
    if (!has_paths || !(has_numbers(to.short_one, n) || has_numbers(to.long_one, n) ||
                        (write_file(to.temporary, variant, n, text) &&
                         place(to.temporary, to.short_one, to.long_one, n.variant))))
        glnn__log(GLNN_LOG_WARNING, "%s: the shader's text cannot be written to %s",
                  variant->kernel->name, folder);
    free(to.temporary);
    free(to.short_one);
    free(to.long_one);
}
