/* The names of the enumerations of tables. */
#include "base/names.h"

#include <glnn/csv.h>

static const char *const header_names[] = {
    [GLNN_CSV_HEADER_AUTO] = "auto", [GLNN_CSV_HEADER_YES] = "yes", [GLNN_CSV_HEADER_NO] = "no"};
static const char *const missing_names[] = {[GLNN_CSV_MISSING_REFUSE] = "refuse",
                                            [GLNN_CSV_MISSING_DROP] = "drop",
                                            [GLNN_CSV_MISSING_FILL] = "fill",
                                            [GLNN_CSV_MISSING_INDICATOR] = "indicator",
                                            [GLNN_CSV_MISSING_CATEGORY] = "category"};
static const char *const role_names[] = {[GLNN_CSV_ROLE_FEATURE] = "feature",
                                         [GLNN_CSV_ROLE_LABEL] = "label",
                                         [GLNN_CSV_ROLE_TARGET] = "target",
                                         [GLNN_CSV_ROLE_DROPPED] = "dropped"};
static const char *const type_names[] = {
    [GLNN_CSV_TYPE_AUTO] = "auto",         [GLNN_CSV_TYPE_NUMBER] = "number",
    [GLNN_CSV_TYPE_CATEGORY] = "category", [GLNN_CSV_TYPE_DATE] = "date",
    [GLNN_CSV_TYPE_TEXT] = "text",         [GLNN_CSV_TYPE_ROW_NUMBER] = "row_number",
    [GLNN_CSV_TYPE_EMPTY] = "empty"};
static const char *const encoding_names[] = {
    [GLNN_CSV_ENCODING_AUTO] = "auto",
    [GLNN_CSV_ENCODING_AS_IS] = "as_is",
    [GLNN_CSV_ENCODING_ONE_HOT] = "one_hot",
    [GLNN_CSV_ENCODING_ORDINAL] = "ordinal",
    [GLNN_CSV_ENCODING_DATE_PARTS] = "date_parts",
};
static const char *const date_names[] = {[GLNN_CSV_DATE_YEAR_FIRST] = "year_first",
                                         [GLNN_CSV_DATE_DAY_FIRST] = "day_first",
                                         [GLNN_CSV_DATE_MONTH_FIRST] = "month_first"};
static const char *const problem_names[] = {
    [GLNN_CSV_PROBLEM_NONE] = "none",
    [GLNN_CSV_PROBLEM_HEADER] = "header",
    [GLNN_CSV_PROBLEM_MISSING] = "missing",
    [GLNN_CSV_PROBLEM_UNLABELLED] = "unlabelled",
    [GLNN_CSV_PROBLEM_REAL_LABEL] = "real_label",
    [GLNN_CSV_PROBLEM_SEPARATOR] = "separator",
    [GLNN_CSV_PROBLEM_TEXT] = "text",
    [GLNN_CSV_PROBLEM_DATE] = "date",
    [GLNN_CSV_PROBLEM_ADDITIONAL] = "additional",
    [GLNN_CSV_PROBLEM_CLASS] = "class",
    [GLNN_CSV_PROBLEM_NO_HEADER] = "no_header",
    [GLNN_CSV_PROBLEM_NO_FEATURE] = "no_feature",
};

GLNN__DEFINE_NAMES(glnn_csv_header, header_names)
GLNN__DEFINE_NAMES(glnn_csv_missing, missing_names)
GLNN__DEFINE_NAMES(glnn_csv_problem, problem_names)
GLNN__DEFINE_NAMES(glnn_csv_role, role_names)
GLNN__DEFINE_NAMES(glnn_csv_type, type_names)
GLNN__DEFINE_NAMES(glnn_csv_encoding, encoding_names)
GLNN__DEFINE_NAMES(glnn_csv_date, date_names)
