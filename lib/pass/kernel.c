#include "pass/kernel.h"

#include "base/status.h"

#include <string.h>

/* In ASCII, whatever the locale. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* A list of declarations. `types` are the words that may precede a name; NULL: none. */
typedef struct declarations {
    const char *kind;
    const char *const *list;
    int count;
    const char *const *types;
    const char *form; /* completes the sentence "a declaration is ..." */
} declarations;

static const char *const uniform_types[] = {"float ", "int ", NULL};

static const char name_form[] = "a letter, followed by letters, digits and underscores";

/* The name in a declaration; NULL if it is malformed. */
static const char *name_in(const declarations *of, const char *text)
{
    for (int i = 0; of->types && of->types[i]; ++i)
        if (strncmp(text, of->types[i], strlen(of->types[i])) == 0)
            return name_in(&(declarations){0}, text + strlen(of->types[i]));
    const bool is_name = strspn(text, letters) > 0 && text[strspn(text, word)] == 0;
    return is_name && !of->types ? text : NULL;
}

/* A list ends at its first null, so a later declaration would be ignored. */
static glnn_status check_list(const char *kernel, const declarations *of)
{
    for (int i = 0; i < of->count; ++i) {
        if (of->list[i] && !name_in(of, of->list[i]))
            return glnn__fail(GLNN_E_ARG, "%s: %s %d is declared as \"%s\"; a %s is %s", kernel,
                              of->kind, i, of->list[i], of->types ? "declaration" : "name",
                              of->form);
        if (i > 0 && of->list[i] && !of->list[i - 1])
            return glnn__fail(GLNN_E_ARG, "%s: %s %d is declared, but %s %d is not", kernel,
                              of->kind, i, of->kind, i - 1);
    }
    return GLNN_OK;
}

/* Two names in lists of which each is right. */
static glnn_status check_pair(const char *kernel, const declarations *a, int i,
                              const declarations *b, int j)
{
    const char *name = name_in(a, a->list[i]);
    if ((a == b && i == j) || strcmp(name, name_in(b, b->list[j])) != 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: %s %d and %s %d are both called %s", kernel, a->kind, i,
                      b->kind, j, name);
}

static glnn_status check_lists(const char *kernel, const declarations *a, const declarations *b)
{
    for (int i = 0; i < a->count && a->list[i]; ++i)
        for (int j = 0; j < b->count && b->list[j]; ++j)
            GLNN__TRY(check_pair(kernel, a, i, b, j));
    return GLNN_OK;
}

/* Whether the text of a program's kernel has a name already, its own or one of an operand. */
static bool is_taken(const glnn__kernel *k, const char *name)
{
    static const char *const names[] = {"output_rows", "output_columns", "element", "main",
                                        "block",       "tile",           NULL};
    static const char *const ends[] = {"_rows", "_columns", "_at", NULL};
    for (int i = 0; names[i]; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (int i = 0; i < GLNN__MAX_OPERANDS && k->operands[i]; ++i) {
        const size_t length = strlen(k->operands[i]);
        for (int e = 0; ends[e] && strncmp(name, k->operands[i], length) == 0; ++e)
            if (strcmp(name + length, ends[e]) == 0)
                return true;
    }
    return strncmp(name, "gl_", 3) == 0 || strncmp(name, "HAS_", 4) == 0;
}

static glnn_status check_taken(const glnn__kernel *k, const declarations *of)
{
    for (int i = 0; k->text && i < of->count && of->list[i]; ++i)
        if (is_taken(k, name_in(of, of->list[i])))
            return glnn__fail(GLNN_E_ARG, "%s: %s %d is called %s, which already has a meaning",
                              k->name, of->kind, i, name_in(of, of->list[i]));
    return GLNN_OK;
}

glnn_status glnn__kernel_check(const glnn__kernel *k)
{
    static const char uniform_form[] = "\"float NAME\" or \"int NAME\"";
    const declarations all[] = {
        {"operand", k->operands, GLNN__MAX_OPERANDS, NULL, name_form},
        {"uniform", k->uniforms, GLNN__MAX_UNIFORMS, uniform_types, uniform_form},
        {"option", k->options, GLNN__MAX_OPTIONS, NULL, name_form},
        {k->text ? "option" : "constant", k->constants, GLNN__MAX_CONSTANTS, NULL, name_form},
    };
    const int count = sizeof all / sizeof *all;
    for (int i = 0; i < count; ++i)
        GLNN__TRY(check_list(k->name, &all[i]));
    for (int i = 0; i < count; ++i)
        GLNN__TRY(check_taken(k, &all[i]));
    for (int i = 0; i < count; ++i)
        for (int j = i; j < count; ++j)
            GLNN__TRY(check_lists(k->name, &all[i], &all[j]));
    return GLNN_OK;
}

int glnn__kernel_operands(const glnn__kernel *kernel)
{
    int count = 0;
    while (count < GLNN__MAX_OPERANDS && kernel->operands[count])
        count++;
    return count;
}
