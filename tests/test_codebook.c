#include <glnn/codebook.h>
#include <glnn/csv.h>

#include "support/files.h"

#include <float.h>
#include <math.h>

static glnn_status reader(const char *path)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    glnn_status status = glnn_codebook_read(path, &codebook);
    if (status) {
        assert_null(codebook.vectors);
    } else {
        assert_true(codebook.count > 0 && codebook.features > 0);
        for (int i = 0; codebook.labels && i < codebook.count; ++i)
            assert_in_range(codebook.labels[i], 0, codebook.classes - 1);
    }
    glnn_codebook_free(&codebook);
    return status;
}

static glnn_status writer(const char *path)
{
    float vectors[40];
    int labels[20];
    for (int i = 0; i < 40; ++i)
        vectors[i] = (float)i / 7;
    for (int i = 0; i < 20; ++i)
        labels[i] = i % 3;
    return glnn_codebook_write(
        path, &(glnn_codebook){sizeof(glnn_codebook), 20, 2, vectors, labels, 3, NULL});
}

static glnn_codebook codebook_of(const char *text)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    if (glnn_codebook_read(file_write("codes", text, strlen(text)).text, &codebook))
        fail_msg("%s", glnn_last_error());
    return codebook;
}

static void vectors_and_labels_are_read(void **state)
{
    (void)state;
    glnn_codebook codebook = codebook_of("2\n1.5 -2e3 b\n.25 +4 a\n7. 0 b\n");
    const float vectors[] = {1.5f, -2000, 0.25f, 4, 7, 0};
    const int labels[] = {1, 0, 1};
    assert_true(codebook.count == 3 && codebook.features == 2 && codebook.classes == 2);
    assert_memory_equal(codebook.vectors, vectors, sizeof vectors);
    assert_memory_equal(codebook.labels, labels, sizeof labels);
    assert_string_equal(codebook.class_names[0], "a");
    assert_string_equal(codebook.class_names[1], "b");
    glnn_codebook_free(&codebook);
    assert_null(codebook.vectors);
}

static void comments_blanks_and_words_about_topology_are_skipped(void **state)
{
    (void)state;
    glnn_codebook codebook = codebook_of("\xEF\xBB\xBF# made by hand\n\n \t3 hexa 12 8 bubble\r\n"
                                         "#n 4\n\t1 \v2\t3 \f one \r\n  # between\n\r\n4 5 6 #2");
    const float vectors[] = {1, 2, 3, 4, 5, 6};
    assert_true(codebook.count == 2 && codebook.features == 3);
    assert_memory_equal(codebook.vectors, vectors, sizeof vectors);
    assert_string_equal(codebook.class_names[0], "#2");
    assert_string_equal(codebook.class_names[1], "one");
    glnn_codebook_free(&codebook);
}

static void integer_labels_ascend(void **state)
{
    (void)state;
    glnn_codebook codebook = codebook_of("1\n0.5 10\n0.25 9\n1 10\n");
    const int labels[] = {1, 0, 1};
    assert_memory_equal(codebook.labels, labels, sizeof labels);
    assert_string_equal(codebook.class_names[0], "9");
    glnn_codebook_free(&codebook);
}

static void vectors_without_labels_are_read_and_written(void **state)
{
    (void)state;
    glnn_codebook codebook = codebook_of("2\n1 2\n3 4\n");
    assert_null(codebook.labels);
    assert_null(codebook.class_names);
    assert_int_equal(codebook.classes, 0);
    file_path path = path_of("bare.cod");
    char text[64] = "";
    assert_int_equal(glnn_codebook_write(path.text, &codebook), GLNN_OK);
    file_read(path.text, text, sizeof text - 1);
    assert_string_equal(text, "2\n1 2\n3 4\n");
    glnn_codebook_free(&codebook);
}

/* Awkward floats: the ends of the range, the least differences, zeros of both signs. */
static void fill_vectors(float *vectors, int length)
{
    static const float odd[] = {0.0f,    -0.0f,    FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN,
                                FLT_MAX, -FLT_MAX, 0.1f,         1.0f / 3,      16777215};
    uint32_t random = 12345;
    for (int i = 0; i < length; ++i) {
        random = random * 1664525u + 1013904223u;
        uint32_t bits = random & 0xBF7FFFFFu;
        memcpy(&vectors[i], &bits, sizeof bits);
        if (i < (int)(sizeof odd / sizeof *odd))
            vectors[i] = odd[i];
    }
}

static void assert_round_trip(const glnn_codebook *codebook)
{
    glnn_codebook read = {.size = sizeof read};
    file_path path = path_of("trip.cod");
    assert_int_equal(glnn_codebook_write(path.text, codebook), GLNN_OK);
    assert_int_equal(glnn_codebook_read(path.text, &read), GLNN_OK);
    assert_true(read.count == codebook->count && read.features == codebook->features);
    assert_int_equal(read.classes, codebook->classes);
    assert_memory_equal(read.vectors, codebook->vectors,
                        (size_t)(read.count * read.features) * sizeof(float));
    assert_memory_equal(read.labels, codebook->labels, (size_t)read.count * sizeof(int));
    for (int c = 0; codebook->class_names && c < read.classes; ++c)
        assert_string_equal(read.class_names[c], codebook->class_names[c]);
    glnn_codebook_free(&read);
}

static void what_is_written_comes_back_bit_by_bit(void **state)
{
    (void)state;
    enum { COUNT = 300, FEATURES = 17, CLASSES = 100 };
    static float vectors[COUNT * FEATURES];
    int labels[COUNT];
    char *names[CLASSES], texts[CLASSES][16];
    fill_vectors(vectors, COUNT * FEATURES);
    for (int i = 0; i < COUNT; ++i)
        labels[i] = i % CLASSES;
    for (int c = 0; c < CLASSES; ++c) {
        snprintf(texts[c], sizeof texts[c], "\xC3\xA4-%03d", c * 7);
        names[c] = texts[c];
    }
    assert_round_trip(
        &(glnn_codebook){sizeof(glnn_codebook), COUNT, FEATURES, vectors, labels, CLASSES, names});
    assert_round_trip(
        &(glnn_codebook){sizeof(glnn_codebook), COUNT, FEATURES, vectors, labels, CLASSES, NULL});
}

static void points_are_points_in_every_locale(void **state)
{
    (void)state;
    float vector = 1.5f;
    int label = 0;
    file_path path = path_of("locale.cod");
    char text[32] = "";
    locale_with_comma();
    glnn_status status = glnn_codebook_write(
        path.text, &(glnn_codebook){sizeof(glnn_codebook), 1, 1, &vector, &label, 1, NULL});
    glnn_codebook codebook = codebook_of("1\n-0.25 a\n");
    locale_end();
    assert_int_equal(status, GLNN_OK);
    file_read(path.text, text, sizeof text - 1);
    assert_string_equal(text, "1\n1.5 0\n");
    assert_true(codebook.vectors[0] == -0.25f);
    glnn_codebook_free(&codebook);
}

static void damage_is_named_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "no dimension"},
        {"# 3\n\n", "no dimension"},
        {"three\n", "line 1: the dimension is 'three'"},
        {"-3\n", "line 1: the dimension is '-3'"},
        {"2.0\n", "'2.0'"},
        {"\n0\n", "line 2: the dimension is '0'"},
        {"99999999999999999999\n", "99999999999999999999"},
        {"2\n", "no vector of dimension 2"},
        {"2 rect 3 3 gaussian\n# none\n", "no vector"},
        {"2\n1 2 a\n\n1 b\n", "line 4 has 2 words; it must have 3: 2 components and a label"},
        {"2\n1 2 a\n1 2 3 b\n", "line 3 has 4 words; it must have 3"},
        {"2\n1 2\n1 2 b\n", "line 3 has 3 words; it must have 2: 2 components and no label"},
        {"2000000000\n1 2 a\n", "line 2 has 3 words; it must have 2000000000"},
        {"2\n1 2 a\n3 x b\n", "line 3, column 2: the component is missing ('x')"},
        {"2\n1 y a\n", "line 2, column 2: 'y' is not a finite number"},
        {"2\nnan 1 a\n", "line 2, column 1: 'nan'"},
        {"2\n1 1e39 a\n", "'1e39'"},
        {"2\n1 1,5 a\n", "'1,5'"},
        {"2\n0x10 1 a\n", "'0x10'"},
        {"1\n1 a weight=3\n", "line 2 has 3 words"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        file_path path = file_write("damaged", cases[i].text, strlen(cases[i].text));
        assert_fails(reader(path.text), GLNN_E_FORMAT, cases[i].part);
        assert_non_null(strstr(glnn_last_error(), path.text));
    }
    assert_fails(reader(file_write("zero", "1\n1 a\n\0", 7).text), GLNN_E_FORMAT, "line 3");
}

static void nonsense_is_not_written(void **state)
{
    (void)state;
    float vectors[] = {1, 2, 3, 4};
    int labels[] = {0, 1};
    char *names[] = {"a", "b"};
    file_path path = path_of("nonsense");
    const glnn_codebook good = {sizeof good, 2, 2, vectors, labels, 2, names};
    glnn_codebook bad = good;
    assert_fails(glnn_codebook_write(NULL, &bad), GLNN_E_ARG, "path");
    assert_fails(glnn_codebook_write(path.text, NULL), GLNN_E_ARG, "codebook");
    bad.vectors = NULL;
    assert_fails(glnn_codebook_write(path.text, &bad), GLNN_E_ARG, "vectors");
    bad = good;
    bad.count = 0;
    assert_fails(glnn_codebook_write(path.text, &bad), GLNN_E_ARG, "0 vectors");
    bad = good;
    bad.features = GLNN_CSV_MAX_COLUMNS;
    assert_fails(glnn_codebook_write(path.text, &bad), GLNN_E_LIMIT, "below 1048576");
    bad = good;
    bad.classes = 1;
    assert_fails(glnn_codebook_write(path.text, &bad), GLNN_E_ARG, "vector 1 is 1");
    static char *const odd[] = {NULL, "", "two words", "line\n", "a"};
    for (int i = 0; i < 5; ++i) {
        names[1] = odd[i];
        assert_fails(glnn_codebook_write(path.text, &good), GLNN_E_ARG, i < 4 ? "class 1" : "'a'");
    }
    names[1] = "b";
    vectors[3] = NAN;
    assert_fails(glnn_codebook_write(path.text, &good), GLNN_E_FORMAT, "component 1 of vector 1");
    assert_int_not_equal(access(path.text, F_OK), 0);
}

static const char small[] = "3 lvq\n# a comment\n1 2.5 -4e1 a\n3 1 2 b\n";

static void damaged_files_never_crash(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof small; ++length)
        read_or_explain(reader, file_write("cut", small, length).text);
    assert_true(refused_flips(reader, file_write("small", small, sizeof small - 1).text) > 0);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    glnn_codebook codebook = {.size = sizeof codebook};
    assert_fails(glnn_codebook_read(NULL, &codebook), GLNN_E_ARG, "path");
    assert_fails(glnn_codebook_read("x", NULL), GLNN_E_ARG, "out");
    glnn_codebook_free(NULL);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_and_labels_are_read),
        cmocka_unit_test(comments_blanks_and_words_about_topology_are_skipped),
        cmocka_unit_test(integer_labels_ascend),
        cmocka_unit_test(vectors_without_labels_are_read_and_written),
        cmocka_unit_test(what_is_written_comes_back_bit_by_bit),
        cmocka_unit_test(points_are_points_in_every_locale),
        cmocka_unit_test(damage_is_named_with_its_place),
        cmocka_unit_test(nonsense_is_not_written),
        cmocka_unit_test(damaged_files_never_crash),
        cmocka_unit_test(null_arguments_are_refused),
        FILE_TEST(odd_paths_are_explained, format),
        FILE_TEST(a_full_disk_keeps_the_old_file, format),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
