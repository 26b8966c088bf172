#include "base/names.h"

#include <stdio.h>
#include <string.h>

const char *glnn__name_of(const char *const *names, int count, int value)
{
    return value >= 0 && value < count && names[value] ? names[value] : "unknown";
}

/* Lists the names as "a, b, c"; a list that is too long for `text` is cut. */
static void list_names(const char *const *names, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; ++i)
        if (names[i])
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i]);
}

glnn_status glnn__name_find(const char *asker, const char *const *names, int count,
                            const char *name, int *value)
{
    char list[512];
    for (int i = 0; i < count; ++i)
        if (names[i] && strcmp(name, names[i]) == 0) {
            *value = i;
            return GLNN_OK;
        }
    list_names(names, count, list, sizeof list);
    return glnn__fail(GLNN_E_ARG, "%s: \"%.64s\" is not one of %s", asker, name, list);
}

/* Not in status.c: this module includes it. */
static const char *const status_names[GLNN_STATUS_COUNT] = {
    [GLNN_OK] = "GLNN_OK",
    [GLNN_E_ARG] = "GLNN_E_ARG",
    [GLNN_E_SHAPE] = "GLNN_E_SHAPE",
    [GLNN_E_LIMIT] = "GLNN_E_LIMIT",
    [GLNN_E_NOMEM] = "GLNN_E_NOMEM",
    [GLNN_E_UNSUPPORTED] = "GLNN_E_UNSUPPORTED",
    [GLNN_E_GL] = "GLNN_E_GL",
    [GLNN_E_SHADER] = "GLNN_E_SHADER",
    [GLNN_E_IO] = "GLNN_E_IO",
    [GLNN_E_FORMAT] = "GLNN_E_FORMAT",
    [GLNN_E_STATE] = "GLNN_E_STATE",
    [GLNN_E_DIVERGED] = "GLNN_E_DIVERGED",
    [GLNN_E_PROCESS] = "GLNN_E_PROCESS",
    [GLNN_E_DEVICE_LOST] = "GLNN_E_DEVICE_LOST",
};

GLNN__DEFINE_NAMES(glnn_status, status_names)
