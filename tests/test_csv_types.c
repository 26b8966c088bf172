/* Types of columns, and how numbers, categories and dates become features. */
#include "support/fault_runs.h"
#include "support/files.h"
#include "support/tables.h"

#include <math.h>

/* A table of so many rows, in which each line of `rows` comes again in turn. */
static const char *repeated(const char *header, const char *const *rows, int count, int times)
{
    static char text[1 << 16];
    size_t used = (size_t)snprintf(text, sizeof text, "%s\n", header);
    for (int i = 0; i < count * times; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", rows[i % count]);
    return text;
}

static const glnn_csv_column *column_of(const glnn_csv *csv, const char *name)
{
    for (int i = 0; i < csv->columns.count; ++i)
        if (!strcmp(csv->columns.of[i].name, name))
            return &csv->columns.of[i];
    fail_msg("no column '%s'", name);
    return NULL;
}

static glnn_csv_type type_of(const glnn_csv *csv, const char *name)
{
    return column_of(csv, name)->type;
}

static void types_are_found_by_the_fields(void **state)
{
    static const char *const rows[] = {
        "1,5.5,red,2024-02-29,Smith,1,1e3,x9,true,y", "2,-1,green,2024-03-01,Jones,2,?,x8,false,n",
        "3,4,red,2023-12-31 12:00,Brown,1,0,x7,true,y", "4,5,,2024-01-01,Adams,2,7,x6,NA,n"};
    (void)state;
    glnn_csv csv =
        table_read_text(repeated("id,number,colour,day,name,code,count,text,flag,kind", rows, 4, 1),
                        (glnn_csv_desc){.label = "kind", .missing = GLNN_CSV_MISSING_FILL});
    assert_int_equal(type_of(&csv, "id"), GLNN_CSV_TYPE_ROW_NUMBER);
    assert_int_equal(type_of(&csv, "number"), GLNN_CSV_TYPE_NUMBER);
    assert_int_equal(type_of(&csv, "colour"), GLNN_CSV_TYPE_TEXT);
    assert_int_equal(type_of(&csv, "day"), GLNN_CSV_TYPE_DATE);
    assert_int_equal(type_of(&csv, "name"), GLNN_CSV_TYPE_TEXT);
    assert_int_equal(type_of(&csv, "code"), GLNN_CSV_TYPE_NUMBER);
    assert_int_equal(type_of(&csv, "kind"), GLNN_CSV_TYPE_AUTO);
    assert_int_equal(column_of(&csv, "name")->role, GLNN_CSV_ROLE_DROPPED);
    assert_int_equal(csv.columns.feature_columns, 4);
    assert_int_equal(csv.columns.features, 3 + 7);
    assert_int_equal(csv.columns.dropped, 5);
    glnn_csv_free(&csv);
    /* Twice as many rows, in which all texts repeat: only the row numbers are none any more. */
    csv =
        table_read_text(repeated("id,number,colour,day,name,code,count,text,flag,kind", rows, 4, 2),
                        (glnn_csv_desc){.label = "kind", .missing = GLNN_CSV_MISSING_FILL});
    assert_int_equal(type_of(&csv, "id"), GLNN_CSV_TYPE_NUMBER);
    assert_int_equal(type_of(&csv, "colour"), GLNN_CSV_TYPE_CATEGORY);
    assert_int_equal(type_of(&csv, "name"), GLNN_CSV_TYPE_CATEGORY);
    assert_int_equal(type_of(&csv, "flag"), GLNN_CSV_TYPE_CATEGORY);
    assert_int_equal(csv.columns.dropped, 0);
    glnn_csv_free(&csv);
}

/* A column of `different` texts, each twice, and a number. */
static const char *texts_of(int different)
{
    static char text[1 << 14];
    size_t used = (size_t)sprintf(text, "t,w\n");
    for (int i = 0; i < 2 * different; ++i)
        used += (size_t)sprintf(text + used, "t%d,1\n", i % different);
    return text;
}

static void texts_that_repeat_are_categories_up_to_a_hundred(void **state)
{
    (void)state;
    glnn_csv csv = table_read_text(texts_of(100), (glnn_csv_desc){.rare = 1e-6f});
    assert_int_equal(type_of(&csv, "t"), GLNN_CSV_TYPE_CATEGORY);
    assert_int_equal(csv.columns.features, 101);
    glnn_csv_free(&csv);
    csv = table_read_text(texts_of(101), (glnn_csv_desc){0});
    assert_int_equal(type_of(&csv, "t"), GLNN_CSV_TYPE_TEXT);
    assert_int_equal(csv.columns.features, 1);
    glnn_csv_free(&csv);
    csv = table_read_text("t,w\na,1\na,1\nb,1\n", (glnn_csv_desc){0});
    assert_int_equal(type_of(&csv, "t"), GLNN_CSV_TYPE_TEXT);
    glnn_csv_free(&csv);
}

static void a_few_texts_among_numbers_are_problems(void **state)
{
    char text[512] = "w,v\n";
    (void)state;
    for (int i = 0; i < 18; ++i)
        strcat(text, i == 5 ? "x,1\n" : i == 9 ? "7,1e99\n" : "5,1\n");
    assert_table_problem(text, (glnn_csv_desc){0},
                         "2 kinds of problems: line 7, column 1 ('w'): 'x' is not a finite number; "
                         "line 11, column 2 ('v'): '1e99' is not a finite number",
                         GLNN_CSV_PROBLEM_TEXT);
    strcpy(text, "w,v\n");
    for (int i = 0; i < 18; ++i)
        strcat(text, i % 9 == 5 ? "x,1\n" : "5,1\n");
    glnn_csv csv = table_read_text(text, (glnn_csv_desc){0});
    assert_int_equal(type_of(&csv, "w"), GLNN_CSV_TYPE_CATEGORY);
    glnn_csv_free(&csv);
    strcpy(text, "w,v\n");
    for (int i = 0; i < 20; ++i)
        strcat(text, i == 5 ? "2024-02-30,1\n" : "2024-02-29,1\n");
    assert_table_problem(text, (glnn_csv_desc){0},
                         "line 7, column 1 ('w'): '2024-02-30' is not a date with the year first",
                         GLNN_CSV_PROBLEM_DATE);
}

static void numbers_with_a_decimal_comma_are_no_categories(void **state)
{
    const glnn_csv_desc how = {.separator = ';'};
    (void)state;
    assert_table_problem("w;v\n1,5;1\n1,5;2\n2;3\n2;3\n", how,
                         "line 2, column 1 ('w'): '1,5' is not a finite number, and so in 1 more "
                         "row",
                         GLNN_CSV_PROBLEM_TEXT);
    glnn_csv csv = table_read_text("w;v\n1,5;a\n1,5;b\n2;a\n2;b\n",
                                   (glnn_csv_desc){.separator = ';', .decimal = ','});
    assert_true(csv.columns.features == 3 && csv.inputs[0] == 1.5f && csv.inputs[1] == 1);
    glnn_csv_free(&csv);
}

static void all_problems_are_reported_at_once(void **state)
{
    char text[1 << 12] = "";
    (void)state;
    assert_table_problem("a,b,k\n1,,x\n,2,x\n3,,\n4,5,6,7\n8,9,z\n", (glnn_csv_desc){.label = "k"},
                         "4 kinds of problems: line 2, column 2 ('b'): the value is missing (''), "
                         "and so in 1 more row; line 3, column 1 ('a'): the value is missing (''); "
                         "line 4, column 3 ('k'): the label is missing (''); line 5 has 4 columns; "
                         "the first row has 3; rows can be dropped, or missing values filled",
                         GLNN_CSV_PROBLEM_MISSING);
    assert_table_problem("a,k\n,x\n\"1\"2,x\n", (glnn_csv_desc){.label = "k"},
                         "2 kinds of problems: line 2, column 1 ('a'): the value is missing (''); "
                         "line 3, column 1: text follows the closing quote; rows can",
                         GLNN_CSV_PROBLEM_MISSING);
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 25; ++c)
            sprintf(text + strlen(text), row ? "%s" : "%sc%d", c ? "," : row ? "\n" : "", c);
    for (int c = 0; c < 25; ++c)
        strcat(text, c ? ",1" : "\n1");
    strcat(text, "\n");
    assert_table_problem(text, (glnn_csv_desc){.header = GLNN_CSV_HEADER_YES},
                         "line 2, column 20 ('c19'): the value is missing (''), and so in 1 more "
                         "row; and 10 other problems; rows can",
                         GLNN_CSV_PROBLEM_MISSING);
}

/* The days that a date is from 2000-01-01 on, of a column of it and `other`; NAN: none. */
static double days_of(const char *text, const char *other)
{
    char table[256];
    snprintf(table, sizeof table, "%s,1\n%s,1\n%s,1\n%s,1\n", text, other, text, other);
    glnn_csv csv = table_read_text(
        table, (glnn_csv_desc){.header = GLNN_CSV_HEADER_NO, .missing = GLNN_CSV_MISSING_FILL});
    const double days = csv.columns.of[0].type == GLNN_CSV_TYPE_DATE ? csv.inputs[0] : NAN;
    glnn_csv_free(&csv);
    return days;
}

static void dates_are_read_in_the_one_order_that_fits(void **state)
{
    static const struct {
        const char *text, *other;
        double days;
    } dates[] = {
        {"2000-01-01", "2000-01-02", 0},
        {"2000/1/2", "2000-01-02", 1},
        {"1999-12-31", "2000-01-02", -1},
        {"2000.03.01", "2000-01-02", 60},
        {"1900-03-01", "2000-01-02", -36465},
        {"0001-01-01", "2000-01-02", -730119},
        {"2001-01-01T12:00", "2000-01-02", 366.5},
        {"2001-01-01 06:00:00", "2000-01-02", 366.25},
        {"2001-01-01T06:00:00.000Z", "2000-01-02", 366.25},
        {"2001-01-01T06:00+06:00", "2000-01-02", 366},
        {"2001-01-01T06:00:00-0600", "2000-01-02", 366.5},
        {"2001-01-01T06:00+06", "2000-01-02", 366},
        {"01.02.2000", "02.02.2000", 31},
        {"31/01/2000", "01/02/2000", 30},
        {"01/31/2000", "02/01/2000", 30},
        {"1-31-2000", "2-1-2000", 30},
        {"31-1-2000", "2-1-2000", 30},
    };
    static const char *const others[] = {
        "01/02/2000",    "2000-02-30",       "2000-13-01", "2000-00-01",
        "2000-1-1x",     "2000-01/01",       "2001-02-29", "2000-01-01T24:00",
        "2000-01-01T12", "2000-01-01T12:60", "01.02.00",   "2000-01-01T12:00+24:00",
        "20000101",      "2000-01",          "2000-01-",   "2000-01-01T",
        "2000"};
    (void)state;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; ++i)
        assert_true(days_of(dates[i].text, dates[i].other) == dates[i].days);
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_true(isnan(days_of(others[i], others[i])));
    assert_true(isnan(days_of("2000-01-02", "01.02.2000")));
    assert_table_refused(
        "01/02/2000,1\n03/04/2000,1\n",
        (glnn_csv_desc){.header = GLNN_CSV_HEADER_NO,
                        .choices = &(glnn_csv_choice){.column = "1", .type = GLNN_CSV_TYPE_DATE},
                        .choice_count = 1},
        "column 1: the day and the month of all dates can be swapped");
}

/* 2001-01-01 is a Monday. */
static void dates_are_days_and_cycles(void **state)
{
    const double turn = 6.283185307179586;
    (void)state;
    glnn_csv csv = table_read_text("day\n2001-01-01\n2001-07-02\n2004-12-31\n", (glnn_csv_desc){0});
    assert_int_equal(csv.columns.features, 5);
    const double year[] = {0, 182.0 / 365, 365.0 / 366}, week[] = {0, 0, 4.0 / 7},
                 days[] = {366, 548, 1826};
    for (int i = 0; i < 3; ++i) {
        const float wanted[] = {(float)days[i], (float)sin(turn * year[i]),
                                (float)cos(turn * year[i]), (float)sin(turn * week[i]),
                                (float)cos(turn * week[i])};
        for (int j = 0; j < 5; ++j)
            assert_true(fabsf(csv.inputs[5 * i + j] - wanted[j]) < 1e-6f);
    }
    glnn_csv_free(&csv);
    csv = table_read_text("day\n2001-01-01T06:00\n2001-07-02\n", (glnn_csv_desc){0});
    assert_int_equal(csv.columns.features, 7);
    assert_true(csv.inputs[5] == 1 && fabsf(csv.inputs[6]) < 1e-6f && csv.inputs[13] == 1);
    glnn_csv_free(&csv);
    csv = table_read_text("day\n2001-01-01T06:00\n2001-07-02\n",
                          (glnn_csv_desc){.choices = &(glnn_csv_choice){"day", GLNN_CSV_TYPE_AUTO,
                                                                        GLNN_CSV_ENCODING_AS_IS},
                                          .choice_count = 1});
    assert_int_equal(csv.columns.features, 1);
    assert_true(csv.inputs[0] == 366.25f && csv.inputs[1] == 548);
    glnn_csv_free(&csv);
}

static void row_numbers_are_left_out_if_their_name_says_so(void **state)
{
    static const char *const names[] = {"id",         "PassengerId", "row_number",  "\"\"",
                                        "Unnamed: 0", "No.",         "sample index"};
    static const char *const others[] = {"idea", "valid", "day", "rows", "grid"};
    char text[128];
    (void)state;
    for (size_t i = 0; i < 12; ++i) {
        const bool is_name = i < 7;
        snprintf(text, sizeof text, "%s,w\n0,5\n1.0,7\n2,7\n", is_name ? names[i] : others[i - 7]);
        glnn_csv csv = table_read_text(text, (glnn_csv_desc){.header = GLNN_CSV_HEADER_YES});
        assert_int_equal(csv.columns.features, is_name ? 1 : 2);
        assert_true(csv.columns.of[0].numbers_rows == !is_name);
        glnn_csv_free(&csv);
    }
    glnn_csv csv = table_read_text("id\n1\n2\n", (glnn_csv_desc){0});
    assert_true(csv.columns.features == 1 && csv.columns.of[0].numbers_rows);
    glnn_csv_free(&csv);
    csv = table_read_text("id,w,id\n1,5,7\n2,6,7\n", (glnn_csv_desc){0});
    assert_int_equal(csv.columns.features, 3);
    glnn_csv_free(&csv);
    csv = table_read_text("id,w\n1,5\n", (glnn_csv_desc){0});
    assert_int_equal(csv.columns.features, 2);
    glnn_csv_free(&csv);
    csv = table_read_text("id,w\n1,5\n2,5\n",
                          (glnn_csv_desc){.choices = &(glnn_csv_choice){"id", GLNN_CSV_TYPE_NUMBER,
                                                                        GLNN_CSV_ENCODING_AUTO},
                                          .choice_count = 1});
    assert_int_equal(csv.columns.features, 2);
    glnn_csv_free(&csv);
}

static const char *const colours[] = {"red,1", "green,2", "red,3", "blue,4"};

static void categories_are_one_hot_in_ascending_order(void **state)
{
    const float wanted[] = {0, 0, 1, 1, 0, 1, 0, 2, 0, 0, 1, 3, 1, 0, 0, 4};
    (void)state;
    glnn_csv csv = table_read_text(repeated("colour,w", colours, 4, 2), (glnn_csv_desc){0});
    const glnn_csv_column *of = &csv.columns.of[0];
    assert_true(of->categories == 3 && of->kept == 3 && !of->has_other);
    assert_string_equal(of->category_names[0], "blue");
    assert_memory_equal(csv.inputs, wanted, sizeof wanted);
    glnn_csv_free(&csv);
    /* Numbers ascend as numbers, and zeros after their points do not matter. */
    csv = table_read_text(
        "c\n10\n2.0\n2\n10\n",
        (glnn_csv_desc){.choices =
                            &(glnn_csv_choice){.column = "c", .type = GLNN_CSV_TYPE_CATEGORY},
                        .choice_count = 1});
    const float numbers[] = {0, 1, 1, 0, 1, 0, 0, 1};
    assert_memory_equal(csv.inputs, numbers, sizeof numbers);
    glnn_csv_free(&csv);
}

static void ordinal_categories_are_one_number(void **state)
{
    const float wanted[] = {2, 1, 1, 2, 2, 3, 0, 4};
    const glnn_csv_choice choice = {.column = "colour", .encoding = GLNN_CSV_ENCODING_ORDINAL};
    const glnn_csv_desc ways[] = {{.encoding = GLNN_CSV_ENCODING_ORDINAL},
                                  {.choices = &choice, .choice_count = 1}};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        glnn_csv csv = table_read_text(repeated("colour,w", colours, 4, 2), ways[i]);
        assert_int_equal(csv.columns.features, 2);
        assert_memory_equal(csv.inputs, wanted, sizeof wanted);
        glnn_csv_free(&csv);
    }
}

static void rare_categories_are_pooled(void **state)
{
    (void)state;
    glnn_csv csv =
        table_read_text(repeated("colour,w", colours, 4, 2), (glnn_csv_desc){.rare = 0.3f});
    const glnn_csv_column *of = &csv.columns.of[0];
    const float one_hot[] = {1, 0, 1, 0, 1, 2, 1, 0, 3, 0, 1, 4};
    assert_true(of->kept == 1 && of->has_other && of->categories == 3 && of->codes[0] == -1);
    assert_memory_equal(csv.inputs, one_hot, sizeof one_hot);
    glnn_csv_free(&csv);
    csv = table_read_text(repeated("colour,w", colours, 4, 2),
                          (glnn_csv_desc){.rare = 0.3f, .encoding = GLNN_CSV_ENCODING_ORDINAL});
    const float ordinal[] = {0, 1, 1, 2, 0, 3, 1, 4};
    assert_memory_equal(csv.inputs, ordinal, sizeof ordinal);
    glnn_csv_free(&csv);
    /* 0.5 % by default: of 400 rows, one is rare, and two are not. */
    char *text = malloc(4000);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "c,w\n");
    for (int i = 0; i < 400; ++i)
        used += (size_t)sprintf(text + used, "%s,1\n", i == 0 ? "a" : i < 3 ? "b" : "c");
    csv = table_read_text(text, (glnn_csv_desc){0});
    free(text);
    assert_true(csv.columns.of[0].kept == 2 && csv.columns.of[0].has_other);
    glnn_csv_free(&csv);
}

static void unknown_categories_are_other_or_zeros_and_are_counted(void **state)
{
    (void)state;
    for (int pools = 0; pools < 2; ++pools) {
        glnn_csv training = table_read_text(repeated("colour,w", colours, 4, 2),
                                            (glnn_csv_desc){.rare = pools ? 0.3f : 0.01f});
        const glnn_csv_desc like = {.like = &training.columns};
        glnn_csv csv = table_read_text("w,colour\n7,black\n8,red\n", like);
        assert_int_equal(csv.unknown_values, 1);
        const float zeros[] = {0, 0, 0, 7, 0, 0, 1, 8}, others[] = {0, 1, 7, 1, 0, 8};
        assert_memory_equal(csv.inputs, pools ? others : zeros,
                            pools ? sizeof others : sizeof zeros);
        glnn_csv_free(&csv);
        for (int j = 0; j < 2; ++j)
            training.columns.of[j].encoding =
                j == 0 ? GLNN_CSV_ENCODING_ORDINAL : training.columns.of[j].encoding;
        training.columns.of[0].features = 1;
        training.columns.features = 2;
        csv = table_read_text("w,colour\n7,black\n8,red\n", like);
        assert_true(csv.inputs[0] == (pools ? 1 : 3));
        glnn_csv_free(&csv);
        glnn_csv_free(&training);
    }
}

static const char *const gaps[] = {"red,1,2001-01-01",  "red,3,2001-01-03",  ",,",
                                   "blue,2,2001-01-05", "blue,2,2001-01-05", "red,2,2001-01-01"};

static glnn_csv gapped(glnn_csv_missing missing, glnn_csv_encoding encoding)
{
    return table_read_text(repeated("c,w,d", gaps, 6, 1),
                           (glnn_csv_desc){.missing = missing,
                                           .encoding = encoding,
                                           .choices = &(glnn_csv_choice){"d", GLNN_CSV_TYPE_AUTO,
                                                                         GLNN_CSV_ENCODING_AS_IS},
                                           .choice_count = 1});
}

static void expect_row(const glnn_csv *csv, int row, int count, const float *wanted)
{
    assert_int_equal(csv->columns.features, count);
    for (int j = 0; j < count; ++j)
        if (csv->inputs[row * count + j] != wanted[j])
            fail_msg("feature %d is %g instead of %g", j, (double)csv->inputs[row * count + j],
                     (double)wanted[j]);
}

static void missing_values_are_filled_indicated_or_a_category(void **state)
{
    const glnn_csv_encoding one_hot = GLNN_CSV_ENCODING_ONE_HOT,
                            ordinal = GLNN_CSV_ENCODING_ORDINAL;
    (void)state;
    glnn_csv csv = gapped(GLNN_CSV_MISSING_FILL, one_hot);
    expect_row(&csv, 2, 4, (float[]){0, 1, 2, 368});
    assert_int_equal(csv.missing_values, 3);
    glnn_csv_free(&csv);
    csv = gapped(GLNN_CSV_MISSING_FILL, ordinal);
    expect_row(&csv, 2, 3, (float[]){1, 2, 368});
    glnn_csv_free(&csv);
    csv = gapped(GLNN_CSV_MISSING_INDICATOR, one_hot);
    expect_row(&csv, 2, 7, (float[]){0, 0, 1, 2, 1, 368, 1});
    expect_row(&csv, 1, 7, (float[]){0, 1, 0, 3, 0, 368, 0});
    glnn_csv_free(&csv);
    csv = gapped(GLNN_CSV_MISSING_INDICATOR, ordinal);
    expect_row(&csv, 2, 6, (float[]){1, 1, 2, 1, 368, 1});
    glnn_csv_free(&csv);
    csv = gapped(GLNN_CSV_MISSING_CATEGORY, one_hot);
    expect_row(&csv, 2, 5, (float[]){0, 0, 1, 2, 368});
    expect_row(&csv, 1, 5, (float[]){0, 1, 0, 3, 368});
    glnn_csv_free(&csv);
    csv = gapped(GLNN_CSV_MISSING_CATEGORY, ordinal);
    expect_row(&csv, 2, 3, (float[]){3, 2, 368});
    glnn_csv_free(&csv);
}

static void a_table_like_another_treats_missing_values_as_that_one(void **state)
{
    (void)state;
    glnn_csv training = gapped(GLNN_CSV_MISSING_INDICATOR, GLNN_CSV_ENCODING_ONE_HOT);
    glnn_csv csv = table_read_text("c,w,d\n,5,?\n", (glnn_csv_desc){.like = &training.columns});
    expect_row(&csv, 0, 7, (float[]){0, 0, 1, 5, 0, 368, 1});
    glnn_csv_free(&csv);
    assert_table_refused(
        "c,w,d\n,5,?\n",
        (glnn_csv_desc){.like = &training.columns, .missing = GLNN_CSV_MISSING_DROP},
        "each of the 1 rows misses a value");
    glnn_csv_free(&training);
    /* Columns that miss nothing in training are filled later. */
    training =
        table_read_text("w,v\n1,2\n3,4\n", (glnn_csv_desc){.missing = GLNN_CSV_MISSING_INDICATOR});
    assert_int_equal(training.columns.features, 2);
    csv = table_read_text("w,v\n,7\n", (glnn_csv_desc){.like = &training.columns});
    expect_row(&csv, 0, 2, (float[]){2, 7});
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void a_table_of_one_column_can_be_like_another(void **state)
{
    static const char *const rows[] = {"red", "blue"};
    (void)state;
    glnn_csv training = table_read_text(repeated("c", rows, 2, 2), (glnn_csv_desc){0});
    glnn_csv csv = table_read_text("c\nblue\nred\n", (glnn_csv_desc){.like = &training.columns});
    assert_int_equal(csv.columns.features, 2);
    expect_row(&csv, 0, 2, (float[]){1, 0});
    expect_row(&csv, 1, 2, (float[]){0, 1});
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
    training = table_read_text(repeated("c", rows, 2, 2), (glnn_csv_desc){.raw = true});
    assert_int_equal(training.columns.feature_columns, 1);
    csv = table_read_text("c\nblue\n", (glnn_csv_desc){.raw = true, .like = &training.columns});
    assert_int_equal(csv.columns.feature_columns, 1);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void a_column_dropped_by_name_may_be_absent_in_a_table_like_another(void **state)
{
    (void)state;
    glnn_csv_desc how = {.dropped = (const char *[]){"id"}, .dropped_count = 1};
    glnn_csv training = table_read_text("id,w\n8,1\n9,2\n", how);
    how.like = &training.columns;
    glnn_csv csv = table_read_text("w\n5\n", how);
    assert_true(csv.columns.features == 1 && csv.inputs[0] == 5);
    glnn_csv_free(&csv);
    csv = table_read_text("id,w\n7,5\n", how);
    assert_true(csv.columns.features == 1 && csv.inputs[0] == 5 && csv.columns.dropped == 1);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void columns_are_fitted_to_the_rows_that_are_given(void **state)
{
    static const char *const rows[] = {"red,1", "red,3", "green,5", "green,7", "red,", "blue,50"};
    const glnn_csv_fit_desc fill = {.missing = GLNN_CSV_MISSING_FILL};
    float inputs[36];
    int64_t unknown = -1;
    (void)state;
    glnn_csv csv = table_read_text(repeated("c,w", rows, 6, 1),
                                   (glnn_csv_desc){.missing = GLNN_CSV_MISSING_FILL, .raw = true});
    assert_int_equal(csv.columns.of[0].categories, 3);
    assert_int_equal(glnn_csv_columns_fit(&csv.columns, &fill, 4, csv.values), GLNN_OK);
    assert_int_equal(csv.columns.features, 3);
    assert_int_equal(glnn_csv_columns_encode(&csv.columns, 6, csv.values, inputs, &unknown),
                     GLNN_OK);
    const float wanted[] = {0, 1, 1, 0, 1, 3, 1, 0, 5, 1, 0, 7, 0, 1, 4, 0, 0, 50};
    assert_memory_equal(inputs, wanted, sizeof wanted);
    assert_int_equal(unknown, 1);
    /* Fitted again, to other rows. */
    assert_int_equal(glnn_csv_columns_fit(&csv.columns, NULL, 6, csv.values), GLNN_OK);
    assert_int_equal(csv.columns.features, 4);
    assert_int_equal(csv.columns.of[0].missing, GLNN_CSV_MISSING_REFUSE);
    assert_fails(glnn_csv_columns_fit(&csv.columns, &(glnn_csv_fit_desc){.rare = 1}, 6, csv.values),
                 GLNN_E_ARG, "desc->rare is 1; it must be in [0, 1)");
    assert_fails(glnn_csv_columns_fit(&csv.columns,
                                      &(glnn_csv_fit_desc){.missing = (glnn_csv_missing)9}, 6,
                                      csv.values),
                 GLNN_E_ARG, "desc->missing is 9");
    glnn_csv_free(&csv);
}

static void texts_of_a_row_are_parsed_as_those_of_a_file(void **state)
{
    const char *const fields[] = {"red", "2.5", NULL}, *const others[] = {"pink", "", "?"},
                      *const blank[] = {" red", "\t2.5 ", "2001-01-01 "},
                      *const wrong[] = {"red", "1,5", "2001-01-01"},
                      *const dates[] = {"red", "1", "01.01.2001"};
    float values[3], inputs[4];
    (void)state;
    glnn_csv csv = gapped(GLNN_CSV_MISSING_FILL, GLNN_CSV_ENCODING_ONE_HOT);
    assert_int_equal(glnn_csv_columns_parse(&csv.columns, fields, values), GLNN_OK);
    assert_true(values[0] == 1 && values[1] == 2.5f && isnan(values[2]));
    assert_int_equal(glnn_csv_columns_encode(&csv.columns, 1, values, inputs, NULL), GLNN_OK);
    assert_memory_equal(inputs, ((float[]){0, 1, 2.5f, 368}), sizeof inputs);
    assert_int_equal(glnn_csv_columns_parse(&csv.columns, others, values), GLNN_OK);
    assert_true(values[0] == -1 && isnan(values[1]) && isnan(values[2]));
    assert_int_equal(glnn_csv_columns_parse(&csv.columns, blank, values), GLNN_OK);
    assert_true(values[0] == 1 && values[1] == 2.5f && values[2] == 366);
    assert_fails(glnn_csv_columns_parse(&csv.columns, wrong, values), GLNN_E_FORMAT,
                 "glnn_csv_columns_parse: column 2 ('w'): '1,5' is not a finite number");
    assert_fails(glnn_csv_columns_parse(&csv.columns, dates, values), GLNN_E_FORMAT,
                 "column 3 ('d'): '01.01.2001' is not a date in the order of its column");
    assert_fails(glnn_csv_columns_parse(&(glnn_csv_columns){.features = 1}, fields, values),
                 GLNN_E_ARG, "the columns are not known");
    glnn_csv_free(&csv);
}

static void features_have_names(void **state)
{
    static const char *const rows[] = {"red,1,2001-01-01T12:00,5", "red,2,2001-01-02,",
                                       "green,2,,4", ",7,2001-01-02,3", "green,8,2001-01-03,2"};
    static const char *const names[] = {
        "c=green",       "c=red",           "c missing",     "w",
        "d days",        "d year sine",     "d year cosine", "d week sine",
        "d week cosine", "d day sine",      "d day cosine",  "d missing",
        "column 4",      "column 4 missing"};
    char name[GLNN_CSV_FEATURE_NAME];
    (void)state;
    glnn_csv csv = table_read_text(repeated("c,w,d,", rows, 5, 1),
                                   (glnn_csv_desc){.missing = GLNN_CSV_MISSING_INDICATOR});
    assert_int_equal(csv.columns.features, 14);
    for (int j = 0; j < 14; ++j) {
        assert_int_equal(glnn_csv_columns_name_feature(&csv.columns, j, name), GLNN_OK);
        assert_string_equal(name, names[j]);
    }
    assert_fails(glnn_csv_columns_name_feature(&csv.columns, 14, name), GLNN_E_ARG,
                 "feature is 14; the columns that are known have 14");
    glnn_csv_free(&csv);
    csv = table_read_text(repeated("c,w,d,", rows, 5, 2),
                          (glnn_csv_desc){.missing = GLNN_CSV_MISSING_CATEGORY, .rare = 0.45f});
    assert_int_equal(glnn_csv_columns_name_feature(&csv.columns, 0, name), GLNN_OK);
    assert_string_equal(name, "c=other");
    assert_int_equal(glnn_csv_columns_name_feature(&csv.columns, 1, name), GLNN_OK);
    assert_string_equal(name, "c=missing");
    glnn_csv_free(&csv);
}

static void texts_of_the_same_name_are_left_out_of_both_tables(void **state)
{
    (void)state;
    glnn_csv training = table_read_text("note,w,note\nfirst,1,a\nsecond,2,b\n", (glnn_csv_desc){0});
    assert_true(training.columns.features == 1 && training.columns.dropped == 2);
    glnn_csv csv =
        table_read_text("note,note,w\nthird,c,3\n", (glnn_csv_desc){.like = &training.columns});
    assert_true(csv.inputs[0] == 3 && csv.columns.dropped == 2);
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void choices_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        glnn_csv_choice of[2];
        int count;
        const char *part;
    } wrong[] = {
        {{{.column = "widht"}}, 1, "no column is named 'widht'; did you mean 'width'?"},
        {{{.column = "kind"}}, 1, "column 2 ('kind') is the label, so no type can be chosen"},
        {{{.column = "width"}, {.column = "1"}}, 2, "two choices for column 1 ('width')"},
        {{{.column = "width", .type = GLNN_CSV_TYPE_TEXT}}, 1, "no column is left for features"},
    };
    glnn_csv csv = {.size = sizeof csv};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const glnn_csv_desc how = {
            .label = "kind", .choices = wrong[i].of, .choice_count = wrong[i].count};
        const file_path path = file_write("refused", "width,kind\n1,a\n2,b\n", 19);
        assert_fails(glnn_csv_read(path.text, &how, &csv), GLNN_E_FORMAT, wrong[i].part);
    }
    const file_path path = file_write("refused", "width,kind\n1,a\n2,b\n", 19);
    const glnn_csv_choice hot = {.column = "width", .encoding = GLNN_CSV_ENCODING_ONE_HOT};
    assert_fails(
        glnn_csv_read(path.text, &(glnn_csv_desc){.choices = &hot, .choice_count = 1}, &csv),
        GLNN_E_ARG, "column 1 ('width') is of the type number, which cannot be encoded as one_hot");
    assert_fails(glnn_csv_read(path.text, &(glnn_csv_desc){.choice_count = 1}, &csv), GLNN_E_ARG,
                 "1 choices, but their array is null");
    assert_fails(
        glnn_csv_read(path.text, &(glnn_csv_desc){.encoding = GLNN_CSV_ENCODING_AS_IS}, &csv),
        GLNN_E_ARG, "desc->encoding is 1");
    assert_fails(glnn_csv_read(path.text, &(glnn_csv_desc){.rare = NAN}, &csv), GLNN_E_ARG,
                 "desc->rare is nan");
    const glnn_csv_choice odd = {.column = "1", .type = (glnn_csv_type)77};
    assert_fails(
        glnn_csv_read(path.text, &(glnn_csv_desc){.choices = &odd, .choice_count = 1}, &csv),
        GLNN_E_ARG, "desc->choices[0] has the type 77");
    const glnn_csv_columns like = {.features = 1};
    assert_fails(glnn_csv_read(path.text,
                               &(glnn_csv_desc){.choices = &hot, .choice_count = 1, .like = &like},
                               &csv),
                 GLNN_E_ARG, "there are 1 choices, but types are those of desc->like");
    assert_fails(
        glnn_csv_read(
            path.text,
            &(glnn_csv_desc){.choices = &hot, .choice_count = 1, .header = GLNN_CSV_HEADER_NO},
            &csv),
        GLNN_E_ARG, "a choice is for the column 'width', which is not a position");
}

static void columns_that_are_left_out_are_found_again_by_position(void **state)
{
    static const char *const rows[] = {"Smith,red,1", "Jones,blue,2", "Brown,red,3",
                                       "Adams,blue,4"};
    (void)state;
    const char *text = strchr(repeated("", rows, 4, 1), '\n') + 1;
    glnn_csv training = table_read_text(text, (glnn_csv_desc){.header = GLNN_CSV_HEADER_NO});
    assert_int_equal(training.columns.dropped, 1);
    const glnn_csv_desc like = {.header = GLNN_CSV_HEADER_NO, .like = &training.columns};
    glnn_csv csv = table_read_text("Evans,red,5\n", like);
    expect_row(&csv, 0, 3, (float[]){0, 1, 5});
    glnn_csv_free(&csv);
    csv = table_read_text("red,5\n", like);
    expect_row(&csv, 0, 3, (float[]){0, 1, 5});
    glnn_csv_free(&csv);
    glnn_csv_free(&training);
}

static void too_many_categories_are_refused(void **state)
{
    const glnn_csv_choice choice = {.column = "1", .type = GLNN_CSV_TYPE_CATEGORY};
    const glnn_csv_desc how = {.header = GLNN_CSV_HEADER_NO, .choices = &choice, .choice_count = 1};
    const size_t size = 8 * (GLNN_CSV_MAX_CATEGORIES + 1);
    char *text = malloc(size + 1);
    glnn_csv csv = {.size = sizeof csv};
    (void)state;
    assert_non_null(text);
    for (int i = 0; i <= GLNN_CSV_MAX_CATEGORIES; ++i)
        sprintf(text + 8 * i, "%06d,\n", i);
    const file_path path = file_write("many", text, size);
    free(text);
    assert_fails(glnn_csv_read(path.text, &how, &csv), GLNN_E_LIMIT,
                 "column 1 has more than 65536 categories");
}

/* Opens a table of all types and reads a row of it. */
static glnn_status open_and_read(const char *path)
{
    const glnn_csv_desc how = {.label = "kind", .missing = GLNN_CSV_MISSING_INDICATOR};
    const int last = 3;
    float inputs[11];
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *file;
    glnn_status status = glnn_csv_file_open(path, &how, &csv, &file);
    if (!status)
        status = glnn_csv_file_read_samples(file, &last, 1, inputs);
    if (!status)
        assert_true(csv.columns.features == 9 && inputs[0] == 1 && inputs[3] == 5);
    glnn_csv_file_close(file);
    glnn_csv_free(&csv);
    return status;
}

static void a_call_that_fails_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    static const char text[] = "c,w,d,kind\nred,1,2001-01-01,x\n,2,2001-01-01,y\n"
                               "red,4,2001-01-01,x\nblue,5,2001-01-01,x\nblue,5,2001-01-01,x\n";
    const file_path path = file_write("table", text, strlen(text));
    fault_try_each(open_and_read, path.text, 30);
}

static void truncated_tables_never_crash(void **state)
{
    const char *text = repeated("c,w,d", gaps, 6, 2);
    const size_t size = strlen(text);
    (void)state;
    for (size_t length = 0; length < size; ++length) {
        glnn_csv csv = {.size = sizeof csv};
        const file_path path = file_write("cut", text, length);
        if (glnn_csv_read(path.text, &(glnn_csv_desc){.missing = GLNN_CSV_MISSING_CATEGORY}, &csv))
            assert_null(csv.inputs);
        glnn_csv_free(&csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_found_by_the_fields),
        cmocka_unit_test(texts_that_repeat_are_categories_up_to_a_hundred),
        cmocka_unit_test(a_few_texts_among_numbers_are_problems),
        cmocka_unit_test(numbers_with_a_decimal_comma_are_no_categories),
        cmocka_unit_test(all_problems_are_reported_at_once),
        cmocka_unit_test(dates_are_read_in_the_one_order_that_fits),
        cmocka_unit_test(dates_are_days_and_cycles),
        cmocka_unit_test(row_numbers_are_left_out_if_their_name_says_so),
        cmocka_unit_test(categories_are_one_hot_in_ascending_order),
        cmocka_unit_test(ordinal_categories_are_one_number),
        cmocka_unit_test(rare_categories_are_pooled),
        cmocka_unit_test(unknown_categories_are_other_or_zeros_and_are_counted),
        cmocka_unit_test(missing_values_are_filled_indicated_or_a_category),
        cmocka_unit_test(a_table_like_another_treats_missing_values_as_that_one),
        cmocka_unit_test(a_table_of_one_column_can_be_like_another),
        cmocka_unit_test(a_column_dropped_by_name_may_be_absent_in_a_table_like_another),
        cmocka_unit_test(columns_are_fitted_to_the_rows_that_are_given),
        cmocka_unit_test(texts_of_a_row_are_parsed_as_those_of_a_file),
        cmocka_unit_test(features_have_names),
        cmocka_unit_test(texts_of_the_same_name_are_left_out_of_both_tables),
        cmocka_unit_test(choices_that_do_not_fit_are_refused),
        cmocka_unit_test(columns_that_are_left_out_are_found_again_by_position),
        cmocka_unit_test(too_many_categories_are_refused),
        cmocka_unit_test(a_call_that_fails_is_reported_and_leaks_nothing),
        cmocka_unit_test(truncated_tables_never_crash),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
