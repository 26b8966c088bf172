#include "io/fields.h"

#include "base/digits.h"
#include "base/sized.h"
#include "io/table/number.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places */

static int count_of(const glnn__fields *of)
{
    int count = 0;
    for (const glnn__field *field = of->list; field < of->list + of->count; ++field)
        count += field->nested ? count_of(field->nested) : 1;
    return count;
}

/* Goes to field `index` of a structure at the place `at`. */
static bool find(const glnn__fields *of, const glnn__place *at, int index, glnn__place *out)
{
    for (const glnn__field *field = of->list; field < of->list + of->count; ++field) {
        const int count = field->nested ? count_of(field->nested) : 1;
        if (index >= count) {
            index -= count;
            continue;
        }
        glnn__place here = {.field = field, .offset = at->offset + field->offset};
        here.key = field->key ? field->key : field->name;
        snprintf(here.name, sizeof here.name, "%.18s%s%.20s", at->name, *at->name ? "." : "",
                 field->name);
        if (field->nested)
            return find(field->nested, &here, index, out);
        *out = here;
        return true;
    }
    return false;
}

bool glnn__fields_at(const glnn__fields *of, int index, glnn__place *out)
{
    return find(of, &(glnn__place){.name = ""}, index, out);
}

/* ---- Ranges */

static bool has_default(const glnn__field *field)
{
    return field->standard != 0 || field->zero;
}

int glnn__field_choices(const glnn__field *field)
{
    if (field->type != GLNN_FIELD_CHOICE)
        return 0;
    return field->most > 0 ? (int)field->most + 1 : field->names->count;
}

/* Floats are compared with the ends as floats. */
static double end_of(const glnn__field *field, double end)
{
    return field->type == GLNN_FIELD_FLOAT ? (double)(float)end : end;
}

static bool is_in_range(const glnn__field *field, double value)
{
    const double least = end_of(field, field->least), most = end_of(field, field->most);
    if (field->type == GLNN_FIELD_CHOICE)
        return value >= 0 && value < glnn__field_choices(field);
    return isfinite(value) && (field->above ? value > least : value >= least) &&
           (most == 0 || (field->below ? value < most : value <= most));
}

bool glnn__field_takes_zero(const glnn__field *field)
{
    return has_default(field) || is_in_range(field, 0);
}

static bool has_range(const glnn__field *field)
{
    return field->type != GLNN_FIELD_UINT64 && field->type != GLNN_FIELD_BOOL;
}

static void print_choices(const glnn__field *field, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "one of ");
    for (int i = 0; i < glnn__field_choices(field) && used < room; ++i)
        used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? ", " : "",
                                 field->names->list[i]);
}

static void print_numbers(const glnn__field *field, char *text, size_t room)
{
    const bool is_int = field->type == GLNN_FIELD_INT;
    const double least = field->least, most = field->most;
    if (isfinite(least) && most != 0 && is_int)
        snprintf(text, room, "an integer from %.0f to %.0f", least, most);
    else if (isfinite(least) && most != 0)
        snprintf(text, room, "a number in %c%g, %g%c", field->above ? '(' : '[', least, most,
                 field->below ? ')' : ']');
    else if (isfinite(least) && field->above)
        snprintf(text, room, "a finite number above %g", least);
    else if (isfinite(least))
        snprintf(text, room, "%s from %g on", is_int ? "an integer" : "a finite number", least);
    else if (most != 0)
        snprintf(text, room, "a number up to %g", most);
    else
        snprintf(text, room, "a finite number");
}

void glnn__field_print_standard(const glnn__field *field, char *text, size_t room)
{
    *text = '\0';
    if (field->zero)
        snprintf(text, room, "%s", field->zero);
    else if (field->type == GLNN_FIELD_CHOICE)
        snprintf(text, room, "%s", field->names->list[0]);
    else if (field->type == GLNN_FIELD_BOOL)
        snprintf(text, room, "false");
    else if (!has_range(field) || glnn__field_takes_zero(field))
        snprintf(text, room, "%g", field->standard);
}

void glnn__field_print_range(const glnn__field *field, bool with_zero, char *text, size_t room)
{
    if (field->type == GLNN_FIELD_CHOICE)
        print_choices(field, text, room);
    else if (field->type == GLNN_FIELD_BOOL)
        snprintf(text, room, "true or false");
    else if (field->type == GLNN_FIELD_UINT64)
        snprintf(text, room, "an integer from 0 to %" PRIu64, UINT64_MAX);
    else
        print_numbers(field, text, room);
    const size_t used = strlen(text);
    if (with_zero && has_range(field) && has_default(field) && field->type != GLNN_FIELD_CHOICE) {
        snprintf(text + used, room - used, ", or 0 for ");
        glnn__field_print_standard(field, text + strlen(text), room - strlen(text));
    }
}

/* ---- Values */

double glnn__field_number(const glnn__place *place, const void *desc)
{
    const void *at = (const char *)desc + place->offset;
    switch (place->field->type) {
    case GLNN_FIELD_FLOAT:
        return (double)*(const float *)at;
    case GLNN_FIELD_DOUBLE:
        return *(const double *)at;
    default:
        return *(const int *)at;
    }
}

static void fill(const glnn__place *place, void *desc)
{
    void *at = (char *)desc + place->offset;
    if (place->field->type == GLNN_FIELD_FLOAT)
        *(float *)at = (float)place->field->standard;
    else
        *(int *)at = (int)place->field->standard;
}

static glnn_status fail_range(const glnn__place *place, const void *desc)
{
    char text[80], range[512];
    const double value = glnn__field_number(place, desc);
    glnn__field_print(place, desc, text, sizeof text);
    glnn__field_print_range(place->field, true, range, sizeof range);
    if (strcmp(text, "unknown") == 0 || place->field->type == GLNN_FIELD_FLOAT)
        snprintf(text, sizeof text, "%g", value);
    return glnn__fail(GLNN_E_ARG, "%s is %s; it has to be %s", place->name, text, range);
}

static glnn_status check_reserved(const glnn__fields *of, const char *desc)
{
    for (const glnn__field *field = of->list; field < of->list + of->count; ++field)
        if (field->nested)
            GLNN__TRY(check_reserved(field->nested, desc + field->offset));
    return of->type ? glnn__reserved_check(of->type, desc + of->reserved, of->reserved_size)
                    : GLNN_OK;
}

/* Fills in the default of a zero. Returns false if the value is not in its range. */
static bool check_field(const glnn__place *place, void *desc)
{
    const glnn__field *field = place->field;
    if (!has_range(field))
        return true;
    const double value = glnn__field_number(place, desc);
    if (value != 0 || !has_default(field))
        return is_in_range(field, value);
    if (!field->zero && !field->stays)
        fill(place, desc);
    return true;
}

/* Checks the fields of a structure at a place, and counts those in their ranges. Returns false at
 * the first that is not. */
static bool check_all(const glnn__fields *of, size_t offset, void *desc, int *count)
{
    for (const glnn__field *field = of->list; field < of->list + of->count; ++field) {
        const glnn__place here = {.field = field, .offset = offset + field->offset};
        if (field->nested ? !check_all(field->nested, here.offset, desc, count)
                          : !check_field(&here, desc))
            return false;
        *count += !field->nested;
    }
    return true;
}

glnn_status glnn__fields_check(const glnn__fields *of, void *desc)
{
    glnn__place place;
    int count = 0;
    GLNN__TRY(check_reserved(of, desc));
    if (check_all(of, 0, desc, &count))
        return GLNN_OK;
    glnn__fields_at(of, count, &place);
    return fail_range(&place, desc);
}

size_t glnn__field_print(const glnn__place *place, const void *desc, char *text, size_t room)
{
    const void *at = (const char *)desc + place->offset;
    const glnn__names *names = place->field->names;
    char digits[GLNN__DIGITS_TEXT];
    switch (place->field->type) {
    case GLNN_FIELD_CHOICE:
        return (size_t)snprintf(text, room, "%s",
                                glnn__name_of(names->list, names->count, *(const int *)at));
    case GLNN_FIELD_FLOAT:
        return (size_t)snprintf(text, room, "%s",
                                glnn__digits_of_float(*(const float *)at, digits));
    case GLNN_FIELD_DOUBLE:
        return (size_t)snprintf(text, room, "%s",
                                glnn__digits_of_double(*(const double *)at, digits));
    case GLNN_FIELD_UINT64:
        return (size_t)snprintf(text, room, "%" PRIu64, *(const uint64_t *)at);
    case GLNN_FIELD_BOOL:
        return (size_t)snprintf(text, room, "%s", *(const bool *)at ? "true" : "false");
    default:
        return (size_t)snprintf(text, room, "%d", *(const int *)at);
    }
}

/* A decimal number of at most `limit`. */
static bool parse_count(const char *text, uint64_t limit, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= limit;
}

static bool parse_int(const char *text, int *value)
{
    uint64_t count = 0;
    const bool is_negative = *text == '-';
    const bool is_count = parse_count(text + is_negative, INT_MAX, &count);
    *value = is_negative ? -(int)count : (int)count;
    return is_count;
}

static bool parse_choice(const glnn__field *field, const char *text, int *value)
{
    for (*value = 0; *value < glnn__field_choices(field); ++*value)
        if (strcmp(field->names->list[*value], text) == 0)
            return true;
    return false;
}

static bool parse_double(const char *text, double *value)
{
    return *text >= '0' && *text <= '9' &&
           glnn__number_parse_double(text, value) == GLNN__NUMBER_FINITE;
}

static bool parse(const glnn__field *field, const char *text, void *value)
{
    switch (field->type) {
    case GLNN_FIELD_CHOICE:
        return parse_choice(field, text, value);
    case GLNN_FIELD_FLOAT:
        return glnn__number_parse(text, value) == GLNN__NUMBER_FINITE;
    case GLNN_FIELD_DOUBLE:
        return parse_double(text, value);
    case GLNN_FIELD_UINT64:
        return parse_count(text, UINT64_MAX, value);
    case GLNN_FIELD_BOOL:
        *(bool *)value = strcmp(text, "true") == 0;
        return *(bool *)value || strcmp(text, "false") == 0;
    default:
        return parse_int(text, value);
    }
}

static size_t size_of(glnn_field_type type)
{
    static const size_t sizes[GLNN_FIELD_TYPE_COUNT] = {
        [GLNN_FIELD_INT] = sizeof(int),       [GLNN_FIELD_FLOAT] = sizeof(float),
        [GLNN_FIELD_DOUBLE] = sizeof(double), [GLNN_FIELD_UINT64] = sizeof(uint64_t),
        [GLNN_FIELD_BOOL] = sizeof(bool),     [GLNN_FIELD_CHOICE] = sizeof(int),
    };
    return sizes[type];
}

/* A number so small that it became 0 is not the 0 that stands for a default. */
static bool is_lost(const glnn__field *field, const char *text, double number)
{
    return field->type <= GLNN_FIELD_DOUBLE && number == 0 &&
           strcspn(text, "123456789") < strcspn(text, "eE");
}

bool glnn__field_parse(const glnn__place *place, const char *text, bool with_zero, void *desc)
{
    const glnn__field *field = place->field;
    union {
        int i;
        float f;
        double d;
        uint64_t count;
        bool is;
    } value = {.count = 0};
    if (!parse(field, text, &value))
        return false;
    if (has_range(field)) {
        const double number =
            glnn__field_number(&(glnn__place){.field = field, .offset = 0}, &value);
        if (is_lost(field, text, number) ||
            (!is_in_range(field, number) && !(with_zero && number == 0 && has_default(field))))
            return false;
    }
    memcpy((char *)desc + place->offset, &value, size_of(field->type));
    return true;
}
