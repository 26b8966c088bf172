/* Which columns of a table are what, and what becomes of missing values. */
#include "support/files.h"
#include "support/tables.h"

#include <math.h>

static const glnn_csv_desc label_last = {.label = "last"};

static void a_first_row_with_missing_values_is_data(void **state)
{
    const glnn_csv_desc drop = {.missing = GLNN_CSV_MISSING_DROP, .label = "last"};
    (void)state;
    assert_table_problem("NA,2,a\n3,4,b\n", label_last,
                         "line 1, column 1: the value is missing ('NA')", GLNN_CSV_PROBLEM_MISSING);
    glnn_csv csv = table_read_text("1,NA,a\n3,4,b\n5,6,a\n", drop);
    assert_int_equal(csv.rows, 2);
    assert_int_equal(csv.dropped_rows, 1);
    assert_true(csv.inputs[0] == 3);
    assert_string_equal(csv.columns.class_names[0], "a");
    assert_null(csv.columns.of[0].name);
    glnn_csv_free(&csv);

    csv = table_read_text(",width,kind\n1,2,a\n", label_last);
    assert_int_equal(csv.rows, 1);
    assert_string_equal(csv.columns.of[0].name, "");
    glnn_csv_free(&csv);
}

static void names_next_to_numbers_are_not_guessed_about(void **state)
{
    (void)state;
    assert_table_problem("country,1990,k\nx,2,a\n", label_last,
                         "line 1: column 1 has the text 'country' and column 2 the number '1990'",
                         GLNN_CSV_PROBLEM_HEADER);
    const glnn_csv_desc yes = {.header = GLNN_CSV_HEADER_YES,
                               .label = "k",
                               .dropped = (const char *[]){"1"},
                               .dropped_count = 1};
    glnn_csv csv = table_read_text("country,1990,k\nx,2,a\n", yes);
    assert_string_equal(csv.columns.of[0].name, "1990");
    assert_string_equal(glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_DROPPED)[0].name,
                        "country");
    assert_true(csv.inputs[0] == 2);
    glnn_csv_free(&csv);
}

static void every_text_for_a_missing_value_is_named_with_its_place(void **state)
{
    static const char *const texts[] = {"", "?", "NA", "nan", "NaN", "\"\"", " "};
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        snprintf(text, sizeof text, "a,b,c\n1,2,x\n3,%s,y\n", texts[i]);
        assert_table_problem(text, label_last, "line 3, column 2 ('b'): the value is missing",
                             GLNN_CSV_PROBLEM_MISSING);
        snprintf(text, sizeof text, "a,b,c\n1,2,x\n3,4,%s\n", texts[i]);
        assert_table_problem(text, label_last, "line 3, column 3 ('c'): the label is missing",
                             GLNN_CSV_PROBLEM_UNLABELLED);
    }
}

static void a_column_without_values_is_left_out(void **state)
{
    const glnn_csv_desc drop = {.label = "k", .missing = GLNN_CSV_MISSING_DROP};
    (void)state;
    glnn_csv csv = table_read_text("a,b,c,k\n1,,-,x\n2,NA,N/A,y\n", label_last);
    assert_int_equal(csv.columns.feature_columns, 1);
    assert_int_equal(csv.columns.dropped, 2);
    const glnn_csv_column *left = glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_DROPPED);
    assert_true(left[0].type == GLNN_CSV_TYPE_EMPTY && left[1].type == GLNN_CSV_TYPE_EMPTY);
    glnn_csv_free(&csv);
    assert_table_problem("a,b,c\n,,x\n", (glnn_csv_desc){.label = "c"},
                         "column 1 ('a') is of the type empty, column 2 ('b') is",
                         GLNN_CSV_PROBLEM_NO_FEATURE);
    assert_table_refused("a,b,c,k\n1,,2,x\n1,3,,x\n,,3,x\n", drop,
                         "each of the 3 rows misses a value, and so no row is left; column 2 ('b') "
                         "misses 2; the column can be dropped, or missing values filled");
}

/* The words that pandas takes for missing values, among numbers, among categories and as labels. */
static void the_words_of_pandas_mean_missing_values_in_features(void **state)
{
    static const char *const words[] = {"N/A",  "n/a",    "#N/A",    "#N/A N/A", "#NA",
                                        "<NA>", "NULL",   "null",    "None",     "-NaN",
                                        "-nan", "1.#IND", "1.#QNAN", "-1.#IND",  "-1.#QNAN"};
    static const char *const others[] = {"n.a.", "none", "Null", "---", "NAs", "-na", "missing"};
    const glnn_csv_desc keep = {.label = "k", .missing = GLNN_CSV_MISSING_FILL, .raw = true};
    char text[128];
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        snprintf(text, sizeof text, "n,c,k\n1,a,%s\n%s,%s,%s\n2,a,%s\n", words[i], words[i],
                 words[i], words[i], words[i]);
        glnn_csv csv = table_read_text(text, keep);
        assert_int_equal(csv.missing_values, 2);
        assert_true(isnan(csv.values[2]) && isnan(csv.values[3]));
        assert_int_equal(csv.columns.of[0].type, GLNN_CSV_TYPE_NUMBER);
        assert_int_equal(csv.columns.of[1].categories, 1);
        assert_string_equal(csv.columns.class_names[0], words[i]);
        glnn_csv_free(&csv);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        snprintf(text, sizeof text, "c,k\na,x\n%s,x\na,x\n%s,x\n", others[i], others[i]);
        glnn_csv csv = table_read_text(text, keep);
        assert_int_equal(csv.missing_values, 0);
        assert_int_equal(csv.columns.of[0].categories, 2);
        glnn_csv_free(&csv);
    }
}

static void dashes_are_missing_among_numbers_and_dates_and_else_categories(void **state)
{
    const glnn_csv_desc keep = {.label = "k", .missing = GLNN_CSV_MISSING_FILL, .raw = true};
    (void)state;
    glnn_csv csv = table_read_text("n,d,c,k\n1,2024-12-31,+,-\n-,--,-,+\n--,-,-,+\n"
                                   "2,2024-12-30,+,-\n",
                                   keep);
    assert_int_equal(csv.missing_values, 4);
    assert_int_equal(csv.columns.of[0].type, GLNN_CSV_TYPE_NUMBER);
    assert_int_equal(csv.columns.of[1].type, GLNN_CSV_TYPE_DATE);
    assert_int_equal(csv.columns.of[2].type, GLNN_CSV_TYPE_CATEGORY);
    assert_string_equal(csv.columns.of[2].category_names[1], "-");
    assert_int_equal(csv.columns.classes, 2);
    glnn_csv_free(&csv);
}

static void a_word_for_missing_values_can_be_a_category_of_another_table(void **state)
{
    const glnn_csv_desc keep = {.label = "k", .missing = GLNN_CSV_MISSING_FILL, .raw = true};
    (void)state;
    glnn_csv csv = table_read_text("c,k\nNine,x\na,x\nNine,x\na,x\n", keep);
    strcpy(csv.columns.of[0].category_names[0], "None");
    glnn_csv like = table_read_text(
        "c,k\nNone,x\nnull,x\n",
        (glnn_csv_desc){
            .label = "k", .missing = GLNN_CSV_MISSING_FILL, .raw = true, .like = &csv.columns});
    assert_true(like.values[0] == 0 && isnan(like.values[1]));
    glnn_csv_free(&like);
    glnn_csv_free(&csv);
}

static void the_text_that_may_mean_a_missing_value_is_named(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text("a,b,c,k\n1,1,1,x\n2,2,2,x\nlow,lost,3,x\nlost,3,4,x\n"
                                   "lost,4,4,x\n4,5,4,x\n5,6,4,x\n",
                                   label_last);
    assert_int_equal(csv.columns.dropped, 2);
    const glnn_csv_column *left = glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_DROPPED);
    assert_string_equal(left[0].other_text, "lost");
    assert_int_equal(left[0].other_fields, 2);
    assert_string_equal(left[1].other_text, "lost");
    assert_null(csv.columns.of[0].other_text);
    glnn_csv_free(&csv);
}

static void rows_with_missing_values_are_dropped_on_demand(void **state)
{
    const glnn_csv_desc how = {.label = "l",
                               .targets = (const char *[]){"t"},
                               .target_count = 1,
                               .dropped = (const char *[]){"d"},
                               .dropped_count = 1,
                               .missing = GLNN_CSV_MISSING_DROP};
    (void)state;
    glnn_csv csv = table_read_text("a,l,d,t\n1,p,,2\n?,q,1,2\n3,,1,2\n4,r,1,nan\n5,s,NA,6\n", how);
    const float inputs[] = {1, 5}, targets[] = {2, 6};
    assert_int_equal(csv.rows, 2);
    assert_int_equal(csv.dropped_rows, 3);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_memory_equal(csv.targets, targets, sizeof targets);
    /* Labels of dropped rows do not make classes. */
    assert_int_equal(csv.columns.classes, 2);
    assert_string_equal(csv.columns.class_names[1], "s");
    glnn_csv_free(&csv);
    assert_table_refused("1,NA\n?,2\n", (glnn_csv_desc){.missing = GLNN_CSV_MISSING_DROP},
                         "each of the 2 rows misses a value");
}

static void missing_features_become_the_means_of_the_training_table(void **state)
{
    glnn_csv_desc how = {.label = "last", .missing = GLNN_CSV_MISSING_FILL};
    (void)state;
    glnn_csv csv = table_read_text("1,10,a\nNA,20,b\n4,?,a\n", how);
    const float inputs[] = {1, 10, 2.5f, 20, 4, 15};
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_true(csv.columns.of[0].fill == 2.5f && csv.columns.of[1].fill == 15);
    assert_true(csv.missing_values == 2);

    how.like = &csv.columns;
    glnn_csv test = table_read_text("100,?,a\nNA,200,b\n", how);
    const float filled[] = {100, 15, 2.5f, 200};
    assert_memory_equal(test.inputs, filled, sizeof filled);
    assert_true(test.columns.of[0].fill == 2.5f && test.columns.of[1].fill == 15);
    glnn_csv_free(&test);
    glnn_csv_free(&csv);

    const glnn_csv_choice number[] = {{"1", GLNN_CSV_TYPE_NUMBER, 0}};
    assert_table_refused(
        "NA,1,a\n?,2,b\n",
        (glnn_csv_desc){
            .label = "last", .missing = how.missing, .choices = number, .choice_count = 1},
        "all values of column 1 are missing in 2 rows; the column can be dropped");
    assert_table_problem("1,1,a\n2,2,\n", (glnn_csv_desc){.label = "last", .missing = how.missing},
                         "line 2, column 3: the label is missing", GLNN_CSV_PROBLEM_UNLABELLED);
}

static void missing_features_are_filled_by_the_rows_for_training(void **state)
{
    const glnn_csv_desc keep = {.label = "last", .missing = GLNN_CSV_MISSING_FILL, .raw = true};
    const glnn_csv_fit_desc fill = {.missing = GLNN_CSV_MISSING_FILL};
    const float filled[] = {1, 10, 2, 10, 3, 10, 90, 10};
    (void)state;
    glnn_csv csv = table_read_text("a,b,c\n1,10,x\nNA,?,y\n3,,x\n90,NA,y\n", keep);
    assert_null(csv.inputs);
    assert_true(csv.missing_values == 4 && isnan(csv.values[2]) && isnan(csv.values[7]));
    assert_int_equal(csv.columns.features, 0);
    assert_fails(glnn_csv_columns_encode(&csv.columns, 4, csv.values, csv.values, NULL), GLNN_E_ARG,
                 "the columns are not fitted");
    assert_int_equal(glnn_csv_columns_fit(&csv.columns, &fill, 3, csv.values), GLNN_OK);
    assert_true(csv.columns.of[0].fill == 2 && csv.columns.of[1].fill == 10);
    assert_fails(glnn_csv_columns_fit(&csv.columns, &fill, 1, csv.values + 6), GLNN_E_FORMAT,
                 "all values of column 2 ('b') are missing in 1 row");
    assert_true(csv.columns.of[0].fill == 2 && csv.columns.of[1].fill == 10);
    assert_int_equal(glnn_csv_columns_encode(&csv.columns, 4, csv.values, csv.values, NULL),
                     GLNN_OK);
    assert_memory_equal(csv.values, filled, sizeof filled);

    assert_fails(glnn_csv_columns_encode(&csv.columns, 0, csv.values, csv.values, NULL), GLNN_E_ARG,
                 "0 rows of 2");
    const glnn_csv_columns none = {.features = 2};
    assert_fails(glnn_csv_columns_encode(&none, 4, csv.values, csv.values, NULL), GLNN_E_ARG,
                 "4 rows of 0 feature columns");
    glnn_csv_free(&csv);
    assert_table_problem("1,1,a\n2,2,\n", keep, "line 2, column 3: the label is missing",
                         GLNN_CSV_PROBLEM_UNLABELLED);
}

/* The feature that numbers the rows, from 1; 0: none. */
static int row_numbers_of(const char *text, glnn_csv_desc how)
{
    glnn_csv csv = table_read_text(text, how);
    int found = 0;
    for (int j = 0; j < csv.columns.feature_columns; ++j)
        found = csv.columns.of[j].numbers_rows ? j + 1 : found;
    glnn_csv_free(&csv);
    return found;
}

static void a_feature_that_numbers_the_rows_is_found(void **state)
{
    const glnn_csv_desc drop = {.label = "last", .missing = GLNN_CSV_MISSING_DROP},
                        keep = {.label = "last", .missing = GLNN_CSV_MISSING_FILL, .raw = true},
                        first = {.label = "last",
                                 .dropped = (const char *[]){"first"},
                                 .dropped_count = 1};
    (void)state;
    assert_int_equal(row_numbers_of("w,i,k\n7,1,a\n7,2,b\n7,3,a\n", label_last), 2);
    assert_int_equal(row_numbers_of("0,5,a\n1.0,5,b\n2,5,a\n", label_last), 1);
    assert_int_equal(row_numbers_of("0,5,a\n1,5,b\n3,5,a\n", label_last), 0);
    assert_int_equal(row_numbers_of("2,5,a\n3,5,b\n4,5,a\n", label_last), 0);
    assert_int_equal(row_numbers_of("0,5,a\n2,5,b\n3,5,a\n", label_last), 0);
    assert_int_equal(row_numbers_of("1,5,a\n2,,b\n3,5,a\n", drop), 1);
    assert_int_equal(row_numbers_of("1,5,a\n,5,b\n3,5,a\n", keep), 0);
    assert_int_equal(row_numbers_of("1,5,a\n2,5,b\n3,5,a\n", first), 0);
    assert_int_equal(row_numbers_of("5,1\n5,2\n6,3\n", label_last), 0);
}

static void a_column_of_real_numbers_is_no_label_but_a_target(void **state)
{
    (void)state;
    assert_table_problem(
        "x,price\n1,3.25\n2,4\n3,1e-3\n", label_last,
        "column 2 ('price') cannot be the label: its values are real numbers such as "
        "'3.25', 3 different ones",
        GLNN_CSV_PROBLEM_REAL_LABEL);

    const glnn_csv_desc how = {.targets = (const char *[]){"price", "1"}, .target_count = 2};
    glnn_csv csv = table_read_text("x,price,y\n1,3.25,5\n2,4,6\n", how);
    const float inputs[] = {5, 6}, targets[] = {3.25f, 1, 4, 2};
    assert_int_equal(csv.columns.features, 1);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_memory_equal(csv.targets, targets, sizeof targets);
    assert_string_equal(glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_TARGET)[0].name, "price");
    assert_string_equal(glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_TARGET)[1].name, "x");
    glnn_csv_free(&csv);

    csv = table_read_text("1,1.0\n2,2.0\n", label_last);
    assert_int_equal(csv.columns.classes, 2);
    glnn_csv_free(&csv);
    csv = table_read_text("1,1.5\n2,2.5b\n", label_last);
    assert_int_equal(csv.columns.classes, 2);
    glnn_csv_free(&csv);
}

/* `rows` rows whose labels are `classes` different integers, with a letter behind each. */
static char *numbered_labels(int rows, int classes, const char *letter)
{
    static char text[8192];
    size_t used = 0;
    for (int i = 0; i < rows; ++i)
        used += (size_t)sprintf(text + used, "%d,%d%s\n", i, 1000 + i % classes, letter);
    return text;
}

static void many_values_that_seldom_repeat_are_no_label_and_numbers_can_be_a_target(void **state)
{
    (void)state;
    assert_table_problem(numbered_labels(201, 101, ""), label_last,
                         "column 2 cannot be the label: it has 101 different numbers in 201 rows; "
                         "it can be a target",
                         GLNN_CSV_PROBLEM_REAL_LABEL);
    glnn_csv training = table_read_text(numbered_labels(202, 101, ""), label_last);
    assert_int_equal(training.columns.classes, 101);
    glnn_csv_columns open = training.columns;
    open.classes = 0;
    const glnn_csv_desc like = {.label = "last", .like = &open};
    glnn_csv csv = table_read_text(numbered_labels(201, 201, ""), like);
    assert_int_equal(csv.columns.classes, 201);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
    csv = table_read_text(numbered_labels(100, 100, ""), label_last);
    assert_int_equal(csv.columns.classes, 100);
    glnn_csv_free(&csv);
    assert_table_refused(numbered_labels(201, 201, "x"), label_last,
                         "it has 201 different texts in 201 rows; choose a column of classes");
}

static void an_integer_with_zeros_after_its_point_is_the_same_label(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text("1,10\n1,2.0\n1,10.\n1,-1.00\n1,2\n1,-1\n", label_last);
    const int labels[] = {2, 1, 2, 0, 1, 0};
    assert_int_equal(csv.columns.classes, 3);
    assert_memory_equal(csv.labels, labels, sizeof labels);
    assert_string_equal(csv.columns.class_names[0], "-1");
    assert_string_equal(csv.columns.class_names[1], "2");
    glnn_csv_free(&csv);
    csv = table_read_text("1,a.0\n1,.0\n1,1.0.0\n1,1\n", label_last);
    assert_int_equal(csv.columns.classes, 4);
    glnn_csv_free(&csv);
}

static void columns_are_named_by_header_or_by_place(void **state)
{
    const glnn_csv_desc how = {
        .label = "first", .dropped = (const char *[]){"3", "last"}, .dropped_count = 2};
    (void)state;
    glnn_csv csv = table_read_text("a,1,no,2,no\nb,3,no,4,no\n", how);
    const float inputs[] = {1, 2, 3, 4};
    assert_int_equal(csv.rows, 2);
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_int_equal(csv.columns.dropped, 2);
    glnn_csv_free(&csv);

    /* A name in the header comes first. */
    csv = table_read_text("x,1,last\n5,6,a\n", (glnn_csv_desc){.header = GLNN_CSV_HEADER_YES,
                                                               .label = "last",
                                                               .dropped = (const char *[]){"1"},
                                                               .dropped_count = 1});
    assert_string_equal(csv.columns.of[0].name, "x");
    glnn_csv_free(&csv);
    assert_table_refused(
        "1,2\n",
        (glnn_csv_desc){.label = "1", .dropped = (const char *[]){"first"}, .dropped_count = 1},
        "column 1 ('1') is the label, which is column '1', and cannot be dropped");
    assert_table_refused("a,b\n1,2\n",
                         (glnn_csv_desc){.dropped = (const char *[]){"c"}, .dropped_count = 1},
                         "no column is named 'c'");
}

static void a_name_that_no_column_has_gets_the_one_that_was_meant(void **state)
{
    static const char *const names[][2] = {
        {"knid", "kind"}, {"Kind", "kind"}, {"peta_width", "petal width"}, {"W", "w"}};
    static const char *const alone[] = {"v", "colour", "width of the petal"};
    const char *text = "petal width,kind,w\n1,2,3\n";
    char part[64];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(part, sizeof part, "no column is named '%s'; did you mean '%s'?", names[i][0],
                 names[i][1]);
        assert_table_refused(text, (glnn_csv_desc){.label = names[i][0]}, part);
        assert_table_refused(text, (glnn_csv_desc){.dropped = &names[i][0], .dropped_count = 1},
                             part);
    }
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; ++i) {
        assert_table_refused(text, (glnn_csv_desc){.label = alone[i]}, "no column is named");
        assert_null(strstr(glnn_last_error(), "did you mean"));
    }
}

/* The table that others have to be like. */
static glnn_csv training_table(void)
{
    const glnn_csv_desc how = {
        .label = "last", .dropped = (const char *[]){"1"}, .dropped_count = 1};
    return table_read_text("id,height,width,kind\n1,10,20,a\n2,30,40,b\n", how);
}

static void columns_are_matched_by_name(void **state)
{
    glnn_csv training = training_table();
    const glnn_csv_desc how = {.label = "last",
                               .dropped = (const char *[]){"1"},
                               .dropped_count = 1,
                               .like = &training.columns};
    const float inputs[] = {50, 60};
    (void)state;
    static const char *const texts[] = {"kind,width,id,height\nb,60,3,50\n",
                                        "width,kind,height\n60,b,50\n",
                                        "id,height,width,kind\n3,50,60,b\n", "3,50,60,b\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        glnn_csv csv = table_read_text(texts[i], how);
        assert_int_equal(csv.rows, 1);
        assert_memory_equal(csv.inputs, inputs, sizeof inputs);
        assert_non_null(csv.labels);
        assert_int_equal(csv.labels[0], 1);
        glnn_csv_free(&csv);
    }
    static const char *const bare[] = {"width,height\n60,50\n", "50,60\n"};
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; ++i) {
        glnn_csv csv = table_read_text(bare[i], how);
        assert_memory_equal(csv.inputs, inputs, sizeof inputs);
        assert_null(csv.labels);
        glnn_csv_free(&csv);
    }
    glnn_csv csv =
        table_read_text("width,kind,height\n60,?,50\n", (glnn_csv_desc){.like = &training.columns});
    assert_memory_equal(csv.inputs, inputs, sizeof inputs);
    assert_null(csv.labels);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void numbers_are_a_header_where_they_are_the_names_of_the_training_table(void **state)
{
    (void)state;
    glnn_csv training =
        table_read_text("1,2\n3,4\n", (glnn_csv_desc){.header = GLNN_CSV_HEADER_YES});
    const glnn_csv_desc how = {.like = &training.columns};
    glnn_csv csv = table_read_text("2,1\n6,5\n", how);
    assert_int_equal(csv.rows, 1);
    assert_true(csv.inputs[0] == 5 && csv.inputs[1] == 6);
    glnn_csv_free(&csv);
    csv = table_read_text("5,6\n", how);
    assert_int_equal(csv.rows, 1);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void a_header_that_is_missing_is_told_from_other_columns(void **state)
{
    glnn_csv training = training_table();
    glnn_csv_desc how = {.label = "kind", .like = &training.columns};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        assert_table_problem(
            "50,60,b\n", how,
            "line 1: the header of the table for training is missing: this row has "
            "numbers, and none of 'height', 'width'",
            GLNN_CSV_PROBLEM_NO_HEADER);
        how = (glnn_csv_desc){
            .label = "last", .header = GLNN_CSV_HEADER_YES, .like = &training.columns};
    }
    how.header = GLNN_CSV_HEADER_AUTO;
    glnn_csv csv = table_read_text("50,60,b\n", how);
    assert_true(csv.inputs[1] == 60 && csv.labels[0] == 1);
    glnn_csv_free(&csv);
    how.label = "kind";
    assert_table_refused("age,depth,kind\n1,2,a\n", how, "'height', 'width' missing");
    assert_table_refused("width,1,kind\n1,2,a\n", how, "'height' missing, '1' additional");
    glnn_csv_free(&training);
}

static void columns_that_differ_from_the_training_table_are_named(void **state)
{
    glnn_csv training = training_table();
    const glnn_csv_desc how = {.label = "last", .like = &training.columns};
    (void)state;
    assert_table_refused("height,kind,depth,age\n1,a,2,3\n", how,
                         "line 1: the columns differ from those of the table for training: 'width' "
                         "missing, 'depth', 'age' "
                         "additional");
    assert_table_refused("height,kind\n1,a\n", how, "'width' missing");
    assert_table_problem("width,height,kind,w2\n1,2,a,3\n", how, "'w2' additional",
                         GLNN_CSV_PROBLEM_ADDITIONAL);
    assert_table_refused("width,width,height\n1,2,3\n", how,
                         "columns 1 and 2 have the same name 'width'");
    assert_table_problem("1,2,3,4\n", how,
                         "has 3 features; there must be 2: without a header, columns are found by "
                         "position, and the table has 4 columns, of which 1 are a label, targets "
                         "or left out",
                         GLNN_CSV_PROBLEM_ADDITIONAL);
    assert_table_problem("Width,height,kind\n1,2,3\n", how,
                         "upper and lower case differ in 'width' and 'Width'",
                         GLNN_CSV_PROBLEM_NONE);
    glnn_csv_free(&training);

    const glnn_csv_desc two = {.targets = (const char *[]){"p", "q"}, .target_count = 2};
    training = table_read_text("p,x,q\n1,2,3\n", two);
    glnn_csv_desc test = two;
    test.like = &training.columns;
    assert_table_refused("x,q\n1,2\n", test, "only 1 of 2 targets");
    glnn_csv csv = table_read_text("x\n1\n", test);
    assert_null(csv.targets);
    glnn_csv_free(&csv);
    test.targets = (const char *[]){"first", "last"};
    csv = table_read_text("q,p,x\n1,2,3\n", test);
    assert_true(csv.inputs[0] == 3 && csv.targets[0] == 2 && csv.targets[1] == 1);
    glnn_csv_free(&csv);
    test.target_count = 1;
    file_path path = file_write("fewer", "q,p,x\n1,2,3\n", 12);
    assert_fails(glnn_csv_read(path.text, &test, &csv), GLNN_E_ARG,
                 "target_count is 1, but desc->like has 2 targets");
    glnn_csv_free(&training);
}

static void targets_come_in_the_order_of_the_training_table(void **state)
{
    const glnn_csv_desc how = {.targets = (const char *[]){"p", "q"}, .target_count = 2};
    static const char *const orders[][2] = {{"p", "q"}, {"q", "p"}, {"1", "last"}, {"last", "p"}};
    const float targets[] = {2, 3};
    glnn_csv training = table_read_text("p,x,q\n1,2,3\n", how);
    glnn_csv_desc test = how;
    test.like = &training.columns;
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; ++i) {
        test.targets = orders[i];
        glnn_csv csv = table_read_text("q,p,x\n3,2,1\n", test);
        assert_memory_equal(csv.targets, targets, sizeof targets);
        assert_string_equal(glnn_csv_columns_find(&csv.columns, GLNN_CSV_ROLE_TARGET)[0].name, "p");
        glnn_csv_free(&csv);
    }
    test.targets = (const char *[]){"r", "s"};
    glnn_csv csv = table_read_text("s,r,x\n3,2,1\n", test);
    assert_memory_equal(csv.targets, targets, sizeof targets);
    glnn_csv_free(&csv);
    test.targets = (const char *[]){"r", "p"};
    assert_table_refused("r,p,x\n3,2,1\n", test, "1 of the 2 targets are targets of");
    test.targets = (const char *[]){"p", "2"};
    assert_table_refused("q,p,x\n3,2,1\n", test, "target column '2' is a position");
    test.target_count = 1;
    file_path path = file_write("headless", "1,2\n", 4);
    assert_fails(glnn_csv_read(path.text, &test, &csv), GLNN_E_ARG, "has 2 targets");
    glnn_csv_free(&training);
}

static void a_position_is_that_of_the_column_in_the_training_table(void **state)
{
    static const char *const right[] = {"last", "4", "kind"}, *const wrong[] = {"99", "1", "first",
                                                                                "2"};
    glnn_csv training = training_table();
    (void)state;
    assert_int_equal(training.columns.of[2].position, 4);
    assert_int_equal(training.columns.of[3].position, 1);
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        const glnn_csv_desc how = {.label = right[i], .like = &training.columns};
        glnn_csv csv = table_read_text("kind,width,id,height\nb,60,3,50\n", how);
        assert_int_equal(csv.labels[0], 1);
        glnn_csv_free(&csv);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_table_refused(
            "id,height,width,kind\n1,10,20,a\n",
            (glnn_csv_desc){.label = wrong[i], .like = &training.columns},
            "is a position in the table for training, where label 'kind' was elsewhere; "
            "give the name of the column");
    assert_table_refused("id,height,width,kind\n1,10,20,a\n",
                         (glnn_csv_desc){.dropped = (const char *[]){"2"},
                                         .dropped_count = 1,
                                         .like = &training.columns},
                         "dropped column '2' is a position");
    training.columns.of[2].position = 0;
    assert_table_refused("id,height,width,kind\n1,10,20,a\n",
                         (glnn_csv_desc){.label = "last", .like = &training.columns},
                         "at an unknown position");
    /* A column of that name comes first. */
    glnn_csv csv = table_read_text("2,height,width\nb,10,20\n",
                                   (glnn_csv_desc){.label = "2", .like = &training.columns});
    assert_int_equal(csv.labels[0], 1);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_row_with_missing_values_is_data),
        cmocka_unit_test(names_next_to_numbers_are_not_guessed_about),
        cmocka_unit_test(every_text_for_a_missing_value_is_named_with_its_place),
        cmocka_unit_test(a_column_without_values_is_left_out),
        cmocka_unit_test(the_words_of_pandas_mean_missing_values_in_features),
        cmocka_unit_test(dashes_are_missing_among_numbers_and_dates_and_else_categories),
        cmocka_unit_test(a_word_for_missing_values_can_be_a_category_of_another_table),
        cmocka_unit_test(the_text_that_may_mean_a_missing_value_is_named),
        cmocka_unit_test(rows_with_missing_values_are_dropped_on_demand),
        cmocka_unit_test(missing_features_become_the_means_of_the_training_table),
        cmocka_unit_test(missing_features_are_filled_by_the_rows_for_training),
        cmocka_unit_test(a_feature_that_numbers_the_rows_is_found),
        cmocka_unit_test(a_column_of_real_numbers_is_no_label_but_a_target),
        cmocka_unit_test(many_values_that_seldom_repeat_are_no_label_and_numbers_can_be_a_target),
        cmocka_unit_test(an_integer_with_zeros_after_its_point_is_the_same_label),
        cmocka_unit_test(columns_are_named_by_header_or_by_place),
        cmocka_unit_test(a_name_that_no_column_has_gets_the_one_that_was_meant),
        cmocka_unit_test(columns_are_matched_by_name),
        cmocka_unit_test(numbers_are_a_header_where_they_are_the_names_of_the_training_table),
        cmocka_unit_test(a_header_that_is_missing_is_told_from_other_columns),
        cmocka_unit_test(columns_that_differ_from_the_training_table_are_named),
        cmocka_unit_test(targets_come_in_the_order_of_the_training_table),
        cmocka_unit_test(a_position_is_that_of_the_column_in_the_training_table),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
