/* Exports as C. */
#include "export/file.h"
#include "export/preparation.h"

#include <stdio.h>
#include <string.h>

static glnn__export_text add_floats(glnn__export_file *file, const float *values, size_t count,
                                    const char *name)
{
    glnn__export_text array;
    glnn__text_print(&file->arrays, "\nstatic const float %s[%zu] = {", name, count);
    for (size_t i = 0; i < count; ++i) {
        glnn__export_separate(i, 6, ", ", &file->arrays);
        glnn__text_print(&file->arrays, "%s", glnn__export_literal(values[i]).text);
    }
    glnn__text_print(&file->arrays, "};\n");
    snprintf(array.text, sizeof array.text, "%s", name);
    return array;
}

void glnn__export_ints(glnn__export_file *file, const int *values, size_t count, const char *name)
{
    glnn__text_print(&file->arrays, "\nstatic const int %s[%zu] = {", name, count);
    for (size_t i = 0; i < count; ++i) {
        glnn__export_separate(i, 16, ", ", &file->arrays);
        glnn__text_print(&file->arrays, "%d", values[i]);
    }
    glnn__text_print(&file->arrays, "};\n");
}

static glnn__export_text begin_struct(glnn__export_file *file, const char *type, int number)
{
    glnn__export_text of;
    glnn__text_print(&file->code, "    static const struct %s %s_%d = {", type, type, number);
    snprintf(of.text, sizeof of.text, "&%s_%d", type, number);
    return of;
}

static glnn__export_text place(size_t first)
{
    glnn__export_text of = {"scratch"};
    if (first > 0)
        snprintf(of.text, sizeof of.text, "scratch + %zu", first);
    return of;
}

static glnn__export_numbers begin_predict(glnn__export_file *file, int features)
{
    (void)features;
    glnn__text_print(&file->code, "\nvoid %s_predict(const float *input, float *output)\n{\n",
                     file->name);
    return (glnn__export_numbers){.text = "input"};
}

static void end_predict(glnn__export_file *file, const glnn__export_numbers *outputs)
{
    (void)outputs;
    glnn__text_print(&file->code, "}\n");
}

/* The outputs are in the scratch memory, in which nothing else is needed then. */
static glnn__export_numbers begin_classify(glnn__export_file *file,
                                           const glnn__export_numbers *outputs, int count)
{
    const glnn__export_numbers output = glnn__export_scratch(file, file->scratch, (size_t)count);
    glnn__text_print(&file->code,
                     "\nint %s_classify(const float *input)\n"
                     "{\n"
                     "    float *output = %s;\n"
                     "    %s_predict(input, output);\n",
                     file->name, output.text, file->name);
    return *outputs;
}

/* Declares names of classes and the function that reads texts. */
static void print_texts(const glnn__export_file *file, glnn__growing_text *to)
{
    if (file->classes > 0)
        glnn__text_print(to,
                         "/* The name of each class. */\n"
                         "extern const char *const %s_classes[%s_CLASSES];\n\n",
                         file->name, file->upper);
    if (file->columns) {
        glnn__text_print(to, "/* Makes a sample of the texts of a row:\n");
        glnn__export_list_fields(file, to);
        glnn__text_print(
            to,
            " * NULL and \"\" are missing values, as are \"NA\", \"N/A\", \"null\" and the like. "
            "Blanks\n"
            " * around texts are skipped. Returns 0, or the number from 1 of the first field that\n"
            " * should be a number or a date and is not; it then counts as missing. If there is\n"
            " * none, the result is minus the number of texts whose category the model does not\n"
            " * know, because training has not seen it or has pooled it with other rare ones. */\n"
            "int %s_encode(const char *const *field, float *input);\n\n",
            file->name);
    }
}

static void print_declarations(const glnn__export_file *file, const glnn__export_summary *of,
                               glnn__growing_text *to)
{
    const char *name = file->name, *upper = file->upper;
    const bool has_targets = file->columns && file->columns->targets > 0;
    glnn__export_print_title(file, of->what, to);
    glnn__text_print(to,
                     " * Define %s_DECLARATIONS_ONLY to include this file where its functions are\n"
                     " * called, and compile it once without this definition. */\n"
                     "#ifndef %s_FEATURES\n"
                     "#define %s_FEATURES %d\n"
                     "#define %s_OUTPUTS  %d\n"
                     "#define %s_SCRATCH  %zu /* floats of static memory */\n",
                     upper, upper, upper, of->features, upper, of->outputs, upper, file->scratch);
    if (file->classes > 0)
        glnn__text_print(to, "#define %s_CLASSES  %d\n", upper, file->classes);
    if (file->columns)
        glnn__text_print(to, "#define %s_FIELDS   %d\n", upper, file->columns->feature_columns);
    glnn__text_print(to,
                     "\n#ifdef __cplusplus\n"
                     "extern \"C\" {\n"
                     "#endif\n\n"
                     "/* Computes the outputs of a sample%s\n",
                     has_targets ? ":" : ". */");
    if (has_targets) {
        glnn__export_list_targets(file, to);
        glnn__text_print(to, " */\n");
    }
    glnn__text_print(to,
                     "void %s_predict(const float *input, float *output);\n\n"
                     "/* Finds the class of a sample. */\n"
                     "int %s_classify(const float *input);\n\n",
                     name, name);
    print_texts(file, to);
    glnn__text_print(to,
                     "#ifdef __cplusplus\n"
                     "}\n"
                     "#endif\n"
                     "#endif\n\n"
                     "#ifndef %s_DECLARATIONS_ONLY\n",
                     upper);
}

/* Whether one of the templates begins with this header among others. */
static bool needs(const glnn__export_file *file, const char *include)
{
    for (int i = 0; i < file->used_count; ++i) {
        const char *text = glnn__export_template(file, file->used[i]);
        const char *found = strstr(text, include);
        if (found && found < glnn__export_skip_includes(text))
            return true;
    }
    return false;
}

static void print_head(const glnn__export_file *file, const glnn__export_summary *of,
                       glnn__growing_text *to)
{
    static const char *const includes[] = {"#include <math.h>\n", "#include <stdlib.h>\n",
                                           "#include <string.h>\n"};
    const char *before = "\n";
    print_declarations(file, of, to);
    for (size_t i = 0; i < sizeof includes / sizeof *includes; ++i)
        if (needs(file, includes[i])) {
            glnn__text_print(to, "%s%s", before, includes[i]);
            before = "";
        }
}

static void print_scratch(const glnn__export_file *file, glnn__growing_text *to)
{
    glnn__text_print(to,
                     "\n#ifndef %s_STORAGE\n"
                     "#define %s_STORAGE static\n"
                     "#endif\n\n"
                     "%s_STORAGE float scratch[%s_SCRATCH];\n",
                     file->upper, file->upper, file->upper, file->upper);
}

const glnn__language glnn__c_language = {
    .ending = ".c",
    .has_texts = true,
    .output = "output",
    .struct_end = "};",
    .foot = "\n#endif\n",
    .add_floats = add_floats,
    .begin_struct = begin_struct,
    .place = place,
    .begin_predict = begin_predict,
    .end_predict = end_predict,
    .begin_classify = begin_classify,
    .print_head = print_head,
    .print_scratch = print_scratch,
};
