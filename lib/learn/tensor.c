#include "learn/tensor.h"

#include <stdarg.h>
#include <stdio.h>

static void take(glnn__visitor *visitor, const glnn__tensor *tensor)
{
    if (!visitor->status && visitor->roles >> tensor->role & 1)
        visitor->status = visitor->take(visitor->user, tensor);
}

void glnn__visit_matrix(glnn__visitor *visitor, glnn__role role, int layer, glnn_matrix *matrix,
                        const glnn_matrix *read, const char *name, ...)
{
    glnn__tensor tensor = {
        .role = role, .layer = layer, .matrix = matrix, .read = read ? read : matrix};
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(tensor.name, sizeof tensor.name, name, arguments);
    va_end(arguments);
    if (matrix)
        take(visitor, &tensor);
}

void glnn__visit_floats(glnn__visitor *visitor, glnn__role role, float *values, size_t count,
                        const char *name)
{
    glnn__tensor tensor = {.role = role, .values = values, .count = count};
    snprintf(tensor.name, sizeof tensor.name, "%s", name);
    take(visitor, &tensor);
}

void glnn__visit_flag(glnn__visitor *visitor, glnn__role role, bool *flag, const char *name)
{
    glnn__tensor tensor = {.role = role, .flag = flag};
    snprintf(tensor.name, sizeof tensor.name, "%s", name);
    take(visitor, &tensor);
}
