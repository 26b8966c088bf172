#include "learn/state.h"

#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 64, NUMBER_LENGTH = 32 };

typedef struct name_text {
    char text[NAME_LENGTH];
} name_text;

/* An array to be saved: its values are in main memory, or on their way to it. */
struct glnn__state_array {
    name_text name;
    int dimensions;
    size_t shape[2];
    float *values;
    glnn_download *download; /* NULL: the values are there */
};

#define NAME_OF(name, out)                                                                         \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, name);                                                                 \
        vsnprintf((out).text, sizeof(out).text, name, arguments);                                  \
        va_end(arguments);                                                                         \
    } while (0)

/* ---- Arrays */

static glnn_status fail_memory(const glnn__state *state)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a checkpoint", state->path);
}

/* Appends an array, whose values are undefined. */
static glnn_status append(glnn__state *state, const glnn__state_array *array, float **values)
{
    if (state->count == state->room) {
        const size_t room = 2 * state->room + 16;
        glnn__state_array *more = realloc(state->arrays, room * sizeof *more);
        if (!more)
            return fail_memory(state);
        state->arrays = more;
        state->room = room;
    }
    *values = malloc(array->shape[0] * array->shape[1] * sizeof **values);
    if (!*values)
        return fail_memory(state);
    glnn__state_array *own = &state->arrays[state->count++];
    *own = *array;
    own->values = *values;
    return GLNN_OK;
}

static bool is_like(const glnn__state_array *wanted, int dimensions, const size_t *shape)
{
    return dimensions == wanted->dimensions &&
           memcmp(shape, wanted->shape, (size_t)dimensions * sizeof *shape) == 0;
}

static const float *find_in_file(const glnn_safetensors *file, const glnn__state_array *wanted)
{
    const glnn_tensor *found = glnn_safetensors_find_tensor(file, wanted->name.text);
    return found && is_like(wanted, found->dimensions, found->shape) ? found->data : NULL;
}

static const float *find_saved(const glnn__state *saved, const glnn__state_array *wanted)
{
    for (size_t i = 0; i < saved->count; ++i) {
        const glnn__state_array *array = &saved->arrays[i];
        if (strcmp(array->name.text, wanted->name.text) == 0)
            return is_like(wanted, array->dimensions, array->shape) ? array->values : NULL;
    }
    return NULL;
}

/* The values of an array that is loaded. */
static glnn_status find(const glnn__state *state, const glnn__state_array *wanted,
                        const float **values)
{
    *values = state->saved ? find_saved(state->saved, wanted) : find_in_file(state->file, wanted);
    return *values ? GLNN_OK
                   : glnn__fail(GLNN_E_FORMAT,
                                "%s: the checkpoint has no array '%s' of %zu x %zu numbers",
                                state->path, wanted->name.text, wanted->shape[0], wanted->shape[1]);
}

static glnn_status save_matrix(glnn__state *state, const glnn__state_array *array,
                               const glnn_matrix *matrix)
{
    float *values;
    GLNN__TRY(append(state, array, &values));
    return glnn_download_begin(state->ctx, matrix, NULL, &state->arrays[state->count - 1].download);
}

static glnn_status load_matrix(const glnn__state *state, const glnn__state_array *array,
                               glnn_matrix *matrix)
{
    const float *values;
    GLNN__TRY(find(state, array, &values));
    return glnn_matrix_upload(state->ctx, matrix, NULL, values, 0);
}

static void exchange_matrix(glnn__state *state, glnn_matrix *matrix, name_text name)
{
    if (!matrix || state->status)
        return;
    const glnn__state_array array = {
        name, 2, {(size_t)matrix->rows, (size_t)matrix->columns}, NULL, NULL};
    state->status = glnn__state_loads(state) ? load_matrix(state, &array, matrix)
                                             : save_matrix(state, &array, matrix);
}

void glnn__state_matrix(glnn__state *state, glnn_matrix *matrix, const char *name, ...)
{
    name_text of;
    NAME_OF(name, of);
    exchange_matrix(state, matrix, of);
}

void glnn__state_copy(glnn__state *state, const glnn_matrix *of, glnn_matrix **copy,
                      const char *name, ...)
{
    name_text own;
    NAME_OF(name, own);
    if (!of)
        return;
    bool exists = *copy != NULL;
    glnn__state_bool(state, &exists, "%s.exists", own.text);
    if (glnn__state_loads(state) && exists && !*copy)
        state->status = glnn__matrix_create_scratch(of->ctx, of->layout, of->rows, of->columns,
                                                    "snapshot", copy);
    if (glnn__state_loads(state) && !exists) {
        glnn_matrix_destroy(*copy);
        *copy = NULL;
    }
    if (exists)
        exchange_matrix(state, *copy, own);
}

static glnn_status exchange_floats(glnn__state *state, const glnn__state_array *array,
                                   float *values)
{
    const size_t size = array->shape[0] * sizeof *values;
    const float *from = values;
    float *to = values;
    if (glnn__state_loads(state))
        GLNN__TRY(find(state, array, &from));
    else
        GLNN__TRY(append(state, array, &to));
    memcpy(to, from, size);
    return GLNN_OK;
}

void glnn__state_floats(glnn__state *state, float *values, size_t count, const char *name, ...)
{
    glnn__state_array array = {.dimensions = 1, .shape = {count, 1}};
    NAME_OF(name, array.name);
    if (!state->status)
        state->status = exchange_floats(state, &array, values);
}

glnn_status glnn__state_take(glnn__state *state, glnn_tensor **tensors)
{
    glnn_status status = state->numbers.is_cut ? fail_memory(state) : state->status;
    *tensors = calloc(state->count + 1, sizeof **tensors);
    if (!*tensors && !status)
        status = fail_memory(state);
    for (size_t i = 0; i < state->count && !status; ++i) {
        glnn__state_array *array = &state->arrays[i];
        glnn_download *download = array->download;
        array->download = NULL;
        if (download)
            status = glnn_download_end(download, array->values, 0);
        (*tensors)[i] = (glnn_tensor){.name = array->name.text,
                                      .dimensions = array->dimensions,
                                      .shape = {array->shape[0], array->shape[1]},
                                      .data = array->values};
    }
    return status;
}

glnn_status glnn__state_keep(glnn__state *state)
{
    glnn_tensor *tensors = NULL;
    const glnn_status status = glnn__state_take(state, &tensors);
    free(tensors);
    return status;
}

glnn__state glnn__state_from(const glnn__state *kept)
{
    return (glnn__state){.ctx = kept->ctx,
                         .path = kept->path,
                         .saved = kept,
                         .left = kept->numbers.text ? kept->numbers.text : ""};
}

void glnn__state_free(glnn__state *state)
{
    for (size_t i = 0; i < state->count; ++i) {
        glnn_download_end(state->arrays[i].download, NULL, 0);
        free(state->arrays[i].values);
    }
    free(state->arrays);
    free(state->numbers.text);
}

/* ---- Numbers */

/* The text of the number in the next line, which must have this name. */
static glnn_status take_line(glnn__state *state, const char *name, char number[NUMBER_LENGTH])
{
    const char *line = state->left;
    const size_t length = strlen(name), size = strcspn(line, "\n");
    if (strncmp(line, name, length) != 0 || line[length] != ' ' || line[size] != '\n' ||
        size - length > NUMBER_LENGTH)
        return glnn__fail(GLNN_E_FORMAT, "%s: the checkpoint has '%.*s' where '%s' is needed",
                          state->path, (int)(size < 80 ? size : 80), line, name);
    memcpy(number, line + length + 1, size - length - 1);
    number[size - length - 1] = 0;
    state->left = line + size + 1;
    return GLNN_OK;
}

/* Returns false if there is nothing to parse, because the state is saved or has failed. */
static bool exchange_text(glnn__state *state, const name_text *name, char number[NUMBER_LENGTH])
{
    if (state->status)
        return false;
    if (glnn__state_loads(state))
        state->status = take_line(state, name->text, number);
    else
        glnn__text_print(&state->numbers, "%s %s\n", name->text, number);
    return glnn__state_loads(state);
}

/* To be called after a number was parsed up to `end`. */
static void check_number(glnn__state *state, const name_text *name, const char *number,
                         const char *end)
{
    if (end == number || *end)
        state->status = glnn__fail(GLNN_E_FORMAT, "%s: '%s' is '%s' in the checkpoint", state->path,
                                   name->text, number);
}

static void exchange_int(glnn__state *state, const name_text *name, int *value)
{
    char number[NUMBER_LENGTH], *end;
    snprintf(number, sizeof number, "%d", *value);
    if (!exchange_text(state, name, number))
        return;
    const long parsed = strtol(number, &end, 10);
    check_number(state, name, number, parsed == (int)parsed ? end : number);
    *value = (int)parsed;
}

void glnn__state_int(glnn__state *state, int *value, const char *name, ...)
{
    name_text of;
    NAME_OF(name, of);
    exchange_int(state, &of, value);
}

void glnn__state_bool(glnn__state *state, bool *value, const char *name, ...)
{
    name_text of;
    NAME_OF(name, of);
    int number = *value;
    exchange_int(state, &of, &number);
    *value = number != 0;
}

void glnn__state_count(glnn__state *state, uint64_t *value, const char *name, ...)
{
    char number[NUMBER_LENGTH], *end;
    name_text of;
    NAME_OF(name, of);
    snprintf(number, sizeof number, "%" PRIu64, *value);
    if (!exchange_text(state, &of, number))
        return;
    *value = strtoull(number, &end, 10);
    check_number(state, &of, number, end);
}

void glnn__state_double(glnn__state *state, double *value, const char *name, ...)
{
    char number[NUMBER_LENGTH], *end;
    name_text of;
    NAME_OF(name, of);
    snprintf(number, sizeof number, "%.17g", *value);
    if (!exchange_text(state, &of, number))
        return;
    *value = strtod(number, &end);
    check_number(state, &of, number, end);
}
