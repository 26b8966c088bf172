/* The names of public enumerations, from which glnn_<noun>_name and glnn_<noun>_from_name are
 * made. */
#ifndef GLNN__BASE_NAMES_H
#define GLNN__BASE_NAMES_H

#include "base/status.h"

/* The name at place `value` in a table of `count` names, or "unknown" if the table has none. */
const char *glnn__name_of(const char *const *names, int count, int value);

/* Finds the place of a name; gaps of the table are null. `asker` begins the sentence: a public
 * function, and where the name came from if that is not an argument.
 * Errors: E_ARG the name is not in the table; *value stays as it is. */
glnn_status glnn__name_find(const char *asker, const char *const *names, int count,
                            const char *name, int *value);

/* The names of an enumeration for tables of fields. */
typedef struct glnn__names {
    const char *const *list;
    int count;
} glnn__names;

#define GLNN__DECLARE_NAMES(type) extern const glnn__names glnn__names_of_##type;

/* Defines both functions of the enumeration `type`, and the names for tables. `names` is an array
 * of texts, in which the values of the enumerators are the places. */
#define GLNN__DEFINE_NAMES(type, names)                                                            \
    GLNN__DECLARE_NAMES(type)                                                                      \
    const glnn__names glnn__names_of_##type = {names, (int)(sizeof names / sizeof names[0])};      \
    const char *type##_name(type value)                                                            \
    {                                                                                              \
        return glnn__name_of(names, (int)(sizeof names / sizeof names[0]), (int)value);            \
    }                                                                                              \
    glnn_status type##_from_name(const char *name, type *out)                                      \
    {                                                                                              \
        int value = 0;                                                                             \
        GLNN__NOT_NULL(name);                                                                      \
        GLNN__NOT_NULL(out);                                                                       \
        GLNN__TRY(glnn__name_find(__func__, names, (int)(sizeof names / sizeof names[0]), name,    \
                                  &value));                                                        \
        *out = (type)value;                                                                        \
        return GLNN_OK;                                                                            \
    }

#endif
