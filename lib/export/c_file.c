#include "export/c_file.h"

#include "base/file.h"
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const glnn__c_numbers glnn__c_input = {.text = "input"};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name(const char *name)
{
    size_t length = is_letter(name[0]) ? 1 : 0;
    while (length > 0 && (is_letter(name[length]) || name[length] == '_' ||
                          (name[length] >= '0' && name[length] <= '9')))
        ++length;
    return length > 0 && length <= GLNN_EXPORT_MAX_NAME && !name[length];
}

glnn_status glnn__c_file_begin(const char *name, glnn__c_file *out)
{
    if (!is_name(name))
        return glnn__fail(GLNN_E_ARG,
                          "the name is '%.60s'; it must have 1 to %d letters, digits and "
                          "underscores, and begin with a letter",
                          name, GLNN_EXPORT_MAX_NAME);
    *out = (glnn__c_file){.name = name};
    for (size_t i = 0; name[i]; ++i)
        out->upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    return glnn__c_locale_enter(&out->locale);
}

/* Nine digits give the same float back. A literal of a float needs a point or an exponent. */
glnn__c_literal glnn__c_literal_of(float value)
{
    glnn__c_literal of;
    int length = snprintf(of.text, sizeof of.text, "%.9g", (double)value);
    snprintf(of.text + length, sizeof of.text - (size_t)length, "%sf",
             strpbrk(of.text, ".e") ? "" : ".0");
    return of;
}

static const char *separator(size_t index, size_t columns)
{
    return index == 0 ? "\n    " : index % columns == 0 ? ",\n    " : ", ";
}

void glnn__c_floats(glnn__c_file *file, const float *values, size_t count, const char *name, ...)
{
    char text[32];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    glnn__text_print(&file->arrays, "\nstatic const float %s[%zu] = {", text, count);
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]) && !file->odd[0])
            snprintf(file->odd, sizeof file->odd, "%s", text);
        glnn__text_print(&file->arrays, "%s%s", separator(i, 6),
                         glnn__c_literal_of(values[i]).text);
    }
    glnn__text_print(&file->arrays, "};\n");
}

void glnn__c_ints(glnn__c_file *file, const int *values, size_t count, const char *name)
{
    glnn__text_print(&file->arrays, "\nstatic const int %s[%zu] = {", name, count);
    for (size_t i = 0; i < count; ++i)
        glnn__text_print(&file->arrays, "%s%d", separator(i, 16), values[i]);
    glnn__text_print(&file->arrays, "};\n");
}

void glnn__c_use(glnn__c_file *file, const char *name)
{
    for (int i = 0; i < file->used_count; ++i)
        if (strcmp(file->used[i], name) == 0)
            return;
    file->used[file->used_count++] = name;
}

glnn__c_numbers glnn__c_scratch(glnn__c_file *file, size_t first, size_t count)
{
    glnn__c_numbers numbers = {.text = "scratch", .first = first, .end = first + count};
    if (first > 0)
        snprintf(numbers.text, sizeof numbers.text, "scratch + %zu", first);
    file->scratch = numbers.end > file->scratch ? numbers.end : file->scratch;
    return numbers;
}

static const char *template_of(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "%s.c", name);
    for (size_t i = 0; i < glnn__template_count; ++i)
        if (strcmp(glnn__templates[i].name, file) == 0)
            return (const char *)glnn__templates[i].text;
    return "";
}

/* A template that needs the header begins with this. */
#define MATH "#include <math.h>\n\n"

/* Prints a text for a comment that begins in column `used`, in lines of at most 98 columns. */
static void print_wrapped(const char *text, size_t used, glnn__growing_text *to)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        const bool breaks = used + 1 + length > 98;
        glnn__text_print(to, "%s%.*s", breaks ? "\n *   " : " ", (int)length, text);
        used = length + (breaks ? 5 : used + 1);
        text += length;
        text += *text == ' ';
    }
}

static void print_declarations(const glnn__c_file *file, const char *what, int features,
                               int outputs, glnn__growing_text *to)
{
    const char *name = file->name, *upper = file->upper;
    glnn__text_print(to, "/* %s:", name);
    print_wrapped(what, strlen(name) + 4, to);
    glnn__text_print(to,
                     ", exported by libglnn %d.%d.\n"
                     " *\n"
                     " * Define %s_DECLARATIONS_ONLY to include this file where its functions are\n"
                     " * called, and compile it once without this definition. */\n",
                     GLNN_VERSION_MAJOR, GLNN_VERSION_MINOR, upper);
    glnn__text_print(to,
                     "#ifndef %s_FEATURES\n"
                     "#define %s_FEATURES %d\n"
                     "#define %s_OUTPUTS  %d\n"
                     "#define %s_SCRATCH  %zu /* floats of static memory */\n\n",
                     upper, upper, features, upper, outputs, upper, file->scratch);
    glnn__text_print(to,
                     "#ifdef __cplusplus\n"
                     "extern \"C\" {\n"
                     "#endif\n\n"
                     "/* Computes the outputs of a sample. */\n"
                     "void %s_predict(const float *input, float *output);\n\n"
                     "/* Finds the class of a sample. */\n"
                     "int %s_classify(const float *input);\n\n"
                     "#ifdef __cplusplus\n"
                     "}\n"
                     "#endif\n"
                     "#endif\n\n"
                     "#ifndef %s_DECLARATIONS_ONLY\n",
                     name, name, upper);
}

/* The parts of the file before the arrays, between them and the code, and after it. */
typedef struct frame {
    glnn__growing_text head, functions, foot;
} frame;

static void print_frame(const glnn__c_file *file, const char *what, int features, int outputs,
                        frame *to)
{
    bool includes_math = false;
    print_declarations(file, what, features, outputs, &to->head);
    for (int i = 0; i < file->used_count; ++i) {
        const char *function = template_of(file->used[i]);
        const bool needs_math = strstr(function, MATH) == function;
        glnn__text_print(&to->functions, "\n%s", function + (needs_math ? strlen(MATH) : 0));
        includes_math = includes_math || needs_math;
    }
    if (includes_math)
        glnn__text_print(&to->head, "\n#include <math.h>\n");
    glnn__text_print(&to->head,
                     "\n#ifndef %s_STORAGE\n"
                     "#define %s_STORAGE static\n"
                     "#endif\n\n"
                     "%s_STORAGE float scratch[%s_SCRATCH];\n",
                     file->upper, file->upper, file->upper, file->upper);
    glnn__text_print(&to->foot, "\n#endif\n");
}

static glnn_status write(glnn__c_file *file, const char *path, frame *around)
{
    const glnn__growing_text *texts[] = {&around->head, &file->arrays, &around->functions,
                                         &file->code, &around->foot};
    enum { TEXTS = sizeof texts / sizeof *texts };
    glnn__span spans[TEXTS];
    if (file->odd[0])
        return glnn__fail(GLNN_E_DIVERGED, "%s: %s has a number that is not finite", path,
                          file->odd);
    for (int i = 0; i < TEXTS; ++i) {
        if (texts[i]->is_cut)
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text of the file", path);
        spans[i] = (glnn__span){texts[i]->text, texts[i]->size};
    }
    return glnn__file_replace(path, spans, TEXTS);
}

glnn_status glnn__c_file_end(glnn__c_file *file, const char *path, const char *what, int features,
                             int outputs, glnn_status status)
{
    frame around = {.head = {.text = NULL}};
    if (!status) {
        print_frame(file, what, features, outputs, &around);
        status = write(file, path, &around);
    }
    glnn__c_locale_leave(&file->locale);
    free(around.head.text);
    free(around.functions.text);
    free(around.foot.text);
    free(file->arrays.text);
    free(file->code.text);
    return status;
}
