#include "support/tables.h"

#include "support/files.h"

glnn_csv table_read_text(const char *text, glnn_csv_desc how)
{
    glnn_csv csv = {.size = sizeof csv};
    if (glnn_csv_read(file_write("table", text, strlen(text)).text, &how, &csv))
        fail_msg("%s", glnn_last_error());
    return csv;
}

void assert_table_problem(const char *text, glnn_csv_desc how, const char *part,
                          glnn_csv_problem problem)
{
    glnn_csv csv = {.size = sizeof csv};
    file_path path = file_write("refused", text, strlen(text));
    assert_fails(glnn_csv_read(path.text, &how, &csv), GLNN_E_FORMAT, part);
    assert_non_null(strstr(glnn_last_error(), path.text));
    assert_null(csv.inputs);
    assert_int_equal(csv.problem, problem);
}

void assert_table_refused(const char *text, glnn_csv_desc how, const char *part)
{
    assert_table_problem(text, how, part, GLNN_CSV_PROBLEM_NONE);
}
