/* The structures that files are read into know their size, and choices their names. */
#include "support/files.h"

#include <glnn/codebook.h>
#include <glnn/csv.h>
#include <glnn/dataset.h>
#include <glnn/idx.h>
#include <glnn/npy.h>
#include <glnn/scale.h>

static void structures_without_a_size_are_refused(void **state)
{
    (void)state;
    glnn_csv csv = {0};
    glnn_codebook codebook = {0};
    glnn_idx idx = {0};
    glnn_npy npy = {0};
    float number = 0;
    int label = 0;
    assert_fails(glnn_csv_read("x", NULL, &csv), GLNN_E_ARG,
                 "glnn_csv_read: glnn_csv.size is 0; set it to sizeof(glnn_csv) before the call");
    assert_fails(glnn_codebook_read("x", &codebook), GLNN_E_ARG, "glnn_codebook.size is 0");
    assert_fails(glnn_codebook_write("x", &codebook), GLNN_E_ARG, "glnn_codebook.size is 0");
    assert_fails(glnn_idx_read("x", &idx), GLNN_E_ARG, "glnn_idx.size is 0");
    assert_fails(glnn_idx_write("x", &idx), GLNN_E_ARG, "glnn_idx.size is 0");
    assert_fails(glnn_idx_get_floats(&idx, 1, &number), GLNN_E_ARG, "glnn_idx.size is 0");
    assert_fails(glnn_idx_get_labels(&idx, 1, &label), GLNN_E_ARG, "glnn_idx.size is 0");
    assert_fails(glnn_npy_read("x", &npy), GLNN_E_ARG, "glnn_npy.size is 0");
    assert_fails(glnn_npy_get_floats(&npy, 1, &number), GLNN_E_ARG, "glnn_npy.size is 0");
    assert_fails(glnn_npy_get_labels(&npy, 1, &label), GLNN_E_ARG, "glnn_npy.size is 0");
    glnn_csv_free(&csv);
    glnn_codebook_free(&codebook);
    glnn_idx_free(&idx);
    glnn_npy_free(&npy);
}

static void freed_structures_keep_their_size_and_can_be_read_again(void **state)
{
    (void)state;
    const file_path path = file_write("table", "1,2\n", 4);
    glnn_csv csv = {.size = sizeof csv};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(glnn_csv_read(path.text, NULL, &csv), GLNN_OK);
        assert_int_equal(csv.rows, 1);
        glnn_csv_free(&csv);
        assert_int_equal(csv.size, sizeof csv);
        assert_int_equal(csv.rows, 0);
        assert_null(csv.inputs);
    }
}

/* `count` values below `end` have names, which lead back to them; other names do not. */
#define ASSERT_NAMES(type, end, count)                                                             \
    do {                                                                                           \
        type found;                                                                                \
        int named = 0;                                                                             \
        for (int value = 0; value < end; ++value) {                                                \
            const char *name = type##_name((type)value);                                           \
            if (strcmp(name, "unknown") == 0)                                                      \
                continue;                                                                          \
            assert_int_equal(type##_from_name(name, &found), GLNN_OK);                             \
            assert_int_equal(found, value);                                                        \
            ++named;                                                                               \
        }                                                                                          \
        assert_int_equal(named, count);                                                            \
        assert_string_equal(type##_name((type)(end)), "unknown");                                  \
        assert_fails(type##_from_name("nonsense", &found), GLNN_E_ARG, #type "_from_name");        \
        assert_fails(type##_from_name(NULL, &found), GLNN_E_ARG, "`name` is null");                \
    } while (0)

static void names_lead_back_to_choices(void **state)
{
    (void)state;
    ASSERT_NAMES(glnn_csv_header, GLNN_CSV_HEADER_COUNT, 3);
    ASSERT_NAMES(glnn_csv_missing, GLNN_CSV_MISSING_COUNT, 5);
    ASSERT_NAMES(glnn_csv_problem, GLNN_CSV_PROBLEM_COUNT, 12);
    ASSERT_NAMES(glnn_dataset_format, GLNN_DATASET_FORMAT_COUNT, 2);
    ASSERT_NAMES(glnn_idx_type, GLNN_IDX_FLOAT64 + 1, 6);
    ASSERT_NAMES(glnn_npy_type, GLNN_NPY_TYPE_COUNT, 11);
    ASSERT_NAMES(glnn_scale_kind, GLNN_SCALE_COUNT, 2);
    assert_string_equal(glnn_csv_missing_name(GLNN_CSV_MISSING_FILL), "fill");
    assert_string_equal(glnn_idx_type_name(GLNN_IDX_INT16), "int16");
    assert_string_equal(glnn_idx_type_name((glnn_idx_type)0x0A), "unknown");
    assert_string_equal(glnn_npy_type_name(GLNN_NPY_FLOAT32), "f4");
    assert_string_equal(glnn_scale_kind_name(GLNN_SCALE_RANGE), "range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_without_a_size_are_refused),
        cmocka_unit_test(freed_structures_keep_their_size_and_can_be_read_again),
        cmocka_unit_test(names_lead_back_to_choices),
    };
    return cmocka_run_group_tests_name("file_interface", tests, folder_make, folder_remove);
}
