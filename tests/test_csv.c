#include "support/fault_runs.h"
#include "support/files.h"
#include "support/tables.h"

#include <zlib.h>

static glnn_csv_desc desc;

static glnn_status reader(const char *path)
{
    glnn_csv csv = {.size = sizeof csv};
    glnn_status status = glnn_csv_read(path, &desc, &csv);
    if (status) {
        assert_null(csv.inputs);
    } else {
        assert_true(csv.rows > 0 && csv.columns.features > 0);
        for (int i = 0; csv.labels && i < csv.rows; ++i)
            assert_in_range(csv.labels[i], 0, csv.columns.classes - 1);
        assert_opens_alike(path, &desc, &csv);
    }
    glnn_csv_free(&csv);
    return status;
}

static const glnn_csv_desc no_label = {0}, label_first = {.label = "first"},
                           label_last = {.label = "last"};

static void numbers_and_labels_are_read(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text("5,1.5,-2e3\n10,.25,+4\n5,7.,0\n", label_first);
    const float inputs[] = {1.5f, -2000, 0.25f, 4, 7, 0};
    const int labels[] = {0, 1, 0};
    assert_int_equal(csv.rows, 3);
    assert_int_equal(csv.columns.features, 2);
    assert_int_equal(csv.columns.classes, 2);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_memory_equal(csv.labels, labels, sizeof labels);
    assert_string_equal(csv.columns.class_names[0], "5");
    assert_string_equal(csv.columns.class_names[1], "10");
    assert_null(csv.columns.of[0].name);
    glnn_csv_free(&csv);
    assert_null(csv.inputs);
}

static void no_column_is_a_label_unless_it_is_asked_for(void **state)
{
    (void)state;
    glnn_csv csv = {.size = sizeof csv};
    assert_int_equal(glnn_csv_read(file_write("table", "1,2\n", 4).text, NULL, &csv), GLNN_OK);
    assert_int_equal(csv.columns.features, 2);
    assert_null(csv.labels);
    assert_null(csv.targets);
    glnn_csv_free(&csv);
}

static void integers_ascend_as_labels_and_other_labels_byte_by_byte(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text("10,1\n-2,1\n9,1\n10,1\n", label_first);
    const int integers[] = {2, 0, 1, 2};
    assert_memory_equal(csv.labels, integers, sizeof integers);
    assert_string_equal(csv.columns.class_names[0], "-2");
    glnn_csv_free(&csv);

    csv = table_read_text("b,1\na,1\n3,1\n\xC3\xA4,1\nB,1\n10,1\n,1\n",
                          (glnn_csv_desc){.label = "first", .missing = GLNN_CSV_MISSING_DROP});
    static const char *const names[] = {"10", "3", "B", "a", "b", "\xC3\xA4"};
    const int texts[] = {4, 3, 1, 5, 2, 0};
    assert_int_equal(csv.columns.classes, 6);
    assert_memory_equal(csv.labels, texts, sizeof texts);
    for (int i = 0; i < 6; ++i)
        assert_string_equal(csv.columns.class_names[i], names[i]);
    glnn_csv_free(&csv);
}

static void many_labels_are_told_apart(void **state)
{
    (void)state;
    enum { CLASSES = 3000 };
    char *text = malloc(CLASSES * 32);
    size_t used = 0;
    for (int i = 0; i < 2 * CLASSES; ++i)
        used += (size_t)sprintf(text + used, "%d,%d\n", CLASSES - i % CLASSES, i);
    glnn_csv csv = table_read_text(text, label_first);
    assert_int_equal(csv.columns.classes, CLASSES);
    for (int i = 0; i < csv.rows; ++i)
        assert_int_equal(csv.labels[i], CLASSES - 1 - i % CLASSES);
    glnn_csv_free(&csv);
    free(text);
}

static void headers_are_found_and_kept(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text("\xEF\xBB\xBF\"wid\"\"th\", height ,kind\n1,2,x\n", label_last);
    assert_int_equal(csv.rows, 1);
    assert_string_equal(csv.columns.of[0].name, "wid\"th");
    assert_string_equal(csv.columns.of[1].name, "height");
    assert_string_equal(glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_LABEL)->name, "kind");
    glnn_csv_free(&csv);

    csv = table_read_text("kind,1\nx,2\n", label_first);
    assert_int_equal(csv.rows, 2);
    glnn_csv_free(&csv);

    csv = table_read_text("kind,1\nx,2\n",
                          (glnn_csv_desc){.header = GLNN_CSV_HEADER_YES, .label = "first"});
    assert_int_equal(csv.rows, 1);
    assert_string_equal(csv.columns.of[0].name, "1");
    glnn_csv_free(&csv);

    csv = table_read_text("7;k;8\n1;a;2\n", (glnn_csv_desc){.separator = ';', .label = "k"});
    assert_int_equal(csv.rows, 1);
    assert_string_equal(csv.columns.class_names[0], "a");
    assert_string_equal(csv.columns.of[1].name, "8");
    glnn_csv_free(&csv);
}

static void quotes_blanks_and_line_ends_are_taken_as_written(void **state)
{
    (void)state;
    glnn_csv csv =
        table_read_text("\r\n \t\r\n\"two\r\nlines\" , 1 ,\"2\"\r\n\n\" a \"\"b\"\"\",3,4\r"
                        "\"c\",5,6",
                        label_first);
    const float inputs[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(csv.rows, 3);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_string_equal(csv.columns.class_names[0], " a \"b\"");
    assert_string_equal(csv.columns.class_names[1], "c");
    assert_string_equal(csv.columns.class_names[2], "two\r\nlines");
    glnn_csv_free(&csv);

    csv = table_read_text("1\t2\n3\t 4\n", (glnn_csv_desc){.separator = '\t'});
    assert_int_equal(csv.columns.features, 2);
    assert_null(csv.labels);
    glnn_csv_free(&csv);
}

/* All columns but the label are numbers, whatever their fields look like. */
static glnn_csv_desc numbers(const char *label)
{
    static const glnn_csv_choice both[] = {{.column = "1", .type = GLNN_CSV_TYPE_NUMBER},
                                           {.column = "2", .type = GLNN_CSV_TYPE_NUMBER}};
    return (glnn_csv_desc){.label = label,
                           .header = label ? GLNN_CSV_HEADER_AUTO : GLNN_CSV_HEADER_NO,
                           .choices = label && !strcmp(label, "first") ? both + 1 : both,
                           .choice_count = label ? 1 : 2};
}

static void lines_are_counted_behind_fields_of_several_lines(void **state)
{
    (void)state;
    assert_table_problem("\"a\nb\",1\nx,bad\n", numbers("first"), "line 3, column 2",
                         GLNN_CSV_PROBLEM_TEXT);
    assert_table_problem("\"a\r\nb\r\nc\",1\r\nx,bad\r\n", numbers("first"), "line 4, column 2",
                         GLNN_CSV_PROBLEM_TEXT);
    assert_table_problem("\"a\rb\",1\rx,bad\r", numbers("first"), "line 3, column 2",
                         GLNN_CSV_PROBLEM_TEXT);
    assert_table_refused("\"a\n\n\"\"\n\",1\n\nx,1,2\n", label_first, "line 6 has 3 columns");
    assert_table_refused("\"a\nb\",1\nx,\"2\n", label_first,
                         "line 3, column 2: the quote is not closed");
    assert_table_refused("\"a\nb\",1\nx,\"\n2\"y\n", label_first, "line 4, column 2: text follows");
    assert_table_problem("\"two\nlines\",k\nx,a\n", numbers("last"), "line 3, column 1",
                         GLNN_CSV_PROBLEM_TEXT);
}

static void damage_is_named_with_its_place(void **state)
{
    (void)state;
    assert_table_refused("", no_label, "no row");
    assert_table_refused("\n\n", no_label, "no row");
    assert_table_refused("a,b\n", no_label, "no row");
    assert_table_refused("1,2\n3\n", no_label, "line 2 has 1 column; the first row has 2");
    assert_table_refused("1,2\n\n3,4,5\n", no_label, "line 3 has 3 columns");
    assert_table_problem("1,2\n3,x\n", numbers(NULL), "line 2, column 2: 'x'",
                         GLNN_CSV_PROBLEM_TEXT);
    assert_table_problem("a,2\n", numbers(NULL), "line 1, column 1: 'a'", GLNN_CSV_PROBLEM_TEXT);
    assert_table_refused("1,-Infinity\n", no_label, "'-Infinity'");
    assert_table_refused("1,1e39\n", no_label, "'1e39'");
    assert_table_problem("1,2\n0x10,1\n", numbers(NULL), "'0x10'", GLNN_CSV_PROBLEM_TEXT);
    assert_table_problem("1,2\n1.2.3,1\n", numbers(NULL), "'1.2.3'", GLNN_CSV_PROBLEM_TEXT);
    assert_table_refused("1,2\n\"3,4\n5,6\n", no_label,
                         "line 2, column 1: the quote is not closed");
    assert_table_refused("1,\"", no_label, "not closed");
    assert_table_refused("1,\"2\"\"", no_label, "not closed");
    assert_table_refused("1,\"2\"x\n", no_label, "line 1, column 2: text follows");
    assert_table_refused("1,2\n", (glnn_csv_desc){.label = "3"}, "no column 3");
    assert_table_refused("1\n2\n", label_first, "left for features");
    assert_table_refused("a,b\n1,2\n", (glnn_csv_desc){.label = "c"}, "'c'");
    assert_table_refused("a,a\n1,2\n", (glnn_csv_desc){.label = "a"}, "columns 1 and 2");
    glnn_csv csv = {.size = sizeof csv};
    file_path path = file_write("zero", "1,2\n3,\0", 7);
    assert_fails(glnn_csv_read(path.text, &no_label, &csv), GLNN_E_FORMAT, "line 2 has a zero");
}

static void numbers_may_have_a_decimal_comma(void **state)
{
    (void)state;
    const glnn_csv_desc how = {.separator = ';', .decimal = ',', .label = "kind"};
    glnn_csv csv = table_read_text("a;b;kind\n1,5;-2,5e1;1,2,3\n\"0,25\";3;x,5\n", how);
    const float inputs[] = {1.5f, -25, 0.25f, 3};
    assert_int_equal(csv.rows, 2);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_string_equal(csv.columns.class_names[0], "1,2,3");
    assert_string_equal(csv.columns.class_names[1], "x,5");
    glnn_csv_free(&csv);
    assert_table_refused("a;b\n1;2\n\n3;1.500\n", (glnn_csv_desc){.separator = ';', .decimal = ','},
                         "line 4, column 2: '1.500' has a point, but the decimal mark is a comma");
}

static void nonsense_in_the_description_is_refused(void **state)
{
    (void)state;
    glnn_csv csv = {.size = sizeof csv};
    assert_fails(glnn_csv_read(NULL, NULL, &csv), GLNN_E_ARG, "path");
    assert_fails(glnn_csv_read("x", NULL, NULL), GLNN_E_ARG, "out");
    const char separators[] = {'"', '\r', '\n'};
    for (int i = 0; i < 3; ++i)
        assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.separator = separators[i]}, &csv),
                     GLNN_E_ARG, "desc->separator is a quote or a line break");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.decimal = 'x'}, &csv), GLNN_E_ARG,
                 "desc->decimal is 'x'; it must be a point or a comma");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.decimal = ','}, &csv), GLNN_E_ARG,
                 "desc->decimal is ',', which is the separator too");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.header = (glnn_csv_header)9}, &csv),
                 GLNN_E_ARG, "9");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.missing = (glnn_csv_missing)9}, &csv),
                 GLNN_E_ARG, "desc->missing is 9");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.target_count = 2}, &csv), GLNN_E_ARG,
                 "2 target columns");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.dropped_count = -1}, &csv), GLNN_E_ARG,
                 "-1 dropped columns");
    glnn_csv_columns like = {0};
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.like = &like}, &csv), GLNN_E_ARG,
                 "0 features");
    assert_fails(glnn_csv_read("x", &(glnn_csv_desc){.like = &like, .raw = true}, &csv), GLNN_E_ARG,
                 "0 features");
    like.features = 1;
    const glnn_csv_desc fill = {.like = &like, .missing = GLNN_CSV_MISSING_FILL};
    assert_fails(glnn_csv_read("x", &fill, &csv), GLNN_E_ARG, "no means");
    const glnn_csv_desc nameless = {.header = GLNN_CSV_HEADER_NO, .label = "a"};
    assert_fails(glnn_csv_read("x", &nameless, &csv), GLNN_E_ARG, "'a'");
    glnn_csv_free(NULL);
}

static void points_are_points_in_every_locale(void **state)
{
    (void)state;
    locale_with_comma();
    glnn_csv csv = table_read_text("1.5,2.25\n", no_label);
    locale_end();
    assert_true(csv.inputs[0] == 1.5f && csv.inputs[1] == 2.25f);
    glnn_csv_free(&csv);
}

/* Rows of some hundred bytes, of which every seventh has a field of several lines, so that parts of
 * a mebibyte begin at any place of a row. The last row is longer than a part. */
static void rows_of_large_files_are_found(void **state)
{
    (void)state;
    enum { ROWS = 9000, COLUMNS = 20, LONG = 2200000 };
    static char text[ROWS * COLUMNS * 16 + LONG];
    size_t used = 0;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d.%d%s%s", j ? "," : "",
                                     i * j, j, j == COLUMNS - 1 && i % 7 == 3 ? ",\"a\r\nb\"" : "",
                                     j < COLUMNS - 1 ? ""
                                     : i % 7 != 3    ? ",a\r\n"
                                                     : "\r\n");
    for (int j = 0; j < COLUMNS; ++j)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,", j);
    memset(text + used, 'z', LONG - 1000);
    glnn_csv csv = table_read_text(text, label_last);
    assert_int_equal(csv.rows, ROWS + 1);
    assert_int_equal(csv.columns.classes, 3);
    glnn_csv_free(&csv);
}

static glnn_csv_file *opened_text(const char *text, const glnn_csv_desc *how)
{
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *file;
    assert_int_equal(
        glnn_csv_file_open(file_write("table", text, strlen(text)).text, how, &csv, &file),
        GLNN_OK);
    glnn_csv_free(&csv);
    return file;
}

static void rows_that_change_in_an_open_file_are_errors(void **state)
{
    (void)state;
    const int rows[] = {1, 0, 2};
    float inputs[6];
    glnn_csv_file *file = opened_text("a,b\n1,2\n3,4\n", &no_label);
    assert_int_equal(glnn_csv_file_read_samples(file, rows, 2, inputs), GLNN_OK);
    assert_true(inputs[0] == 3 && inputs[1] == 4 && inputs[2] == 1 && inputs[3] == 2);
    assert_fails(glnn_csv_file_read_samples(file, rows, 3, inputs), GLNN_E_ARG, "row 2 of 2");
    FILE *same = fopen(path_of("table").text, "r+b");
    assert_non_null(same);
    assert_int_equal(fputs("a,b\n1,x\n3;4\n", same) < 0, 0);
    assert_int_equal(fclose(same), 0);
    assert_fails(glnn_csv_file_read_samples(file, rows, 1, inputs), GLNN_E_FORMAT,
                 "line 3 has changed since the file was opened");
    assert_fails(glnn_csv_file_read_samples(file, rows + 1, 1, inputs), GLNN_E_FORMAT,
                 "line 2, column 2 ('b'): 'x' is not a finite number");
    assert_int_equal(truncate(path_of("table").text, 5), 0);
    assert_fails(glnn_csv_file_read_samples(file, rows, 1, inputs), GLNN_E_IO,
                 "shorter than the 12");
    glnn_csv_file_close(file);
}

/* Opens a table and reads a row of it. */
static glnn_status open_and_read(const char *path)
{
    const glnn_csv_desc how = {.label = "kind"};
    const int last = 2;
    float inputs[2];
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *file;
    glnn_status status = glnn_csv_file_open(path, &how, &csv, &file);
    if (!status)
        status = glnn_csv_file_read_samples(file, &last, 1, inputs);
    if (!status)
        assert_true(inputs[0] == 5 && inputs[1] == 6);
    glnn_csv_file_close(file);
    glnn_csv_free(&csv);
    return status;
}

/* Any allocation and any call on the file may be the one that fails. */
static void a_call_that_fails_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    static const char text[] = "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n";
    const file_path path = file_write("table", text, strlen(text));
    fault_try_each(open_and_read, path.text, 20);
}

static void compressed_files_are_read(void **state)
{
    (void)state;
    const file_path path = path_of("packed.csv.gz");
    gzFile file = gzopen(path.text, "wb");
    glnn_csv csv = {.size = sizeof csv};
    assert_non_null(file);
    for (int i = 0; i < 20000; ++i)
        gzprintf(file, "%d,%d\n", i, -i);
    assert_int_equal(gzclose(file), Z_OK);
    assert_int_equal(glnn_csv_read(path.text, NULL, &csv), GLNN_OK);
    assert_int_equal(csv.rows, 20000);
    assert_true(csv.inputs[39998] == 19999 && csv.inputs[39999] == -19999);
    glnn_csv_free(&csv);
    glnn_csv_file *opened;
    assert_fails(glnn_csv_file_open(path.text, NULL, &csv, &opened), GLNN_E_FORMAT,
                 "glnn_csv_file_open: ");
    assert_non_null(strstr(glnn_last_error(), "is compressed; only plain files can be read row"));
}

static const char small[] = "a,\"b\"\n1,2.5\n\"3\",-4e1\n";

static void truncated_files_never_crash(void **state)
{
    (void)state;
    desc = no_label;
    for (size_t length = 0; length < sizeof small; ++length)
        read_or_explain(reader, file_write("cut", small, length).text);
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    file_path path = file_write("small", small, sizeof small - 1);
    desc = no_label;
    assert_true(refused_flips(reader, path.text) > 0);
    desc = label_last;
    assert_true(refused_flips(reader, path.text) > 0);
}

static const file_format format = {.reader = reader};

static void the_example_of_the_header_is_read_as_it_says(void **state)
{
    static const float inputs[] = {5.1f, 1, 0, 3.5f, 4.9f, 0, 1, 3.0f,
                                   6.2f, 1, 0, 2.5f, 5.8f, 0, 1, 3.0f};
    static const int labels[] = {1, 0, 1, 0};
    (void)state;
    glnn_csv csv =
        table_read_text("id,width,bark,height,kind\n1,5.1,rough,3.5,oak\n2,4.9,smooth,NA,elm\n"
                        "3,6.2,rough,2.5,oak\n4,5.8,smooth,3.0,elm\n",
                        (glnn_csv_desc){.label = "kind", .missing = GLNN_CSV_MISSING_FILL});
    assert_int_equal(csv.rows, 4);
    assert_int_equal(csv.columns.features, 4);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_memory_equal(csv.labels, labels, sizeof labels);
    assert_string_equal(csv.columns.class_names[0], "elm");
    assert_string_equal(csv.columns.class_names[1], "oak");
    glnn_csv_free(&csv);
}

static void another_separator_is_seen_without_a_label_too(void **state)
{
    const glnn_csv_choice as_number = {.column = "a", .type = GLNN_CSV_TYPE_NUMBER};
    (void)state;
    assert_table_problem("a;b;y\n1;2;0\n", no_label,
                         "line 1 has one column, which contains semicolons",
                         GLNN_CSV_PROBLEM_SEPARATOR);
    assert_table_problem("1\t2\n3\t4\n", no_label, "which contains tabs",
                         GLNN_CSV_PROBLEM_SEPARATOR);
    assert_table_problem("1,2\n", (glnn_csv_desc){.separator = ';', .header = GLNN_CSV_HEADER_NO},
                         "which contains commas", GLNN_CSV_PROBLEM_SEPARATOR);
    assert_table_problem("a\nx\n", (glnn_csv_desc){.choices = &as_number, .choice_count = 1},
                         "'x' is not a finite number", GLNN_CSV_PROBLEM_TEXT);
}

/* Reads a text of so many columns. */
static glnn_status read_wide(size_t columns, glnn_csv *csv)
{
    char *text = malloc(2 * columns);
    assert_non_null(text);
    for (size_t i = 0; i < columns; ++i)
        memcpy(text + 2 * i, "1,", 2);
    text[2 * columns - 1] = '\n';
    file_path path = file_write("wide", text, 2 * columns);
    free(text);
    return glnn_csv_read(path.text, &no_label, csv);
}

static void more_columns_than_the_limit_are_refused(void **state)
{
    glnn_csv csv = {.size = sizeof csv};
    (void)state;
    assert_int_equal(read_wide(GLNN_CSV_MAX_COLUMNS, &csv), GLNN_OK);
    assert_int_equal(csv.columns.features, GLNN_CSV_MAX_COLUMNS);
    glnn_csv_free(&csv);
    assert_fails(read_wide(GLNN_CSV_MAX_COLUMNS + 1, &csv), GLNN_E_LIMIT,
                 "line 1 has more than 1048576 columns");
}

/* Reads two short lines and one of so many bytes. */
static glnn_status read_long(size_t bytes, glnn_csv *csv)
{
    char *text = malloc(bytes + 8);
    assert_non_null(text);
    memcpy(text, "a,b\n1,", 6);
    memset(text + 6, '0', bytes - 2);
    memcpy(text + bytes + 4, "\n1,2", 4);
    file_path path = file_write("long", text, bytes + 8);
    free(text);
    return glnn_csv_read(path.text, &no_label, csv);
}

static void longer_lines_than_the_limit_are_refused(void **state)
{
    glnn_csv csv = {.size = sizeof csv};
    (void)state;
    assert_int_equal(read_long(GLNN_CSV_MAX_LINE, &csv), GLNN_OK);
    assert_int_equal(csv.rows, 2);
    glnn_csv_free(&csv);
    assert_fails(read_long(GLNN_CSV_MAX_LINE + 1, &csv), GLNN_E_LIMIT,
                 "line 2 is longer than 67108864 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_labels_are_read),
        cmocka_unit_test(no_column_is_a_label_unless_it_is_asked_for),
        cmocka_unit_test(the_example_of_the_header_is_read_as_it_says),
        cmocka_unit_test(numbers_may_have_a_decimal_comma),
        cmocka_unit_test(another_separator_is_seen_without_a_label_too),
        cmocka_unit_test(more_columns_than_the_limit_are_refused),
        cmocka_unit_test(longer_lines_than_the_limit_are_refused),
        cmocka_unit_test(integers_ascend_as_labels_and_other_labels_byte_by_byte),
        cmocka_unit_test(many_labels_are_told_apart),
        cmocka_unit_test(headers_are_found_and_kept),
        cmocka_unit_test(quotes_blanks_and_line_ends_are_taken_as_written),
        cmocka_unit_test(lines_are_counted_behind_fields_of_several_lines),
        cmocka_unit_test(damage_is_named_with_its_place),
        cmocka_unit_test(nonsense_in_the_description_is_refused),
        cmocka_unit_test(points_are_points_in_every_locale),
        cmocka_unit_test(rows_of_large_files_are_found),
        cmocka_unit_test(rows_that_change_in_an_open_file_are_errors),
        cmocka_unit_test(a_call_that_fails_is_reported_and_leaks_nothing),
        cmocka_unit_test(compressed_files_are_read),
        cmocka_unit_test(truncated_files_never_crash),
        cmocka_unit_test(flipped_bits_never_crash),
        FILE_TEST(odd_paths_are_explained, format),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
