/* The classes of tables, and of tables like another one. */
#include "support/files.h"
#include "support/tables.h"

static glnn_csv_desc like(const glnn_csv *training)
{
    return (glnn_csv_desc){.label = "kind", .like = &training->columns};
}

static void expect_labels(const glnn_csv *csv, const int *labels)
{
    assert_non_null(csv->labels);
    assert_memory_equal(csv->labels, labels, (size_t)csv->rows * sizeof *labels);
}

static void a_class_has_the_same_number_in_a_table_like_another(void **state)
{
    const int numbers[] = {1, 2, 0}, reversed[] = {2, 1};
    (void)state;
    glnn_csv training =
        table_read_text("x,kind\n1,fig\n2,pear\n3,apple\n", (glnn_csv_desc){.label = "kind"});
    expect_labels(&training, numbers);
    glnn_csv test = table_read_text("kind,x\npear,1\nfig,2\n", like(&training));
    expect_labels(&test, reversed);
    assert_int_equal(test.columns.classes, 3);
    assert_string_equal(test.columns.class_names[0], "apple");
    /* A table like a table like another one. */
    glnn_csv third = table_read_text("kind,x\npear,1\nfig,2\n", like(&test));
    expect_labels(&third, reversed);
    glnn_csv unlabelled = table_read_text("x\n1\n", like(&third));
    assert_null(unlabelled.labels);
    assert_int_equal(unlabelled.columns.classes, 3);
    glnn_csv_free(&training);
    glnn_csv_free(&test);
    glnn_csv_free(&third);
    glnn_csv_free(&unlabelled);
}

static void the_order_of_rows_does_not_matter(void **state)
{
    const int one[] = {0, 1}, other[] = {1, 0};
    (void)state;
    const glnn_csv_desc how = {.label = "last"};
    glnn_csv first = table_read_text("1,a\n2,b\n", how),
             second = table_read_text("2,b\n1,a\n", how);
    expect_labels(&first, one);
    expect_labels(&second, other);
    glnn_csv_free(&first);
    glnn_csv_free(&second);
}

static void a_class_that_the_other_table_lacks_is_named_with_its_line(void **state)
{
    (void)state;
    glnn_csv training =
        table_read_text("x,kind\n1,fig\n2,pear\n", (glnn_csv_desc){.label = "kind"});
    assert_table_problem("x,kind\n1,pear\n\n2,plum\n", like(&training),
                         "line 4, column 2 ('kind'): the table for training has no class 'plum'; "
                         "the table for training has "
                         "'fig', 'pear'",
                         GLNN_CSV_PROBLEM_CLASS);
    glnn_csv_columns open = training.columns;
    open.classes = 0;
    open.class_names = NULL;
    const int labels[] = {0, 1};
    glnn_csv test = table_read_text("x,kind\n1,pear\n2,plum\n",
                                    (glnn_csv_desc){.label = "kind", .like = &open});
    expect_labels(&test, labels);
    assert_string_equal(test.columns.class_names[1], "plum");
    glnn_csv_free(&test);
    glnn_csv_free(&training);
}

static void a_long_list_of_classes_is_cut_short(void **state)
{
    char text[512];
    size_t used = 0;
    (void)state;
    for (int i = 0; i < 30; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d\n", i, i);
    glnn_csv training = table_read_text(text, (glnn_csv_desc){.label = "last"});
    assert_table_problem("1,30\n", (glnn_csv_desc){.label = "last", .like = &training.columns},
                         "'9' and 20 more", GLNN_CSV_PROBLEM_CLASS);
    glnn_csv_free(&training);
}

/* Models of earlier versions have classes in the order in which they appeared. */
static void names_keep_the_order_of_the_columns_that_are_given(void **state)
{
    char *names[] = {"pear", "10", "fig"};
    glnn_csv_columns columns = {.features = 1, .classes = 3, .class_names = names};
    const int labels[] = {2, 0, 1};
    (void)state;
    glnn_csv csv = table_read_text("1,fig\n2,pear\n3,10.0\n",
                                   (glnn_csv_desc){.label = "last", .like = &columns});
    expect_labels(&csv, labels);
    assert_string_equal(csv.columns.class_names[1], "10");
    glnn_csv_free(&csv);
}

static void classes_without_names_are_integers_from_0(void **state)
{
    const glnn_csv_columns columns = {.features = 1, .classes = 4};
    const glnn_csv_desc how = {.label = "last", .like = &columns};
    const int labels[] = {3, 0};
    (void)state;
    glnn_csv csv = table_read_text("1,3\n2,0\n", how);
    expect_labels(&csv, labels);
    glnn_csv_free(&csv);
    assert_table_problem("1,4\n", how,
                         "no class '4'; the table for training has '0', '1', '2', '3'",
                         GLNN_CSV_PROBLEM_CLASS);
}

static void classes_that_cannot_be_are_refused(void **state)
{
    char *twice[] = {"a", "b", "a"}, *null[] = {"a", NULL, "c"};
    glnn_csv_columns columns = {.features = 1, .classes = 3, .class_names = twice};
    const glnn_csv_desc how = {.label = "last", .like = &columns};
    glnn_csv csv = {.size = sizeof csv};
    file_path path = file_write("table", "1,a\n", 4);
    (void)state;
    assert_fails(glnn_csv_read(path.text, &how, &csv), GLNN_E_ARG,
                 "desc->like has the name 'a' for classes 0 and 2");
    columns.class_names = null;
    assert_fails(glnn_csv_read(path.text, &how, &csv), GLNN_E_ARG,
                 "desc->like: columns.class_names[1] is null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_has_the_same_number_in_a_table_like_another),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(a_class_that_the_other_table_lacks_is_named_with_its_line),
        cmocka_unit_test(a_long_list_of_classes_is_cut_short),
        cmocka_unit_test(names_keep_the_order_of_the_columns_that_are_given),
        cmocka_unit_test(classes_without_names_are_integers_from_0),
        cmocka_unit_test(classes_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
