#include "ops/expression.h"

#include <string.h>

#define MAX_EXPRESSION 4096

static glnn_status check_length(const char *what, const char *text)
{
    const size_t length = strlen(text);
    if (strspn(text, " \t") == length)
        return glnn__fail(GLNN_E_ARG, "%s: the expression is empty", what);
    if (length > MAX_EXPRESSION)
        return glnn__fail(GLNN_E_ARG, "%s: the expression has %zu characters; it may have %d", what,
                          length, MAX_EXPRESSION);
    return GLNN_OK;
}

static glnn_status check_characters(const char *what, const char *text)
{
    const char *found = strpbrk(text, ";{}#\\\r\n");
    if (found && strchr("\r\n", *found))
        return glnn__fail(GLNN_E_ARG, "%s: the expression has a line break at character %d", what,
                          (int)(found - text) + 1);
    if (found)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the expression has a '%c' at character %d, which cannot be part of "
                          "an expression",
                          what, *found, (int)(found - text) + 1);
    if (strstr(text, "//") || strstr(text, "/*"))
        return glnn__fail(GLNN_E_ARG, "%s: the expression has a comment", what);
    return GLNN_OK;
}

static glnn_status check_parentheses(const char *what, const char *text)
{
    int open = 0;
    for (const char *c = text; *c; ++c) {
        open += (*c == '(') - (*c == ')');
        if (open < 0)
            return glnn__fail(GLNN_E_ARG,
                              "%s: the ')' at character %d of the expression closes no '('", what,
                              (int)(c - text) + 1);
    }
    if (open > 0)
        return glnn__fail(GLNN_E_ARG, "%s: the expression leaves %d '(' open", what, open);
    return GLNN_OK;
}

glnn_status glnn__check_expression(const char *what, const char *text)
{
    GLNN__TRY(check_length(what, text));
    GLNN__TRY(check_characters(what, text));
    return check_parentheses(what, text);
}
