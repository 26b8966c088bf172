#include "learn/tensor.h"

#include <stdarg.h>
#include <stdio.h>

static void take(glnn__visitor *visitor, glnn__tensor *tensor, const char *name, va_list arguments)
{
    if (visitor->status || !(visitor->roles >> tensor->role & 1))
        return;
    vsnprintf(tensor->name, sizeof tensor->name, name, arguments);
    visitor->status = visitor->take(visitor->user, tensor);
}

void glnn__visit_matrix(glnn__visitor *visitor, glnn__role role, int layer, glnn_matrix *matrix,
                        glnn__parameters *parameters, const char *name, ...)
{
    glnn__tensor tensor = {
        .role = role, .layer = layer, .matrix = matrix, .parameters = parameters};
    va_list arguments;
    va_start(arguments, name);
    if (matrix)
        take(visitor, &tensor, name, arguments);
    va_end(arguments);
}

void glnn__visit_floats(glnn__visitor *visitor, glnn__role role, float *values, size_t count,
                        size_t columns, const char *name, ...)
{
    glnn__tensor tensor = {.role = role, .values = values, .count = count, .columns = columns};
    va_list arguments;
    va_start(arguments, name);
    if (values)
        take(visitor, &tensor, name, arguments);
    va_end(arguments);
}

void glnn__visit_flag(glnn__visitor *visitor, glnn__role role, bool *flag, const char *name, ...)
{
    glnn__tensor tensor = {.role = role, .flag = flag};
    va_list arguments;
    va_start(arguments, name);
    take(visitor, &tensor, name, arguments);
    va_end(arguments);
}
