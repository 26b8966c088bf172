/* Tables as the trainers read them: how files are matched to each other, and the options that the
 * sentences of refused ones name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <glnn/npy.h>

#include "support/folder.h"

#include "../examples/common/failure.h"
#include "../examples/train/columns.h"
#include "../examples/train/samples.h"

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static table read_text(const char *text, table_format format)
{
    table rows;
    format.separator = format.separator ? format.separator : ",";
    write_text("t.csv", text);
    if (!table_read("t.csv", NULL, &format, NULL, &rows))
        fail_msg("%s", failure());
    return rows;
}

static void refused(const char *text, table_format format, const char *part)
{
    table rows;
    format.separator = format.separator ? format.separator : ",";
    write_text("t.csv", text);
    assert_false(table_read("t.csv", NULL, &format, NULL, &rows));
    if (strstr(failure(), part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", failure(), part);
    assert_null(rows.inputs);
}

static void a_tab_separates_under_both_of_its_names(void **state)
{
    static const char *const names[] = {"tab", "\\t", "\t"};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        table rows = read_text("1\t2\ta b\n3\t4\tc\n", (table_format){.separator = names[i]});
        assert_int_equal(rows.columns.feature_columns, 2);
        assert_string_equal(rows.classes.names[0], "a b");
        table_free(&rows);
    }
    refused("1,2\n", (table_format){.separator = "tabs"}, "one character, or tab");
}

static void numbers_have_the_decimal_mark_that_the_user_names(void **state)
{
    (void)state;
    table rows =
        read_text("1,5;a\n2;b\n", (table_format){.separator = ";", .decimal = ",", .label = "2"});
    assert_true(rows.inputs[0] == 1.5f && rows.inputs[1] == 2);
    table_free(&rows);
    refused("1,5;a\n2,5;b\n", (table_format){.separator = ";", .label = "2"}, "--decimal ,");
    refused("1,2\n", (table_format){.decimal = ","}, "--decimal ,: commas are the separator too");
    refused("1,2\n", (table_format){.decimal = "comma"}, "give a point or a comma");
}

static void the_label_is_the_last_column_unless_there_are_targets(void **state)
{
    (void)state;
    table rows = read_text("a,b,c\n1,2,x\n3,4,y\n", (table_format){0});
    assert_string_equal(glnn_csv_columns_find(&rows.columns, GLNN_CSV_ROLE_LABEL)->name, "c");
    assert_int_equal(rows.labels[1], 1);
    table_free(&rows);
    rows = read_text("a,b,c\n1,2.5,3\n", (table_format){.targets = "b,last"});
    const float targets[] = {2.5f, 3};
    assert_null(rows.labels);
    assert_int_equal(rows.columns.targets, 2);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    table_free(&rows);
    rows = read_text("a,b,c\n1,2,3\n", (table_format){.label = "none", .drop = "a,2"});
    assert_null(rows.labels);
    assert_int_equal(rows.columns.feature_columns, 1);
    assert_string_equal(rows.columns.of[0].name, "c");
    table_free(&rows);
}

static void sentences_name_the_option_that_helps(void **state)
{
    (void)state;
    refused("a,p\n1,2.5\n2,3.5\n", (table_format){0}, "--target instead of --label");
    refused("1,?,a\n2,3,a\n", (table_format){0}, "--missing drop, fill, indicator or category");
    refused("1,2,\n", (table_format){0},
            "the label is missing (''); its row can be dropped; "
            "use --missing drop");
    refused("a,1990,k\nx,2,a\n", (table_format){0}, "use --header yes, --header no");
    refused("1,x\n2\n", (table_format){0}, "line 2 has 1 column;");
    refused("1\t2\ta\n", (table_format){0},
            "which contains tabs; they may be the separators; use --separator tab");
    refused("a;b\n1;2\n", (table_format){.label = "b"}, "which contains semicolons");
    refused("1,2\n", (table_format){.separator = ";"}, "which contains commas");
    refused("kind,h\noak,1\n", (table_format){0},
            "column 1 ('kind') is of the type text; use --type NAME=category to make a text a "
            "category, or --label COLUMN if these are the labels");
    refused("kind,h\noak,1\n", (table_format){.label = "h"}, "make a text a category");
    refused("w,k\n1,a\nx,b\n", (table_format){.types = "w=number"},
            "'x' is not a finite number; use --type NAME=category to make a column a category, "
            "--drop to leave it out, or --decimal , if numbers have decimal commas");
    refused("w,k\n1,a\n", (table_format){.types = "w"}, "--type 'w': give NAME=TYPE");
    refused("w,k\n1,a\n", (table_format){.types = "w=colour"},
            "--type 'w=colour': the type is number, category, date, text, row_number, one_hot or "
            "ordinal");
    refused("width,k\n1,a\n", (table_format){.types = "widht=category"},
            "no column is named 'widht'; did you mean 'width'?");
    refused("a,b,kind\n1,2,x\n", (table_format){.drop = "kind"},
            "column 3 ('kind') is the label, which is column 'last', and cannot be dropped");
}

static samples loaded(const samples_source *from)
{
    samples data = {0};
    if (!samples_load(from, &data))
        fail_msg("%s", failure());
    return data;
}

static void a_test_file_is_matched_to_the_training_file_by_name(void **state)
{
    samples_source from = {.data = "a.csv", .test = "b.csv", .format = {.separator = ","}};
    const float inputs[] = {5, 6};
    (void)state;
    write_text("a.csv", "h,w,kind\n1,2,fig\n3,4,pear\n");
    write_text("b.csv", "kind,w,h\npear,6,5\n");
    samples data = loaded(&from);
    assert_memory_equal(data.test.inputs, inputs, sizeof inputs);
    assert_int_equal(data.test.labels[0], 1);
    samples_free(&data);

    write_text("b.csv", "kind,w,height\npear,6,5\n");
    data = (samples){0};
    assert_false(samples_load(&from, &data));
    assert_non_null(strstr(
        failure(), "b.csv: line 1: the columns differ from those of the table for training: 'h' "
                   "missing, 'height' additional"));
    samples_free(&data);

    write_text("b.csv", "kind,w,h,depth\npear,6,5,4\n");
    data = (samples){0};
    assert_false(samples_load(&from, &data));
    assert_non_null(strstr(failure(), "'depth' additional; use --drop"));
    samples_free(&data);

    write_text("b.csv", "5,6,pear\n");
    from.format.label = "kind";
    data = (samples){0};
    assert_false(samples_load(&from, &data));
    assert_non_null(strstr(failure(), "none of 'h', 'w'; name columns by position"));
    samples_free(&data);
}

static void the_columns_of_a_classifier_stay_for_every_file(void **state)
{
    samples_source from = {.data = "a.csv", .format = {.separator = ","}};
    const float inputs[] = {5, 6};
    (void)state;
    write_text("a.csv", "h,w,kind\n1,2,fig\n3,4,pear\n");
    samples data = loaded(&from);
    write_text("b.csv", "w,h\n6,5\n");
    from = (samples_source){.data = "b.csv", .format = {.separator = ","}, .test_only = true};
    samples again = {.classes = data.classes, .columns = data.columns};
    data.classes = (class_names){0};
    data.columns = (glnn_csv_columns){0};
    assert_true(samples_load(&from, &again));
    assert_memory_equal(again.test.inputs, inputs, sizeof inputs);
    assert_null(again.test.labels);
    assert_string_equal(glnn_csv_columns_find(&again.columns, GLNN_CSV_ROLE_LABEL)->name, "kind");
    samples_free(&again);
    samples_free(&data);
}

static void missing_values_are_filled_from_the_training_file(void **state)
{
    const samples_source from = {.data = "a.csv",
                                 .test = "b.csv",
                                 .format = {.separator = ",", .missing = GLNN_CSV_MISSING_FILL}};
    (void)state;
    write_text("a.csv", "1,2,fig\nNA,4,pear\n5,6,fig\n");
    write_text("b.csv", "100,NA,fig\n");
    samples data = loaded(&from);
    assert_true(data.train.inputs[2] == 3 && data.test.inputs[1] == 4);
    assert_true(data.counts[0].missing == 1 && data.counts[1].missing == 1);
    samples_free(&data);
}

/* Half of the rows are kept apart; the means are those of the other half, also in the model. */
static void missing_values_are_filled_without_the_samples_for_the_test(void **state)
{
    samples_source from = {.data = "a.csv",
                           .holdout = 0.5f,
                           .seed = 1,
                           .format = {.separator = ",", .missing = GLNN_CSV_MISSING_FILL}};
    (void)state;
    FILE *file = fopen("a.csv", "w");
    assert_non_null(file);
    for (int i = 0; i < 40; ++i)
        fprintf(file, i % 4 == 3 ? "%d,,k\n" : "%d,%d,k\n", i, i * i);
    assert_int_equal(fclose(file), 0);
    samples data = loaded(&from);
    assert_true(data.train.samples == 20 && data.test.samples == 20 &&
                data.counts[1].missing == 10);
    double sum = 0.0;
    int count = 0, filled = 0;
    for (int i = 0; i < 20; ++i)
        if ((int)data.train.inputs[2 * i] % 4 != 3) {
            sum += (double)data.train.inputs[2 * i + 1];
            ++count;
        }
    const float mean = (float)(sum / count);
    assert_true(data.columns.of[1].fill == mean);
    for (int part = 0; part < 2; ++part) {
        const samples_part *of = part ? &data.test : &data.train;
        for (int i = 0; i < 20; ++i)
            if ((int)of->inputs[2 * i] % 4 == 3) {
                assert_true(of->inputs[2 * i + 1] == mean);
                ++filled;
            }
    }
    assert_int_equal(filled, 10);

    /* A model brings its means. */
    from.test_only = true;
    samples again = {.columns = data.columns};
    data.columns = (glnn_csv_columns){0};
    assert_true(classes_add(&again.classes, "k") == 0 && samples_load(&from, &again));
    assert_true(again.columns.of[1].fill == mean && again.test.inputs[7] == mean);
    samples_free(&again);
    samples_free(&data);
}

/* A table of a class that ascends, with the number of each row under `name`. */
static void write_numbered(const char *path, const char *name)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s,w,kind\n", name);
    for (int i = 0; i < 12; ++i)
        fprintf(file, "%d,%d.5,%c\n", i + 1, i % 5, i < 6 ? 'a' : 'b');
    assert_int_equal(fclose(file), 0);
}

static const glnn_csv_column *left_out(const samples *of)
{
    return glnn_csv_columns_find(&of->columns, GLNN_CSV_ROLE_DROPPED);
}

static void a_column_that_only_numbers_the_rows_is_no_feature(void **state)
{
    static const char *const names[] = {"id",         "ID",         "Row",        "\"\"",
                                        "Unnamed: 0", "row_number", "PassengerId"};
    samples_source from = {.data = "a.csv", .test = "b.csv", .format = {.separator = ","}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        write_numbered("a.csv", names[i]);
        write_numbered("b.csv", names[i]);
        samples data = loaded(&from);
        assert_int_equal(data.columns.features, 1);
        assert_string_equal(data.columns.of[0].name, "w");
        assert_int_equal(data.columns.dropped, 1);
        assert_int_equal(left_out(&data)->type, GLNN_CSV_TYPE_ROW_NUMBER);
        assert_true(data.test.inputs[1] == 1.5f);
        samples_free(&data);
    }
    from.format.types = "PassengerId=number";
    samples data = loaded(&from);
    assert_int_equal(data.columns.features, 2);
    assert_true(data.columns.dropped == 0 && !data.columns.of[0].numbers_rows);
    samples_free(&data);
    from.format.types = NULL;

    /* Several, and one of another name after a label. */
    write_text("a.csv", ",kind,day,w,Id\n0,a,1,5,1\n1,b,2,5,2\n2,a,3,7,3\n");
    from = (samples_source){.data = "a.csv", .format = {.separator = ",", .label = "kind"}};
    data = loaded(&from);
    assert_int_equal(data.columns.features, 2);
    assert_true(data.columns.dropped == 2 && data.columns.of[0].numbers_rows);
    assert_string_equal(data.columns.of[0].name, "day");
    assert_string_equal(left_out(&data)[1].name, "Id");
    samples_free(&data);
    from = (samples_source){.data = "a.csv", .test = "b.csv", .format = {.separator = ","}};

    /* The name of a measurement, or none: it stays, with a note. */
    write_numbered("a.csv", "day");
    write_numbered("b.csv", "day");
    data = loaded(&from);
    assert_int_equal(data.columns.features, 2);
    assert_true(data.columns.dropped == 0 && data.columns.of[0].numbers_rows);
    samples_free(&data);
    write_text("a.csv", "id,w,kind\n1,2,a\n3,4,b\n");
    from.test = NULL;
    data = loaded(&from);
    assert_true(data.columns.features == 2 && !data.columns.of[0].numbers_rows);
    samples_free(&data);
}

/* A header of numbers must not be taken for positions. */
static void the_column_that_is_left_out_is_found_by_its_name(void **state)
{
    const samples_source from = {.data = "a.csv",
                                 .format = {.separator = ",", .header = GLNN_CSV_HEADER_YES}};
    (void)state;
    write_text("a.csv", ",0,1,2\n0,5,6,a\n1,7,8,b\n");
    samples data = loaded(&from);
    assert_int_equal(data.columns.features, 2);
    assert_string_equal(data.columns.of[0].name, "0");
    assert_string_equal(data.columns.of[1].name, "1");
    samples_free(&data);
}

static void columns_of_one_name_are_refused_unless_both_are_left_out(void **state)
{
    (void)state;
    refused("w,h,w,kind\n1,2,3,a\n4,5,6,b\n", (table_format){0},
            "t.csv: columns 1 and 3 have the same name 'w', so the model could not tell them apart "
            "in other tables; rename one in the file, or leave both out by --drop 1,3");
    table rows = read_text("w,h,w,kind\n1,2,3,a\n4,5,6,b\n", (table_format){.drop = "1,3"});
    assert_int_equal(rows.columns.feature_columns, 1);
    table_free(&rows);
}

static void a_model_without_columns_takes_the_numbers_of_a_table(void **state)
{
    samples_source from = {.data = "b.csv", .format = {.separator = ","}, .test_only = true};
    const float inputs[] = {6, 5, 8, 7};
    samples data = {.columns.features = 2};
    (void)state;
    write_text("b.csv", "w,h,kind\n6,5,k\n8,7,k\n");
    assert_true(classes_add(&data.classes, "k") == 0 && samples_load(&from, &data));
    assert_int_equal(data.features, 2);
    assert_memory_equal(data.test.inputs, inputs, sizeof inputs);
    samples_free(&data);
    write_text("b.csv", "w,h,kind\n6,,k\n8,7,k\n");
    from.format.missing = GLNN_CSV_MISSING_FILL;
    data = (samples){.columns.features = 2};
    assert_true(classes_add(&data.classes, "k") == 0);
    assert_false(samples_load(&from, &data));
    assert_non_null(strstr(failure(), "no means to fill with"));
    samples_free(&data);
}

static void arrays_need_as_many_features_as_the_training_samples(void **state)
{
    const float numbers[6] = {1, 2, 3, 4, 5, 6};
    const glnn_csv_columns like = {.features = 3};
    table rows;
    (void)state;
    assert_int_equal(glnn_npy_write("x.npy", 3, 2, numbers, 0), 0);
    assert_false(table_read("x.npy", NULL, &(table_format){0}, &like, &rows));
    assert_non_null(strstr(failure(), "x.npy has 2 columns of features, but there should be 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_tab_separates_under_both_of_its_names),
        IN_FOLDER(numbers_have_the_decimal_mark_that_the_user_names),
        IN_FOLDER(the_label_is_the_last_column_unless_there_are_targets),
        IN_FOLDER(sentences_name_the_option_that_helps),
        IN_FOLDER(a_test_file_is_matched_to_the_training_file_by_name),
        IN_FOLDER(the_columns_of_a_classifier_stay_for_every_file),
        IN_FOLDER(missing_values_are_filled_from_the_training_file),
        IN_FOLDER(missing_values_are_filled_without_the_samples_for_the_test),
        IN_FOLDER(a_column_that_only_numbers_the_rows_is_no_feature),
        IN_FOLDER(the_column_that_is_left_out_is_found_by_its_name),
        IN_FOLDER(columns_of_one_name_are_refused_unless_both_are_left_out),
        IN_FOLDER(a_model_without_columns_takes_the_numbers_of_a_table),
        IN_FOLDER(arrays_need_as_many_features_as_the_training_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
