#include "io/table/csv_columns.h"

#include "base/similar.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/labels.h"
#include "io/table/number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

/* The columns of one name. */
typedef struct places {
    size_t first, twin; /* twin 0: there is one column */
} places;

typedef struct search {
    const glnn__rows *row;
    const glnn_csv_columns *like;
    const glnn_csv_choice *choices;
    int choice_count;
    glnn__csv_request requests[GLNN__CSV_REQUESTS];
    glnn__labels names; /* the distinct fields of the first row  */
    places *places_of;  /* of each name                          */
    bool by_name;       /* features are found by those of `like` */
    glnn__csv_roles *roles;
    glnn_csv_problem *problem;
} search;

static glnn_status index_names(search *in)
{
    for (size_t c = 0; c < in->roles->count; ++c) {
        int known = in->names.count, index;
        GLNN__TRY(glnn__labels_index(&in->names, in->row->fields[c], &index));
        places *of = &in->places_of[index];
        *(index == known ? &of->first : &of->twin) = c;
    }
    return GLNN_OK;
}

static bool names_are_asked_for(const search *in)
{
    for (const glnn__csv_request *of = in->requests; of < in->requests + GLNN__CSV_REQUESTS; ++of)
        for (int i = 0; i < of->count; ++i)
            if (!glnn__csv_is_position(of->texts[i]))
                return true;
    for (int i = 0; i < in->choice_count; ++i)
        if (!glnn__csv_is_position(in->choices[i].column))
            return true;
    return false;
}

static bool has_names(const glnn_csv_columns *like)
{
    return like && like->count > 0 && like->of[0].name;
}

static bool has_all_names(const search *in)
{
    bool all = has_names(in->like);
    for (int i = 0; all && i < in->like->feature_columns; ++i)
        all = glnn__labels_find(&in->names, in->like->of[i].name) >= 0;
    return all;
}

/* Only features and targets show whether a row is a header: a label may be any text, and so may a
 * feature that is chosen to be one. */
static bool tells_header(const search *in, size_t column)
{
    size_t place;
    for (const glnn__csv_request *of = in->requests; of < in->requests + GLNN__CSV_REQUESTS; ++of)
        for (int i = 0; of->role != GLNN_CSV_ROLE_TARGET && i < of->count; ++i)
            if (glnn__csv_find_position(of->texts[i], in->roles->count, &place) && place == column)
                return false;
    for (int i = 0; i < in->choice_count; ++i)
        if (in->choices[i].type > GLNN_CSV_TYPE_NUMBER &&
            glnn__csv_find_position(in->choices[i].column, in->roles->count, &place) &&
            place == column)
            return false;
    return true;
}

static glnn_status detect_header(const search *in, bool *header)
{
    const glnn__rows *row = in->row;
    size_t text = NOWHERE, number = NOWHERE;
    float value;
    for (size_t c = 0; c < in->roles->count; ++c) {
        if (glnn__number_is_missing(row->fields[c], GLNN__CSV_FIELD_NUMBER) || !tells_header(in, c))
            continue;
        *(glnn__number_parse(row->fields[c], &value) == GLNN__NUMBER_NONE ? &text : &number) = c;
    }
    *header = text != NOWHERE;
    if (text == NOWHERE || number == NOWHERE)
        return GLNN_OK;
    *in->problem = GLNN_CSV_PROBLEM_HEADER;
    return glnn__rows_fail(row,
                           ": column %zu has the text '%.60s' and column %zu the number '%.60s'; "
                           "say whether this row is a header",
                           text + 1, row->fields[text], number + 1, row->fields[number]);
}

static glnn_status find_header(search *in, glnn_csv_header header)
{
    in->roles->header = true;
    if (header != GLNN_CSV_HEADER_AUTO)
        in->roles->header = header == GLNN_CSV_HEADER_YES;
    else if (!names_are_asked_for(in) && !has_all_names(in))
        GLNN__TRY(detect_header(in, &in->roles->header));
    in->by_name = in->roles->header && has_names(in->like);
    for (size_t c = 0; in->roles->header && c < in->roles->count; ++c)
        in->roles->of[c].name = in->row->fields[c];
    return GLNN_OK;
}

static glnn_status find_name(const search *in, const char *name, size_t *column)
{
    int index = glnn__labels_find(&in->names, name);
    *column = index < 0 ? NOWHERE : in->places_of[index].first;
    if (index >= 0 && in->places_of[index].twin)
        return glnn__rows_fail(in->row, ": columns %zu and %zu have the same name '%.60s'",
                               *column + 1, in->places_of[index].twin + 1, name);
    return GLNN_OK;
}

glnn_status glnn__csv_check_separator(const glnn__rows *row, glnn_csv_problem *problem)
{
    static const char separators[] = "\t;|,";
    static const char *const names[] = {"tabs", "semicolons", "vertical bars", "commas"};
    const char *found = row->count == 1 ? strpbrk(row->fields[0], separators) : NULL;
    if (!found)
        return GLNN_OK;
    *problem = GLNN_CSV_PROBLEM_SEPARATOR;
    return glnn__rows_fail(row, " has one column, which contains %s; they may be the separators",
                           names[strchr(separators, *found) - separators]);
}

const char *glnn__csv_describe(const glnn__csv_roles *roles, size_t column,
                               char text[GLNN__CSV_PLACE])
{
    const char *name = roles->of[column].name;
    snprintf(text, GLNN__CSV_PLACE, name ? "column %zu ('%.60s')" : "column %zu", column + 1, name);
    return text;
}

static glnn_status find_column(const search *in, const char *text, size_t *column)
{
    *column = NOWHERE;
    if (in->roles->header)
        GLNN__TRY(find_name(in, text, column));
    if (*column == NOWHERE && !glnn__csv_find_position(text, in->roles->count, column)) {
        GLNN__TRY(glnn__csv_check_separator(in->row, in->problem));
        const char *meant = glnn__similar_name(text, in->row->fields, in->row->count);
        return glnn__rows_fail(in->row, ": no column is named '%.60s'%s%s%s", text,
                               meant ? "; did you mean '" : "", meant ? meant : "",
                               meant ? "'?" : "");
    }
    if (*column >= in->roles->count)
        return glnn__rows_fail(in->row, ": there are %zu columns, so no column %zu",
                               in->roles->count, *column + 1);
    return GLNN_OK;
}

static bool is_free(const search *in, size_t column)
{
    const glnn__csv_column *of = &in->roles->of[column];
    return of->role == GLNN_CSV_ROLE_FEATURE && of->place == NOWHERE;
}

static glnn_status assign(search *in, size_t column, glnn_csv_role role, int place)
{
    const char *field = in->row->fields[column];
    const bool label = in->roles->of[column].role == GLNN_CSV_ROLE_LABEL;
    if (label && role == GLNN_CSV_ROLE_DROPPED && glnn__csv_is_position(in->requests[0].texts[0]))
        return glnn__rows_fail(
            in->row,
            ": column %zu ('%.60s') is the label, which is column '%.20s', and cannot "
            "be dropped; choose another column as the label",
            column + 1, field, in->requests[0].texts[0]);
    if (!is_free(in, column))
        return glnn__rows_fail(in->row,
                               ": column %zu ('%.60s') is named twice; a column has one role: "
                               "label, target, dropped or feature",
                               column + 1, field);
    in->roles->of[column].role = role;
    in->roles->of[column].place = (size_t)place;
    ++in->roles->counts[role];
    return GLNN_OK;
}

/* Drops a column, unless it is absent or already has a role. */
static glnn_status leave_out(search *in, const char *name)
{
    size_t column;
    GLNN__TRY(find_name(in, name, &column));
    if (column == NOWHERE || !is_free(in, column))
        return GLNN_OK;
    return assign(in, column, GLNN_CSV_ROLE_DROPPED, in->roles->counts[GLNN_CSV_ROLE_DROPPED]);
}

/* Drops all columns of this name that do not have a role. */
static glnn_status leave_out_all(search *in, const char *name)
{
    const int index = glnn__labels_find(&in->names, name);
    for (size_t c = index < 0 ? in->roles->count : in->places_of[index].first; c < in->roles->count;
         ++c)
        if (is_free(in, c) && !strcmp(in->row->fields[c], name))
            GLNN__TRY(
                assign(in, c, GLNN_CSV_ROLE_DROPPED, in->roles->counts[GLNN_CSV_ROLE_DROPPED]));
    return GLNN_OK;
}

/* Finds the column of `like` in this role that a text means, by its name or its position there. -1:
 * none, because the text names a column of this table, or can. */
static glnn_status find_learnt(const search *in, const glnn__csv_request *of, const char *text,
                               int *learnt)
{
    size_t column;
    for (*learnt = 0; *learnt < of->learnt_count; ++*learnt)
        if (!strcmp(text, of->learnt[*learnt].name))
            return GLNN_OK;
    *learnt = -1;
    GLNN__TRY(find_name(in, text, &column));
    if (column != NOWHERE || !glnn__csv_find_position(text, (size_t)in->like->count, &column))
        return GLNN_OK;
    for (int i = 0; i < of->learnt_count; ++i)
        if ((size_t)of->learnt[i].position == column + 1)
            *learnt = i;
    if (*learnt >= 0)
        return GLNN_OK;
    return glnn__rows_fail(
        in->row,
        ": %s column '%s' is a position in the table for training, where %s '%.60s'%s "
        "was %s; give the name of the column",
        of->what, text, of->what, of->learnt[0].name, of->learnt_count > 1 ? " and others" : "",
        of->learnt[0].position > 0 ? "elsewhere" : "at an unknown position");
}

/* Columns that `like` has in this role may be absent, and so may a column that is dropped by its
 * name. Adds 1 to *known if the text names a column of like. */
static glnn_status assign_text(search *in, const glnn__csv_request *of, int i, int *known)
{
    const char *text = of->texts[i];
    int learnt = -1;
    size_t column;
    if (in->by_name && of->learnt_count > 0)
        GLNN__TRY(find_learnt(in, of, text, &learnt));
    if (learnt >= 0)
        text = of->learnt[learnt].name;
    *known += learnt >= 0;
    if (of->role == GLNN_CSV_ROLE_DROPPED && in->by_name &&
        (learnt >= 0 || !glnn__csv_is_position(text)))
        return leave_out(in, text);
    if (learnt >= 0)
        GLNN__TRY(find_name(in, text, &column));
    else
        GLNN__TRY(find_column(in, text, &column));
    return column == NOWHERE ? GLNN_OK : assign(in, column, of->role, learnt >= 0 ? learnt : i);
}

/* Without names, a table that has as many columns as `like` has feature columns has only these. */
static bool has_only_features(const search *in)
{
    return in->like && !in->by_name && in->like->count > in->like->feature_columns &&
           in->roles->count == (size_t)in->like->feature_columns;
}

static glnn_status assign_requested(search *in, const glnn__csv_request *of)
{
    int known = 0;
    if (has_only_features(in) && of->learnt_count > 0)
        return GLNN_OK;
    for (int i = 0; i < of->count; ++i)
        GLNN__TRY(assign_text(in, of, i, &known));
    const int found = in->roles->counts[of->role];
    if (of->role == GLNN_CSV_ROLE_TARGET && known != 0 && known != of->count)
        return glnn__rows_fail(
            in->row,
            ": %d of the %d targets are targets of the table for training; all of them must "
            "be, or none",
            known, of->count);
    if (of->role != GLNN_CSV_ROLE_DROPPED && found != 0 && found != of->count)
        return glnn__rows_fail(in->row, ": the table has only %d of %d %ss", found, of->count,
                               of->what);
    return GLNN_OK;
}

/* Columns of `like` that are neither features nor named by the description are dropped. */
static glnn_status assign_all_requested(search *in)
{
    for (int r = 0; r < GLNN__CSV_REQUESTS; ++r)
        GLNN__TRY(assign_requested(in, &in->requests[r]));
    for (const glnn__csv_request *of = in->requests; of < in->requests + GLNN__CSV_REQUESTS; ++of)
        for (int i = 0; in->by_name && i < of->learnt_count; ++i)
            GLNN__TRY(leave_out_all(in, of->learnt[i].name));
    return GLNN_OK;
}

/* A few names in quotes, and the number of the others. */
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

static bool has_number(const glnn__rows *row)
{
    bool found = false;
    float value;
    for (size_t c = 0; c < row->count; ++c)
        found = found || glnn__number_parse(row->fields[c], &value) != GLNN__NUMBER_NONE;
    return found;
}

/* A feature of `like` of which only the case differs in this table; NULL: none. */
static const char *find_case(const search *in, const char **here)
{
    for (int i = 0; i < in->like->feature_columns; ++i) {
        const char *name = in->like->of[i].name;
        for (size_t c = 0; glnn__labels_find(&in->names, name) < 0 && c < in->roles->count; ++c)
            if (is_free(in, c) && glnn__string_is(name, in->row->fields[c])) {
                *here = in->row->fields[c];
                return name;
            }
    }
    return NULL;
}

/* Fails because of columns that are not those of `like`. */
static glnn_status fail_columns(search *in, const name_list *missing, const name_list *unknown)
{
    char cases[128] = "";
    if (missing->count == in->like->feature_columns && has_number(in->row)) {
        *in->problem = GLNN_CSV_PROBLEM_NO_HEADER;
        return glnn__rows_fail(
            in->row,
            ": the header of the table for training is missing: this row has numbers, "
            "and none of %s",
            missing->text);
    }
    if (missing->count == 0)
        *in->problem = GLNN_CSV_PROBLEM_ADDITIONAL;
    const char *here = NULL, *name = find_case(in, &here);
    if (name)
        snprintf(cases, sizeof cases, "; upper and lower case differ in '%.30s' and '%.30s'", name,
                 here);
    return glnn__rows_fail(in->row,
                           ": the columns differ from those of the table for training: "
                           "%s%s%s%s%s%s",
                           missing->text, missing->count ? " missing" : "",
                           missing->count && unknown->count ? ", " : "", unknown->text,
                           unknown->count ? " additional" : "", cases);
}

static glnn_status assign_features_by_name(search *in)
{
    name_list missing = {0}, unknown = {0};
    size_t column;
    for (int i = 0; i < in->like->feature_columns; ++i) {
        const char *name = in->like->of[i].name;
        GLNN__TRY(find_name(in, name, &column));
        if (column == NOWHERE || !is_free(in, column))
            list_name(&missing, name);
        else
            GLNN__TRY(assign(in, column, GLNN_CSV_ROLE_FEATURE, i));
    }
    for (column = 0; column < in->roles->count; ++column)
        if (is_free(in, column))
            list_name(&unknown, in->row->fields[column]);
    return missing.count + unknown.count > 0 ? fail_columns(in, &missing, &unknown) : GLNN_OK;
}

/* The columns that the library left out of `like` are so here too if their positions show them. */
static glnn_status leave_out_by_position(search *in)
{
    const bool is_alike = in->like && (size_t)in->like->count == in->roles->count;
    for (int i = 0; is_alike && i < in->like->count; ++i) {
        const glnn_csv_column *of = &in->like->of[i];
        if (of->type >= GLNN_CSV_TYPE_TEXT && of->position > 0 && of->position <= in->like->count &&
            is_free(in, (size_t)of->position - 1))
            GLNN__TRY(assign(in, (size_t)of->position - 1, GLNN_CSV_ROLE_DROPPED,
                             in->roles->counts[GLNN_CSV_ROLE_DROPPED]));
    }
    return GLNN_OK;
}

/* Fails because of the number of feature columns, which are found by position. */
static glnn_status fail_count(const search *in, int wanted)
{
    const int found = in->roles->counts[GLNN_CSV_ROLE_FEATURE];
    if (found > wanted)
        *in->problem = GLNN_CSV_PROBLEM_ADDITIONAL;
    return glnn__rows_fail(in->row,
                           " has %d features; there must be %d: without a header, columns are "
                           "found by position, and the table has %zu columns, of which %zu are a "
                           "label, targets or left out",
                           found, wanted, in->roles->count, in->roles->count - (size_t)found);
}

static glnn_status assign_features(search *in)
{
    const int *found = &in->roles->counts[GLNN_CSV_ROLE_FEATURE];
    const int wanted = in->like && in->like->count == 0 ? in->like->features
                       : in->like                       ? in->like->feature_columns
                                                        : 0;
    if (in->by_name)
        return assign_features_by_name(in);
    GLNN__TRY(leave_out_by_position(in));
    for (size_t c = 0; c < in->roles->count; ++c)
        if (is_free(in, c))
            GLNN__TRY(assign(in, c, GLNN_CSV_ROLE_FEATURE, *found));
    if (*found < 1) {
        GLNN__TRY(glnn__csv_check_separator(in->row, in->problem));
        return glnn__rows_fail(in->row, ": no column is left for features");
    }
    if (in->like && *found != wanted)
        return fail_count(in, wanted);
    return GLNN_OK;
}

/* Lets feature columns have what the description chooses for them. */
static glnn_status assign_choices(search *in)
{
    char place[GLNN__CSV_PLACE];
    size_t column;
    for (int i = 0; i < in->choice_count; ++i) {
        GLNN__TRY(find_column(in, in->choices[i].column, &column));
        glnn__csv_column *of = &in->roles->of[column];
        if (of->role != GLNN_CSV_ROLE_FEATURE)
            return glnn__rows_fail(in->row, ": %s is %s, so no type can be chosen for it",
                                   glnn__csv_describe(in->roles, column, place),
                                   of->role == GLNN_CSV_ROLE_DROPPED ? "dropped"
                                   : of->role == GLNN_CSV_ROLE_LABEL ? "the label"
                                                                     : "a target");
        if (of->choice)
            return glnn__rows_fail(in->row, ": there are two choices for %s",
                                   glnn__csv_describe(in->roles, column, place));
        of->choice = &in->choices[i];
    }
    return GLNN_OK;
}

static glnn_status find_roles(search *in, glnn_csv_header header)
{
    const size_t count = in->roles->count;
    in->roles->of = calloc(count, sizeof *in->roles->of);
    in->places_of = calloc(count, sizeof *in->places_of);
    if (!in->roles->of || !in->places_of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", in->row->path, count);
    for (size_t c = 0; c < count; ++c)
        in->roles->of[c].place = NOWHERE;
    GLNN__TRY(index_names(in));
    GLNN__TRY(find_header(in, header));
    GLNN__TRY(assign_all_requested(in));
    GLNN__TRY(assign_features(in));
    return assign_choices(in);
}

glnn_status glnn__csv_find_roles(const glnn__rows *first, const glnn_csv_desc *desc,
                                 glnn__csv_roles *roles, glnn_csv_problem *problem)
{
    search in = {.row = first,
                 .like = desc->like,
                 .choices = desc->choices,
                 .choice_count = desc->choice_count,
                 .roles = roles,
                 .problem = problem};
    glnn__csv_list_requests(desc, in.requests);
    *roles = (glnn__csv_roles){.count = first->count};
    glnn_status status = find_roles(&in, desc->header);
    glnn__labels_free(&in.names);
    free(in.places_of);
    return status;
}
