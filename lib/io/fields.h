/* The fields of a description: one table for each structure, from which its defaults and checks,
 * the texts of files and checkpoints, and glnn/fields.h come. */
#ifndef GLNN__IO_FIELDS_H
#define GLNN__IO_FIELDS_H

#include "base/names.h"

#include <glnn/fields.h>

/* The texts that have a field. Checkpoints recognise a learner also by those that are in files. */
typedef enum glnn__keeping { GLNN__NOT_KEPT, GLNN__IN_CHECKPOINTS, GLNN__IN_FILES } glnn__keeping;

typedef struct glnn__field {
    const char *name; /* in C: "kernel.height" */
    glnn_field_type type;
    size_t offset;

    /* A structure whose fields have names that begin with this one's. NULL: this is a field. */
    const struct glnn__fields *nested;

    const char *key; /* of its text; NULL: the name, without that of a structure around it */
    glnn__keeping kept;

    const glnn__names *names; /* CHOICE */
    double standard;          /* the meaning of 0 */
    const char *zero;         /* the same as words, where it depends on other things: 0 stays */
    bool stays;               /* 0 stays, and the code that reads the field knows its meaning */
    bool is_later;            /* files from before there was such a field lack it: it is 0 */

    /* The range of other values, for INT, FLOAT and DOUBLE. most 0: no limit; of a CHOICE: all
     * names. `above` and `below` leave out the ends. */
    double least, most;
    bool above, below;

    unsigned users; /* bits of the kinds that use it, as the structure defines them; 0: all */
} glnn__field;

typedef struct glnn__fields {
    const glnn__field *list;
    int count;
    const char *type; /* of a public description, with room for later members; NULL: another */
    size_t reserved, reserved_size;
} glnn__fields;

/* clang-format off */
/* A row for a member of the structure in which AT finds it: its type, its name, where it is kept,
 * and whatever else differs from zeros. */
#define GLNN__ROW(kind, member, ...) \
    {.name = #member, .type = GLNN_FIELD_##kind, .offset = AT(member), .kept = __VA_ARGS__}
#define GLNN__FIELDS(list) {list, (int)(sizeof list / sizeof *list), NULL, 0, 0}
#define GLNN__DESCRIPTION(type, list)                                                              \
    {list, (int)(sizeof list / sizeof *list), #type, offsetof(type, reserved),                     \
     sizeof((type *)0)->reserved}
/* clang-format on */

/* A number as a part of words. */
#define GLNN__TEXT_OF(number) #number
#define GLNN__TEXT(macro)     GLNN__TEXT_OF(macro)

/* A field in a structure that may lie in another one. */
typedef struct glnn__place {
    const glnn__field *field;
    size_t offset;
    const char *key;
    char name[40];
} glnn__place;

/* Finds field `index`, where those of nested structures count too. False past the last. */
bool glnn__fields_at(const glnn__fields *of, int index, glnn__place *out);

/* Fills in the defaults of zeros, and fails with E_ARG where a value is not in its range, or where
 * the room for later members is not zeros. */
glnn_status glnn__fields_check(const glnn__fields *of, void *desc);

/* "a number in [0, 1)", and "... , or 0 for 0.5" if a default is the meaning of 0. */
void glnn__field_print_range(const glnn__field *field, bool with_zero, char *text, size_t room);

/* The same for the default of a field; "" if it has none. */
void glnn__field_print_standard(const glnn__field *field, char *text, size_t room);

/* The number of names of a CHOICE; 0 of other fields. */
int glnn__field_choices(const glnn__field *field);

/* 0 is a value of the field: its default, or one in its range. */
bool glnn__field_takes_zero(const glnn__field *field);

/* The value of a field of a number or a choice. */
double glnn__field_number(const glnn__place *place, const void *desc);

/* Writes the value into room for a text, and returns its length. The caller enters the C locale
 * (io/table/number.h) for this and for reading. */
size_t glnn__field_print(const glnn__place *place, const void *desc, char *text, size_t room);

/* Sets the value, which may be a 0 that stands for the default if `with_zero` is set. Returns false
 * if the text is not one of the field; it then is as before. */
bool glnn__field_parse(const glnn__place *place, const char *text, bool with_zero, void *desc);

#endif
