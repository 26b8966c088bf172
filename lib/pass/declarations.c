#include "pass/declarations.h"

#include "base/status.h"

#include <string.h>

/* In ASCII, whatever the locale. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static bool is_name(const char *text)
{
    return strspn(text, letters) > 0 && text[strspn(text, word)] == 0;
}

static bool is_uniform(const char *text)
{
    static const char *const types[] = {"float ", "int "};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strncmp(text, types[i], strlen(types[i])) == 0)
            return is_name(text + strlen(types[i]));
    return false;
}

/* A list ends at its first null, so a later declaration would be ignored. */
static glnn_status check_order(const glnn__kernel *kernel, const char *kind,
                               const char *const *list, int count)
{
    for (int i = 1; i < count; ++i)
        if (list[i] && !list[i - 1])
            return glnn__fail(GLNN_E_ARG, "%s: %s %d is declared, but %s %d is not", kernel->name,
                              kind, i, kind, i - 1);
    return GLNN_OK;
}

static glnn_status check_uniforms(const glnn__kernel *kernel)
{
    for (int i = 0; i < GLNN__MAX_UNIFORMS; ++i)
        if (kernel->uniforms[i] && !is_uniform(kernel->uniforms[i]))
            return glnn__fail(GLNN_E_ARG,
                              "%s: uniform %d is declared as \"%s\"; a declaration is \"float "
                              "NAME\" or \"int NAME\"",
                              kernel->name, i, kernel->uniforms[i]);
    return check_order(kernel, "uniform", kernel->uniforms, GLNN__MAX_UNIFORMS);
}

static int count_operands(const glnn__kernel *kernel)
{
    int count = 0;
    while (count < GLNN__MAX_OPERANDS && kernel->operands[count])
        count++;
    return count;
}

static glnn_status check_operands(const glnn__variant *variant)
{
    const glnn__kernel *kernel = variant->kernel;
    const int count = count_operands(kernel);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (kernel->operands[i] && !is_name(kernel->operands[i]))
            return glnn__fail(GLNN_E_ARG,
                              "%s: operand %d is declared as \"%s\"; a name is a letter, followed "
                              "by letters, digits and underscores",
                              kernel->name, i, kernel->operands[i]);
    GLNN__TRY(check_order(kernel, "operand", kernel->operands, GLNN__MAX_OPERANDS));
    for (int i = count; i < GLNN__MAX_OPERANDS; ++i)
        if (variant->operands[i].is_present)
            return glnn__fail(GLNN_E_ARG,
                              "%s: operand %d has a matrix, but the kernel declares %d operand%s",
                              kernel->name, i, count, count == 1 ? "" : "s");
    return GLNN_OK;
}

glnn_status glnn__declarations_check(const glnn__variant *variant)
{
    GLNN__TRY(check_operands(variant));
    GLNN__TRY(check_uniforms(variant->kernel));
    return variant->epilogue ? check_uniforms(variant->epilogue) : GLNN_OK;
}

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

const char *glnn__declarations_find_missing(const glnn__variant *variant, const char *log)
{
    const glnn__kernel *kernel = variant->kernel;
    for (int i = 0; i < GLNN__MAX_OPERANDS && kernel->operands[i]; ++i)
        if (!variant->operands[i].is_present && names_operand(log, kernel->operands[i]))
            return kernel->operands[i];
    return NULL;
}
