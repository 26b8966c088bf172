#include "support/tables.h"

#include "support/files.h"

#define EQUAL(left, right, count)                                                                  \
    assert_true(!(left) == !(right) &&                                                             \
                (!(left) || memcmp((left), (right), (size_t)(count) * sizeof *(left)) == 0))

/* Reads the rows of an open file from the last to the first. */
static void assert_rows(glnn_csv_file *file, const glnn_csv *wanted)
{
    const int features =
        wanted->values ? wanted->columns.feature_columns : wanted->columns.features;
    const float *rows = wanted->values ? wanted->values : wanted->inputs;
    float *inputs = malloc((size_t)features * sizeof *inputs);
    assert_non_null(inputs);
    for (int i = (int)wanted->rows; i-- > 0;) {
        if (glnn_csv_file_read_samples(file, &i, 1, inputs))
            fail_msg("%s", glnn_last_error());
        EQUAL(inputs, rows + i * features, features);
    }
    free(inputs);
}

void assert_opens_alike(const char *path, const glnn_csv_desc *how, const glnn_csv *wanted)
{
    glnn_csv opened = {.size = sizeof opened};
    glnn_csv_file *file;
    if (glnn_csv_file_open(path, how, &opened, &file))
        fail_msg("%s", glnn_last_error());
    assert_null(opened.inputs);
    assert_int_equal(opened.rows, wanted->rows);
    assert_int_equal(opened.columns.features, wanted->columns.features);
    assert_int_equal(opened.columns.targets, wanted->columns.targets);
    assert_int_equal(opened.columns.classes, wanted->columns.classes);
    assert_int_equal(opened.dropped_rows, wanted->dropped_rows);
    assert_int_equal(opened.missing_values, wanted->missing_values);
    EQUAL(opened.labels, wanted->labels, wanted->rows);
    EQUAL(opened.targets, wanted->targets, wanted->rows * wanted->columns.targets);
    assert_int_equal(opened.unknown_values, wanted->unknown_values);
    assert_null(opened.values);
    for (int i = 0; i < wanted->columns.count; ++i) {
        const glnn_csv_column *got = &opened.columns.of[i], *of = &wanted->columns.of[i];
        assert_true(got->type == of->type && got->encoding == of->encoding &&
                    got->features == of->features && got->fill == of->fill &&
                    got->numbers_rows == of->numbers_rows && got->kept == of->kept &&
                    got->missing == of->missing && got->position == of->position);
    }
    glnn_csv_free(&opened);
    assert_rows(file, wanted);
    glnn_csv_file_close(file);
}

glnn_csv table_read_text(const char *text, glnn_csv_desc how)
{
    glnn_csv csv = {.size = sizeof csv};
    const file_path path = file_write("table", text, strlen(text));
    if (glnn_csv_read(path.text, &how, &csv))
        fail_msg("%s", glnn_last_error());
    assert_opens_alike(path.text, &how, &csv);
    return csv;
}

/* Opening a file fails as reading it has. */
static void assert_open_fails_alike(const char *path, const glnn_csv_desc *how,
                                    glnn_csv_problem problem)
{
    char sentence[4096];
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *file;
    snprintf(sentence, sizeof sentence, "glnn_csv_file_open%s", strchr(glnn_last_error(), ':'));
    assert_int_equal(glnn_csv_file_open(path, how, &csv, &file), GLNN_E_FORMAT);
    assert_string_equal(glnn_last_error(), sentence);
    assert_int_equal(csv.problem, problem);
    assert_null(file);
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
    assert_open_fails_alike(path.text, &how, problem);
}

void assert_table_refused(const char *text, glnn_csv_desc how, const char *part)
{
    assert_table_problem(text, how, part, GLNN_CSV_PROBLEM_NONE);
}
