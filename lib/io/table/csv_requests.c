#include "io/table/csv_requests.h"

#include "base/status.h"
#include "io/table/columns.h"
#include "io/table/fit.h"

#include <stdlib.h>
#include <string.h>

static glnn__csv_request request_of(const glnn_csv_desc *desc, const char *what, glnn_csv_role role,
                                    const char *const *texts, int count)
{
    static const glnn_csv_columns none = {0};
    const glnn__csv_columns_of learnt =
        glnn__csv_columns_with(desc->like ? desc->like : &none, role);
    return (glnn__csv_request){what, role, texts, count, learnt.of, learnt.count};
}

void glnn__csv_list_requests(const glnn_csv_desc *desc, glnn__csv_request out[GLNN__CSV_REQUESTS])
{
    out[0] = request_of(desc, "label", GLNN_CSV_ROLE_LABEL, &desc->label, desc->label != NULL);
    out[1] = request_of(desc, "target", GLNN_CSV_ROLE_TARGET, desc->targets, desc->target_count);
    out[2] = request_of(desc, "dropped", GLNN_CSV_ROLE_DROPPED, desc->dropped, desc->dropped_count);
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

static glnn_status check_choice(const glnn_csv_desc *desc, int index)
{
    const glnn_csv_choice *of = &desc->choices[index];
    if (!of->column)
        return glnn__fail(GLNN_E_ARG, "desc->choices[%d].column is null", index);
    if ((unsigned)of->type >= GLNN_CSV_TYPE_COUNT ||
        (unsigned)of->encoding >= GLNN_CSV_ENCODING_COUNT)
        return glnn__fail(GLNN_E_ARG,
                          "desc->choices[%d] has the type %d, which must be below %d, and the "
                          "encoding %d, which must be below %d",
                          index, (int)of->type, (int)GLNN_CSV_TYPE_COUNT, (int)of->encoding,
                          (int)GLNN_CSV_ENCODING_COUNT);
    if (desc->header == GLNN_CSV_HEADER_NO && !glnn__csv_is_position(of->column))
        return glnn__fail(GLNN_E_ARG,
                          "a choice is for the column '%.60s', which is not a position; without a "
                          "header columns have no names",
                          of->column);
    return GLNN_OK;
}

static glnn_status check_choices(const glnn_csv_desc *desc)
{
    if (desc->choice_count < 0 || (desc->choice_count > 0 && !desc->choices))
        return glnn__fail(GLNN_E_ARG, "%d choices, but their array is %s", desc->choice_count,
                          desc->choices ? "not null" : "null");
    if (desc->choice_count > 0 && desc->like)
        return glnn__fail(GLNN_E_ARG, "there are %d choices, but types are those of desc->like",
                          desc->choice_count);
    for (int i = 0; i < desc->choice_count; ++i)
        GLNN__TRY(check_choice(desc, i));
    if (desc->encoding != GLNN_CSV_ENCODING_AUTO && desc->encoding != GLNN_CSV_ENCODING_ONE_HOT &&
        desc->encoding != GLNN_CSV_ENCODING_ORDINAL)
        return glnn__fail(GLNN_E_ARG, "desc->encoding is %d; it must be AUTO, ONE_HOT or ORDINAL",
                          (int)desc->encoding);
    return glnn__csv_check_rare("desc->rare", desc->rare);
}

static glnn_status check_like(const glnn_csv_desc *desc)
{
    const glnn_csv_columns *like = desc->like;
    const glnn_status status = glnn__csv_columns_check(like);
    if (status)
        return glnn__fail(status, "desc->like: %s", glnn_last_error());
    if (like->features < 1 && (!desc->raw || like->feature_columns < 1))
        return glnn__fail(GLNN_E_ARG, "desc->like has %d features; there must be at least 1",
                          like->features);
    if (like->targets > 0 && desc->target_count > 0 && desc->target_count != like->targets)
        return glnn__fail(GLNN_E_ARG, "desc->target_count is %d, but desc->like has %d targets",
                          desc->target_count, like->targets);
    if (like->count == 0 && desc->missing >= GLNN_CSV_MISSING_FILL)
        return glnn__fail(GLNN_E_ARG,
                          "desc->missing is %s, but desc->like has no means to fill with",
                          glnn_csv_missing_name(desc->missing));
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
    GLNN__TRY(check_choices(desc));
    if (desc->like)
        GLNN__TRY(check_like(desc));
    glnn__csv_list_requests(desc, requests);
    for (int r = 0; r < GLNN__CSV_REQUESTS; ++r)
        GLNN__TRY(check_request(&requests[r], desc->header));
    return GLNN_OK;
}
