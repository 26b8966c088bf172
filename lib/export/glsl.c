/* Exports as GLSL. It has no pointers, so places are indices: of the constants, which are one array
 * of the file, and of the numbers that are computed for a sample, which are another. The constants
 * are vectors, because some drivers take ten times as long to compile thousands of floats. */
#include "base/status.h"
#include "base/string.h"
#include "export/file.h"

#include <stdio.h>
#include <string.h>

/* GLSL keeps these names for itself, and WebGL does. */
static glnn_status check_name(const glnn__export_file *file)
{
    if (strstr(file->prefix, "__") || glnn__string_begins(file->prefix, "gl_") ||
        glnn__string_begins(file->prefix, "webgl_"))
        return glnn__fail(GLNN_E_ARG,
                          "the name is '%s', but GLSL reserves the name '%spredict': it must not "
                          "begin with 'gl_' or 'webgl_' or have two underscores in a row",
                          file->name, file->prefix);
    return GLNN_OK;
}

static glnn__export_text place(size_t first)
{
    glnn__export_text of;
    snprintf(of.text, sizeof of.text, "%zu", first);
    return of;
}

static glnn__export_text add_floats(glnn__export_file *file, const float *values, size_t count,
                                    const char *name)
{
    (void)name;
    for (size_t i = 0; i < count; ++i) {
        const glnn__export_text number = glnn__export_literal(values[i]);
        const size_t index = file->constants + i;
        glnn__export_separate(index, 8, ",", &file->arrays);
        glnn__text_print(&file->arrays, "%s%.*s%s", index % 4 == 0 ? "vec4(" : "",
                         (int)strlen(number.text) - 1, number.text, index % 4 == 3 ? ")" : "");
    }
    return place(file->constants);
}

static glnn__export_text begin_struct(glnn__export_file *file, const char *type, int number)
{
    glnn__export_text of;
    snprintf(of.text, sizeof of.text, "%s_%d", type, number);
    glnn__text_print(&file->code, "    const %s%s %s = %s%s(", file->prefix, type, of.text,
                     file->prefix, type);
    return of;
}

static glnn__export_numbers begin_predict(glnn__export_file *file, int features)
{
    glnn__text_print(
        &file->code,
        "\nvoid %s_predict(in float inputs[%s_FEATURES], out float outputs[%s_OUTPUTS])\n"
        "{\n"
        "    for (int i = 0; i < %s_FEATURES; ++i)\n"
        "        %s_numbers[i] = inputs[i];\n",
        file->name, file->upper, file->upper, file->upper, file->name);
    return glnn__export_scratch(file, 0, (size_t)features);
}

static void end_predict(glnn__export_file *file, const glnn__export_numbers *outputs)
{
    glnn__text_print(&file->code,
                     "    for (int i = 0; i < %s_OUTPUTS; ++i)\n"
                     "        outputs[i] = %s_numbers[%s + i];\n"
                     "}\n",
                     file->upper, file->name, outputs->text);
}

static glnn__export_numbers begin_classify(glnn__export_file *file,
                                           const glnn__export_numbers *outputs, int count)
{
    (void)count;
    glnn__text_print(&file->code,
                     "\nint %s_classify(in float inputs[%s_FEATURES])\n"
                     "{\n"
                     "    float outputs[%s_OUTPUTS];\n"
                     "    %s_predict(inputs, outputs);\n",
                     file->name, file->upper, file->upper, file->name);
    return *outputs;
}

static size_t count_vectors(const glnn__export_file *file)
{
    return (file->constants + 3) / 4;
}

static void print_head(const glnn__export_file *file, const glnn__export_summary *of,
                       glnn__growing_text *to)
{
    const char *name = file->name, *upper = file->upper;
    glnn__export_print_title(file, of->what, to);
    glnn__text_print(to,
                     " * %s_predict computes the outputs of a sample, and %s_classify finds its\n"
                     " * class. The text is for shaders of GLSL 4.30, or of GLSL ES 3.00. */\n"
                     "#ifdef GL_ES\n"
                     "precision highp float;\n"
                     "precision highp int;\n"
                     "#endif\n\n"
                     "#define %s_FEATURES %d\n"
                     "#define %s_OUTPUTS  %d\n",
                     name, name, upper, of->features, upper, of->outputs);
    if (file->constants > 0)
        glnn__text_print(to, "\nconst vec4 %s_constants[%zu] = vec4[%zu](", name,
                         count_vectors(file), count_vectors(file));
}

static void end_constants(const glnn__export_file *file, glnn__growing_text *to)
{
    for (size_t i = file->constants; i < 4 * count_vectors(file); ++i)
        glnn__text_print(to, i % 4 == 3 ? ",0.0)" : ",0.0");
    glnn__text_print(to,
                     ");\n\n"
                     "float %s_constant(int i)\n"
                     "{\n"
                     "    return %s_constants[i >> 2][i & 3];\n"
                     "}\n",
                     file->name, file->name);
}

static void print_scratch(const glnn__export_file *file, glnn__growing_text *to)
{
    if (file->constants > 0)
        end_constants(file, to);
    glnn__text_print(to,
                     "\n/* The sample, and what is computed from it. */\n"
                     "float %s_numbers[%zu];\n",
                     file->name, file->scratch);
}

const glnn__language glnn__glsl_language = {
    .ending = ".glsl",
    .shares_names = true,
    .limit = GLNN_EXPORT_MAX_GLSL,
    .struct_end = ");",
    .foot = "",
    .check_name = check_name,
    .add_floats = add_floats,
    .begin_struct = begin_struct,
    .place = place,
    .begin_predict = begin_predict,
    .end_predict = end_predict,
    .begin_classify = begin_classify,
    .print_head = print_head,
    .print_scratch = print_scratch,
};
