#include "io/safetensors/arrays.h"

#include "base/status.h"
#include "io/safetensors/safetensors.h"
#include "io/sizes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void glnn__arrays_add(glnn__arrays *arrays, int dimensions, const size_t *size, const char *name,
                      ...)
{
    const int i = arrays->count++;
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(arrays->names[i], GLNN__ARRAY_NAME, name, arguments);
    va_end(arguments);
    arrays->tensors[i] = (glnn_tensor){.name = arrays->names[i], .dimensions = dimensions};
    memcpy(arrays->tensors[i].shape, size, (size_t)dimensions * sizeof *size);
}

size_t glnn__array_length(const glnn_tensor *tensor)
{
    size_t length = 1;
    for (int d = 0; d < tensor->dimensions; ++d)
        length *= tensor->shape[d];
    return length;
}

glnn_status glnn__arrays_make_room(glnn__arrays *arrays)
{
    size_t length = 0;
    for (int i = 0; i < arrays->count; ++i)
        length += arrays->tensors[i].data ? 0 : glnn__array_length(&arrays->tensors[i]);
    float *values = length > 0 ? malloc(length * sizeof *values) : NULL;
    arrays->values[0] = values;
    if (length > 0 && !values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu values to be saved", length);
    for (int i = 0; i < arrays->count; ++i) {
        if (arrays->tensors[i].data)
            continue;
        arrays->tensors[i].data = arrays->values[i] = values;
        values += glnn__array_length(&arrays->tensors[i]);
    }
    return GLNN_OK;
}

void glnn__arrays_free(glnn__arrays *arrays)
{
    free(arrays->values[0]);
}

glnn_status glnn__array_read(const glnn__described_file *in, glnn_tensor *wanted)
{
    const glnn_tensor *found;
    GLNN__TRY(glnn__safetensors_find(in->file, in->path, wanted->name, &found));
    if (found->dimensions != wanted->dimensions)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: array '%s' has %d dimensions; the description requires %d", in->path,
                          wanted->name, found->dimensions, wanted->dimensions);
    if (memcmp(found->shape, wanted->shape, (size_t)wanted->dimensions * sizeof *wanted->shape) !=
        0)
        return glnn__fail(GLNN_E_SHAPE, "%s: array '%s' is %s; the description requires %s",
                          in->path, wanted->name,
                          glnn__sizes_text_of(found->dimensions, found->shape).text,
                          glnn__sizes_text_of(wanted->dimensions, wanted->shape).text);
    wanted->data = found->data;
    return GLNN_OK;
}

glnn_status glnn__arrays_read(const glnn__described_file *in, glnn__arrays *arrays)
{
    for (int i = 0; i < arrays->count; ++i)
        GLNN__TRY(glnn__array_read(in, &arrays->tensors[i]));
    return GLNN_OK;
}

bool glnn__arrays_finite(const glnn__arrays *arrays, int first, int count)
{
    for (const glnn_tensor *t = arrays->tensors + first; count-- > 0; ++t) {
        const size_t length = glnn__array_length(t);
        for (size_t i = 0; i < length; ++i) {
            if (!isfinite(t->data[i]))
                return false;
        }
    }
    return true;
}
