#include "io/table/csv_columns.h"

#include "base/status.h"
#include "io/table/csv_desc.h"
#include "io/table/labels.h"
#include "io/table/number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NOWHERE SIZE_MAX

/* The search for the columns that a description asks for. */
typedef struct search {
    const glnn__csv_rows *row;
    const glnn_csv_desc *desc;
    glnn__labels names; /* the distinct fields of the first row                        */
    size_t *column_of;  /* the first column of each name                               */
    size_t *twin_of;    /* another column of that name; 0: none                        */
    bool by_name;       /* features are found by the names of desc->like               */
    glnn__csv_roles *roles;
    glnn_csv_columns *columns;
    glnn_csv_problem *problem;
} search;

bool glnn__csv_is_missing(const char *text)
{
    return text[0] == 0 || !strcmp(text, "?") || !strcmp(text, "NA") || !strcasecmp(text, "nan");
}

static glnn_status index_names(search *in)
{
    const size_t count = in->roles->count;
    in->column_of = calloc(count, sizeof *in->column_of);
    in->twin_of = calloc(count, sizeof *in->twin_of);
    if (!in->column_of || !in->twin_of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", in->row->path, count);
    for (size_t c = 0; c < count; ++c) {
        int known = in->names.count, index;
        GLNN__TRY(glnn__labels_index(&in->names, in->row->fields[c], &index));
        *(index == known ? &in->column_of[index] : &in->twin_of[index]) = c;
    }
    return GLNN_OK;
}

/* Whether the first row is a header ------------------------------------------------------------ */

static bool names_are_asked_for(const glnn_csv_desc *desc)
{
    bool asked = desc->label && !glnn__csv_is_position(desc->label);
    for (int i = 0; !asked && i < desc->target_count; ++i)
        asked = !glnn__csv_is_position(desc->targets[i]);
    for (int i = 0; !asked && i < desc->dropped_count; ++i)
        asked = !glnn__csv_is_position(desc->dropped[i]);
    return asked;
}

static bool has_all_names(const search *in, const glnn_csv_columns *like)
{
    bool all = like && like->feature_names;
    for (int i = 0; all && i < like->features; ++i)
        all = glnn__labels_find(&in->names, like->feature_names[i]) >= 0;
    return all;
}

static bool is_at(const char *text, size_t columns, size_t column)
{
    size_t place;
    return glnn__csv_find_position(text, columns, &place) && place == column;
}

/* Only the fields of features and targets tell names from data: a label may be any text. */
static bool tells_header(const search *in, size_t column)
{
    const glnn_csv_desc *desc = in->desc;
    bool tells = !desc->label || !is_at(desc->label, in->roles->count, column);
    for (int i = 0; tells && i < desc->dropped_count; ++i)
        tells = !is_at(desc->dropped[i], in->roles->count, column);
    return tells;
}

static glnn_status detect_header(const search *in, bool *header)
{
    const glnn__csv_rows *row = in->row;
    size_t text = NOWHERE, number = NOWHERE;
    float value;
    for (size_t c = 0; c < in->roles->count; ++c) {
        if (glnn__csv_is_missing(row->fields[c]) || !tells_header(in, c))
            continue;
        *(glnn__number_parse(row->fields[c], &value) == GLNN__NUMBER_NONE ? &text : &number) = c;
    }
    *header = text != NOWHERE;
    if (text == NOWHERE || number == NOWHERE)
        return GLNN_OK;
    *in->problem = GLNN_CSV_PROBLEM_HEADER;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: line %zu: column %zu has the text '%.60s' and column %zu the number "
                      "'%.60s', so it is unclear whether this row is a header",
                      row->path, row->row_line, text + 1, row->fields[text], number + 1,
                      row->fields[number]);
}

static glnn_status find_header(search *in)
{
    const glnn_csv_desc *desc = in->desc;
    in->roles->header = true;
    if (desc->header != GLNN_CSV_HEADER_AUTO)
        in->roles->header = desc->header == GLNN_CSV_HEADER_YES;
    else if (!names_are_asked_for(desc) && !has_all_names(in, desc->like))
        GLNN__TRY(detect_header(in, &in->roles->header));
    in->by_name = in->roles->header && desc->like && desc->like->feature_names;
    return GLNN_OK;
}

/* Which column is what ------------------------------------------------------------------------- */

static glnn_status find_name(const search *in, const char *name, size_t *column)
{
    int index = glnn__labels_find(&in->names, name);
    *column = index < 0 ? NOWHERE : in->column_of[index];
    if (index >= 0 && in->twin_of[index])
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: columns %zu and %zu are both named '%.60s'",
                          in->row->path, in->row->row_line, *column + 1, in->twin_of[index] + 1,
                          name);
    return GLNN_OK;
}

/* Fails where the first row is one field with what separates the columns of other tables. */
static glnn_status check_separator(const search *in)
{
    static const char separators[] = "\t;|,";
    static const char *const names[] = {"tabs", "semicolons", "vertical bars", "commas"};
    const char *found = in->roles->count == 1 ? strpbrk(in->row->fields[0], separators) : NULL;
    if (!found)
        return GLNN_OK;
    *in->problem = GLNN_CSV_PROBLEM_SEPARATOR;
    return glnn__fail(
        GLNN_E_FORMAT, "%s: line %zu has one column; it contains %s, which may separate columns",
        in->row->path, in->row->row_line, names[strchr(separators, *found) - separators]);
}

static glnn_status find_column(const search *in, const char *text, size_t *column)
{
    *column = NOWHERE;
    if (in->roles->header)
        GLNN__TRY(find_name(in, text, column));
    if (*column == NOWHERE && !glnn__csv_find_position(text, in->roles->count, column)) {
        GLNN__TRY(check_separator(in));
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: no column is named '%.60s'", in->row->path,
                          in->row->row_line, text);
    }
    if (*column >= in->roles->count)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: there are %zu columns, so no column %zu",
                          in->row->path, in->row->row_line, in->roles->count, *column + 1);
    return GLNN_OK;
}

static bool is_free(const search *in, size_t column)
{
    const glnn__csv_column *of = &in->roles->of[column];
    return of->role == GLNN__CSV_FEATURE && of->place == NOWHERE;
}

static glnn_status assign(search *in, size_t column, glnn__csv_role role, int place)
{
    const bool label = in->roles->of[column].role == GLNN__CSV_LABEL;
    if (label && role == GLNN__CSV_LEFT_OUT && glnn__csv_is_position(in->desc->label))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %zu: column %zu ('%.60s') is to be dropped, but it is the "
                          "label, which is column '%.20s'; name the label's column first",
                          in->row->path, in->row->row_line, column + 1, in->row->fields[column],
                          in->desc->label);
    if (!is_free(in, column))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %zu: column %zu ('%.60s') is asked for twice: a column is one "
                          "of label, target, dropped or feature",
                          in->row->path, in->row->row_line, column + 1, in->row->fields[column]);
    in->roles->of[column] = (glnn__csv_column){role, (size_t)place};
    return GLNN_OK;
}

/* Finds a column that may be absent where it is the one that `like` calls `learnt`. */
static glnn_status find_learnt(const search *in, const char *text, const char *learnt,
                               size_t *column)
{
    if (in->by_name && learnt && (glnn__csv_is_position(text) || !strcmp(text, learnt)))
        return find_name(in, learnt, column);
    return find_column(in, text, column);
}

static glnn_status assign_label(search *in)
{
    const glnn_csv_columns *like = in->desc->like;
    size_t column;
    if (!in->desc->label)
        return GLNN_OK;
    GLNN__TRY(find_learnt(in, in->desc->label, like ? like->label_name : NULL, &column));
    in->roles->has_label = column != NOWHERE;
    return in->roles->has_label ? assign(in, column, GLNN__CSV_LABEL, 0) : GLNN_OK;
}

static glnn_status assign_targets(search *in)
{
    const glnn_csv_desc *desc = in->desc;
    char *const *learnt = in->by_name ? desc->like->target_names : NULL;
    int found = 0;
    for (int i = 0; i < desc->target_count; ++i) {
        const char *name = learnt && i < desc->like->targets ? learnt[i] : NULL;
        size_t column;
        if (learnt && desc->like->targets != desc->target_count &&
            glnn__csv_is_position(desc->targets[i]))
            return glnn__fail(GLNN_E_ARG,
                              "glnn_csv_read: target '%s' is a position in a table of %d targets, "
                              "but %d are asked for",
                              desc->targets[i], desc->like->targets, desc->target_count);
        GLNN__TRY(find_learnt(in, desc->targets[i], name, &column));
        if (column == NOWHERE)
            continue;
        GLNN__TRY(assign(in, column, GLNN__CSV_TARGET, i));
        ++found;
    }
    if (found != 0 && found != desc->target_count)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: only %d of %d targets are there",
                          in->row->path, in->row->row_line, found, desc->target_count);
    in->columns->targets = found;
    return GLNN_OK;
}

static glnn_status leave_out(search *in, const char *name)
{
    size_t column;
    GLNN__TRY(find_name(in, name, &column));
    if (column == NOWHERE || !is_free(in, column))
        return GLNN_OK;
    return assign(in, column, GLNN__CSV_LEFT_OUT, in->columns->dropped++);
}

/* The columns of `like` that are there, but neither features nor asked for. */
static glnn_status leave_out_learnt(search *in, const glnn_csv_columns *like)
{
    if (like->label_name)
        GLNN__TRY(leave_out(in, like->label_name));
    for (int i = 0; like->target_names && i < like->targets; ++i)
        GLNN__TRY(leave_out(in, like->target_names[i]));
    for (int i = 0; like->dropped_names && i < like->dropped; ++i)
        GLNN__TRY(leave_out(in, like->dropped_names[i]));
    return GLNN_OK;
}

static glnn_status assign_dropped(search *in)
{
    const glnn_csv_desc *desc = in->desc;
    for (int i = 0; i < desc->dropped_count; ++i) {
        size_t column;
        if (in->by_name) {
            if (!glnn__csv_is_position(desc->dropped[i]))
                GLNN__TRY(leave_out(in, desc->dropped[i]));
            continue;
        }
        GLNN__TRY(find_column(in, desc->dropped[i], &column));
        GLNN__TRY(assign(in, column, GLNN__CSV_LEFT_OUT, in->columns->dropped++));
    }
    return in->by_name ? leave_out_learnt(in, desc->like) : GLNN_OK;
}

/* Names in quotes; a few, and how many more there are. */
typedef struct name_list {
    char text[256];
    size_t used;
    int count;
} name_list;

static void list_name(name_list *list, const char *name)
{
    if (list->count++ < 5)
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s'%.30s'", list->count > 1 ? ", " : "", name);
    else
        snprintf(list->text + list->used, sizeof list->text - list->used, " and %d more",
                 list->count - 5);
}

static glnn_status assign_features_by_name(search *in)
{
    const glnn_csv_columns *like = in->desc->like;
    name_list missing = {0}, unknown = {0};
    size_t column;
    for (int i = 0; i < like->features; ++i) {
        GLNN__TRY(find_name(in, like->feature_names[i], &column));
        if (column == NOWHERE || !is_free(in, column))
            list_name(&missing, like->feature_names[i]);
        else
            GLNN__TRY(assign(in, column, GLNN__CSV_FEATURE, i));
    }
    for (column = 0; column < in->roles->count; ++column)
        if (is_free(in, column))
            list_name(&unknown, in->row->fields[column]);
    if (missing.count == 0 && unknown.count > 0)
        *in->problem = GLNN_CSV_PROBLEM_ADDITIONAL;
    if (missing.count + unknown.count > 0)
        return glnn__fail(
            GLNN_E_FORMAT, "%s: line %zu: the columns are not those expected: %s%s%s%s%s",
            in->row->path, in->row->row_line, missing.text, missing.count ? " missing" : "",
            missing.count && unknown.count ? ", " : "", unknown.text,
            unknown.count ? " additional" : "");
    in->columns->features = like->features;
    return GLNN_OK;
}

static glnn_status assign_features(search *in)
{
    const glnn_csv_columns *like = in->desc->like;
    if (in->by_name)
        return assign_features_by_name(in);
    for (size_t c = 0; c < in->roles->count; ++c)
        if (is_free(in, c))
            GLNN__TRY(assign(in, c, GLNN__CSV_FEATURE, in->columns->features++));
    if (in->columns->features < 1) {
        GLNN__TRY(check_separator(in));
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: no column is left for features",
                          in->row->path, in->row->row_line);
    }
    if (like && in->columns->features != like->features)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %zu has %d columns of features, but there should be %d",
                          in->row->path, in->row->row_line, in->columns->features, like->features);
    return GLNN_OK;
}

/* Copies the names of all columns of a role; NULL: no memory. */
static char **copy_names(const search *in, glnn__csv_role role, int count)
{
    char **names = calloc((size_t)count + 1, sizeof *names);
    for (size_t c = 0; names && c < in->roles->count; ++c) {
        const glnn__csv_column *of = &in->roles->of[c];
        if (of->role == role && !(names[of->place] = strdup(in->row->fields[c]))) {
            for (int i = 0; i < count; ++i)
                free(names[i]);
            free(names);
            return NULL;
        }
    }
    return names;
}

static glnn_status keep_names(search *in)
{
    glnn_csv_columns *columns = in->columns;
    columns->feature_names = copy_names(in, GLNN__CSV_FEATURE, columns->features);
    columns->target_names = copy_names(in, GLNN__CSV_TARGET, columns->targets);
    columns->dropped_names = copy_names(in, GLNN__CSV_LEFT_OUT, columns->dropped);
    char **label = copy_names(in, GLNN__CSV_LABEL, 1);
    columns->label_name = label ? label[0] : NULL;
    free(label);
    if (!columns->feature_names || !columns->target_names || !columns->dropped_names || !label)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names of %zu columns", in->row->path,
                          in->roles->count);
    return GLNN_OK;
}

static glnn_status find_roles(search *in)
{
    in->roles->of = calloc(in->roles->count, sizeof *in->roles->of);
    if (!in->roles->of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", in->row->path,
                          in->roles->count);
    for (size_t c = 0; c < in->roles->count; ++c)
        in->roles->of[c].place = NOWHERE;
    GLNN__TRY(index_names(in));
    GLNN__TRY(find_header(in));
    GLNN__TRY(assign_label(in));
    GLNN__TRY(assign_targets(in));
    GLNN__TRY(assign_dropped(in));
    GLNN__TRY(assign_features(in));
    return in->roles->header ? keep_names(in) : GLNN_OK;
}

glnn_status glnn__csv_find_columns(const glnn__csv_rows *first, const glnn_csv_desc *desc,
                                   glnn__csv_roles *roles, glnn_csv_columns *columns,
                                   glnn_csv_problem *problem)
{
    search in = {
        .row = first, .desc = desc, .roles = roles, .columns = columns, .problem = problem};
    *roles = (glnn__csv_roles){.count = first->count};
    glnn_status status = find_roles(&in);
    glnn__labels_free(&in.names);
    free(in.column_of);
    free(in.twin_of);
    return status;
}
