#include "export/file.h"

#include "base/digits.h"
#include "base/file.h"
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names */

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

glnn_status glnn__export_begin(const glnn__language *language, const char *name,
                               glnn__export_file *out)
{
    if (!is_name(name))
        return glnn__fail(GLNN_E_ARG,
                          "the name is '%.60s'; it must have 1 to %d letters, digits and "
                          "underscores, and begin with a letter",
                          name, GLNN_EXPORT_MAX_NAME);
    *out = (glnn__export_file){.language = language, .name = name};
    for (size_t i = 0; name[i]; ++i)
        out->upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    if (language->shares_names)
        snprintf(out->prefix, sizeof out->prefix, "%s_", name);
    if (language->check_name)
        GLNN__TRY(language->check_name(out));
    return glnn__c_locale_enter(&out->locale);
}

/* ---- Numbers */

/* A literal of a float needs a point or an exponent. */
glnn__export_text glnn__export_literal(float value)
{
    char digits[GLNN__DIGITS_TEXT];
    glnn__export_text of;
    glnn__digits_of_float(value, digits);
    snprintf(of.text, sizeof of.text, "%s%sf", digits, strpbrk(digits, ".e") ? "" : ".0");
    return of;
}

void glnn__export_separate(size_t index, size_t columns, const char *between,
                           glnn__growing_text *to)
{
    const bool breaks = index % columns == 0;
    glnn__text_print(to, "%s%s", index == 0 ? "" : breaks ? "," : between, breaks ? "\n    " : "");
}

/* A text that is too large anyway gets no more numbers. Each of them has at least four bytes. */
static bool is_left_out(glnn__export_file *file, size_t count)
{
    const size_t limit = file->language->limit, least = 4 * count;
    if (limit == 0 || (file->arrays.size <= limit && least <= limit))
        return false;
    file->left_out += least;
    return true;
}

glnn__export_text glnn__export_floats(glnn__export_file *file, const float *values, size_t count,
                                      const char *name, ...)
{
    char text[32];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(values[i]) && !file->odd[0])
            snprintf(file->odd, sizeof file->odd, "%s", text);
    if (is_left_out(file, count))
        return (glnn__export_text){""};
    const glnn__export_text array = file->language->add_floats(file, values, count, text);
    file->constants += count;
    return array;
}

glnn__export_text glnn__export_struct(glnn__export_file *file, const char *type, int number,
                                      const int *values, size_t count)
{
    glnn__export_use(file, type);
    const glnn__export_text of = file->language->begin_struct(file, type, number);
    for (size_t i = 0; i < count; ++i)
        glnn__text_print(&file->code, "%s%d", i == 0 ? "" : ", ", values[i]);
    glnn__text_print(&file->code, "%s\n", file->language->struct_end);
    return of;
}

glnn__export_numbers glnn__export_scratch(glnn__export_file *file, size_t first, size_t count)
{
    glnn__export_numbers numbers = {.first = first, .end = first + count};
    snprintf(numbers.text, sizeof numbers.text, "%s", file->language->place(first).text);
    file->scratch = numbers.end > file->scratch ? numbers.end : file->scratch;
    return numbers;
}

/* ---- Code */

void glnn__export_use(glnn__export_file *file, const char *name)
{
    for (int i = 0; i < file->used_count; ++i)
        if (strcmp(file->used[i], name) == 0)
            return;
    file->used[file->used_count++] = name;
}

__attribute__((format(printf, 4, 0))) static void add_call(glnn__export_file *file,
                                                           const char *before, const char *name,
                                                           const char *format, va_list arguments)
{
    char text[512];
    glnn__export_use(file, name);
    vsnprintf(text, sizeof text, format, arguments);
    glnn__text_print(&file->code, "    %s%s%s(%s);\n", before, file->prefix, name, text);
}

void glnn__export_call(glnn__export_file *file, const char *name, const char *arguments, ...)
{
    va_list list;
    va_start(list, arguments);
    add_call(file, "", name, arguments, list);
    va_end(list);
}

void glnn__export_return(glnn__export_file *file, const char *name, const char *arguments, ...)
{
    va_list list;
    va_start(list, arguments);
    add_call(file, "return ", name, arguments, list);
    va_end(list);
}

glnn__export_numbers glnn__export_output(const glnn__export_file *file)
{
    glnn__export_numbers output = {.text = ""};
    if (file->language->output)
        snprintf(output.text, sizeof output.text, "%s", file->language->output);
    return output;
}

/* ---- The text of the file */

const char *glnn__export_template(const glnn__export_file *file, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s%s", name, file->language->ending);
    for (size_t i = 0; i < glnn__template_count; ++i)
        if (strcmp(glnn__templates[i].name, path) == 0)
            return (const char *)glnn__templates[i].text;
    return "";
}

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

void glnn__export_print_title(const glnn__export_file *file, const char *what,
                              glnn__growing_text *to)
{
    glnn__text_print(to, "/* %s:", file->name);
    print_wrapped(what, strlen(file->name) + 4, to);
    glnn__text_print(to, ", exported by libglnn %d.%d.\n *\n", GLNN_VERSION_MAJOR,
                     GLNN_VERSION_MINOR);
}

const char *glnn__export_skip_includes(const char *text)
{
    static const char include[] = "#include <";
    bool has_includes = false;
    for (; strncmp(text, include, sizeof include - 1) == 0; text = strchr(text, '\n') + 1)
        has_includes = true;
    return text + has_includes;
}

/* Prints a template with the prefix of the file in place of "NAME_". */
static void print_template(const glnn__export_file *file, const char *text, glnn__growing_text *to)
{
    static const char word[] = "NAME_";
    const char *next;
    text = glnn__export_skip_includes(text);
    glnn__text_print(to, "\n");
    for (; (next = strstr(text, word)); text = next + sizeof word - 1)
        glnn__text_print(to, "%.*s%s", (int)(next - text), text, file->prefix);
    glnn__text_print(to, "%s", text);
}

/* The parts of the file before the arrays, and between them and the code. */
typedef struct frame {
    glnn__growing_text head, functions;
} frame;

static void print_frame(const glnn__export_file *file, const glnn__export_summary *of, frame *to)
{
    const glnn__language *language = file->language;
    language->print_head(file, of, &to->head);
    language->print_scratch(file, &to->functions);
    for (int i = 0; i < file->used_count; ++i)
        print_template(file, glnn__export_template(file, file->used[i]), &to->functions);
}

static glnn_status check_size(const glnn__export_file *file, const char *path, size_t size)
{
    const size_t limit = file->language->limit;
    return limit == 0 || size <= limit
               ? GLNN_OK
               : glnn__fail(GLNN_E_LIMIT,
                            "%s: the text has %s%zu bytes, but the limit is %zu bytes", path,
                            file->left_out > 0 ? "at least " : "", size, limit);
}

static glnn_status write(const glnn__export_file *file, const char *path, const frame *around)
{
    const glnn__growing_text *texts[] = {&around->head, &file->arrays, &around->functions,
                                         &file->code};
    enum { TEXTS = sizeof texts / sizeof *texts };
    glnn__span spans[TEXTS];
    size_t size = file->left_out;
    if (file->odd[0])
        return glnn__fail(GLNN_E_DIVERGED, "%s: %s has a number that is not finite", path,
                          file->odd);
    for (int i = 0; i < TEXTS; ++i) {
        if (texts[i]->is_cut)
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text of the file", path);
        spans[i] = (glnn__span){texts[i]->text, texts[i]->size};
        size += texts[i]->size;
    }
    GLNN__TRY(check_size(file, path, size));
    return glnn__file_replace(path, spans, TEXTS);
}

glnn_status glnn__export_end(glnn__export_file *file, const char *path, const char *what,
                             int features, int outputs, glnn_status status)
{
    frame around = {.head = {.text = NULL}};
    if (!status) {
        glnn__text_print(&file->code, "%s", file->language->foot);
        print_frame(file, &(glnn__export_summary){what, features, outputs}, &around);
        status = write(file, path, &around);
    }
    glnn__c_locale_leave(&file->locale);
    free(around.head.text);
    free(around.functions.text);
    free(file->arrays.text);
    free(file->code.text);
    return status;
}
