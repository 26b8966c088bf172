#include "io/table/csv_desc.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

bool glnn__csv_find_position(const char *text, size_t columns, size_t *column)
{
    size_t digits = strspn(text, "0123456789");
    if (!strcmp(text, "first"))
        *column = 0;
    else if (!strcmp(text, "last"))
        *column = columns - 1;
    else if (digits > 0 && digits <= 9 && text[digits] == 0 && text[0] != '0')
        *column = strtoul(text, NULL, 10) - 1;
    else
        return false;
    return true;
}

bool glnn__csv_is_position(const char *text)
{
    size_t column;
    return glnn__csv_find_position(text, 1, &column);
}

static glnn_status check_names(const char *what, const char *const *names, int count,
                               glnn_csv_header header)
{
    if (count < 0 || (count > 0 && !names))
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: %d %s columns, in an array that is %s", count,
                          what, names ? "there" : "null");
    for (int i = 0; i < count; ++i) {
        if (!names[i])
            return glnn__fail(GLNN_E_ARG, "glnn_csv_read: the name of %s column %d is null", what,
                              i);
        if (header == GLNN_CSV_HEADER_NO && !glnn__csv_is_position(names[i]))
            return glnn__fail(GLNN_E_ARG,
                              "glnn_csv_read: the %s column is named '%.60s', but without a header "
                              "columns have no names",
                              what, names[i]);
    }
    return GLNN_OK;
}

glnn_status glnn__csv_check_desc(const glnn_csv_desc *desc)
{
    if (desc->separator == '"' || desc->separator == '\r' || desc->separator == '\n')
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: a quote or line break cannot separate");
    if ((unsigned)desc->header > GLNN_CSV_HEADER_NO)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: there is no choice %d for the header",
                          (int)desc->header);
    if ((unsigned)desc->missing > GLNN_CSV_MISSING_FILL)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: there is no choice %d for missing values",
                          (int)desc->missing);
    GLNN__TRY(check_names("label", &desc->label, desc->label ? 1 : 0, desc->header));
    GLNN__TRY(check_names("target", desc->targets, desc->target_count, desc->header));
    GLNN__TRY(check_names("dropped", desc->dropped, desc->dropped_count, desc->header));
    if (desc->like && desc->like->features < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: the table to be like has %d features",
                          desc->like->features);
    if (desc->like && !desc->like->means && desc->missing == GLNN_CSV_MISSING_FILL)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_csv_read: the table to be like has no means to fill values with");
    return GLNN_OK;
}
