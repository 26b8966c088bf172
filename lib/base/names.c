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

glnn_status glnn__name_find(const char *type, const char *const *names, int count, const char *name,
                            int *value)
{
    char list[512];
    if (!name)
        return glnn__fail(GLNN_E_ARG, "%s_from_name: `name` is null", type);
    for (int i = 0; i < count; ++i)
        if (names[i] && strcmp(name, names[i]) == 0) {
            *value = i;
            return GLNN_OK;
        }
    list_names(names, count, list, sizeof list);
    return glnn__fail(GLNN_E_ARG, "%s_from_name: \"%.64s\" is not one of %s", type, name, list);
}
