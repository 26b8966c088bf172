#include "io/table/csv_requests.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void glnn__csv_list_requests(const glnn_csv_desc *desc, glnn__csv_request out[GLNN__CSV_REQUESTS])
{
    static const glnn_csv_columns none = {0};
    const glnn_csv_columns *like = desc->like ? desc->like : &none;
    const int *places = like->places;
    out[0] = (glnn__csv_request){
        "label",           GLNN__CSV_LABEL,          &desc->label, desc->label != NULL,
        &like->label_name, like->label_name != NULL, places};
    out[1] = (glnn__csv_request){"target",
                                 GLNN__CSV_TARGET,
                                 desc->targets,
                                 desc->target_count,
                                 like->target_names,
                                 like->targets,
                                 places ? places + 1 : NULL};
    out[2] = (glnn__csv_request){"dropped",
                                 GLNN__CSV_LEFT_OUT,
                                 desc->dropped,
                                 desc->dropped_count,
                                 like->dropped_names,
                                 like->dropped,
                                 places ? places + 1 + like->targets : NULL};
}

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

static glnn_status check_request(const glnn__csv_request *of, glnn_csv_header header)
{
    if (of->count < 0 || (of->count > 0 && !of->texts))
        return glnn__fail(GLNN_E_ARG, "%d %s columns, but their array is %s", of->count, of->what,
                          of->texts ? "not null" : "null");
    for (int i = 0; i < of->count; ++i) {
        if (!of->texts[i])
            return glnn__fail(GLNN_E_ARG, "the name of %s column %d is null", of->what, i);
        if (header == GLNN_CSV_HEADER_NO && !glnn__csv_is_position(of->texts[i]))
            return glnn__fail(GLNN_E_ARG,
                              "the %s column is '%.60s', which is not a position; "
                              "without a header columns have no names",
                              of->what, of->texts[i]);
    }
    return GLNN_OK;
}

glnn_status glnn__csv_check_desc(const glnn_csv_desc *desc)
{
    glnn__csv_request requests[GLNN__CSV_REQUESTS];
    if (desc->separator == '"' || desc->separator == '\r' || desc->separator == '\n')
        return glnn__fail(GLNN_E_ARG, "desc->separator is a quote or a line break");
    if (desc->decimal && desc->decimal != '.' && desc->decimal != ',')
        return glnn__fail(GLNN_E_ARG, "desc->decimal is '%c'; it must be a point or a comma",
                          desc->decimal);
    if (desc->decimal && desc->decimal == (desc->separator ? desc->separator : ','))
        return glnn__fail(GLNN_E_ARG, "desc->decimal is '%c', which is the separator too",
                          desc->decimal);
    if ((unsigned)desc->header >= GLNN_CSV_HEADER_COUNT)
        return glnn__fail(GLNN_E_ARG, "desc->header is %d; it must be below %d", (int)desc->header,
                          (int)GLNN_CSV_HEADER_COUNT);
    if ((unsigned)desc->missing >= GLNN_CSV_MISSING_COUNT)
        return glnn__fail(GLNN_E_ARG, "desc->missing is %d; it must be below %d",
                          (int)desc->missing, (int)GLNN_CSV_MISSING_COUNT);
    glnn__csv_list_requests(desc, requests);
    for (int r = 0; r < GLNN__CSV_REQUESTS; ++r)
        GLNN__TRY(check_request(&requests[r], desc->header));
    if (desc->like && desc->like->features < 1)
        return glnn__fail(GLNN_E_ARG, "desc->like has %d features; there must be at least 1",
                          desc->like->features);
    if (desc->like && desc->like->targets > 0 && desc->target_count > 0 &&
        desc->target_count != desc->like->targets)
        return glnn__fail(GLNN_E_ARG, "desc->target_count is %d, but desc->like has %d targets",
                          desc->target_count, desc->like->targets);
    if (desc->like && !desc->like->means && desc->missing == GLNN_CSV_MISSING_FILL)
        return glnn__fail(GLNN_E_ARG, "desc->missing is FILL, but desc->like has no means");
    return GLNN_OK;
}
