/* Files of exported learners, and the learners and names that are refused. */
#include "support/clusters.h"
#include "support/exports.h"
#include "support/prototypes.h"

enum { CLASSES = 3 };

static void a_file_has_the_same_bytes_each_time(void **state)
{
    (void)state;
    static unsigned char first[1u << 16], second[1u << 16];
    glnn_learner *network =
        exported_network(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    const file_path path = path_of("same.c");
    expect_ok(glnn_learner_export_c(network, path.text, "same"));
    const size_t size = file_read(path.text, first, sizeof first);
    expect_ok(glnn_learner_export_c(network, path.text, "same"));
    assert_int_equal(file_read(path.text, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

static void names_that_are_no_identifiers_are_refused(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "",    "1st",         "_net", "two words",
        "a-b", "caf\xc3\xa9", "net;", "a234567890123456789012345678901234567890123456789"};
    const file_path path = path_of("odd.c");
    const float centres[2] = {0};
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    expect_ok(write_tensor(kmeans, "centres", centres));
    for (size_t i = 0; i < COUNT_OF(odd); ++i) {
        assert_fails(glnn_learner_export_c(network, path.text, odd[i]), GLNN_E_ARG,
                     "glnn_learner_export_c: the name is '");
        assert_fails(glnn_learner_export_c(kmeans, path.text, odd[i]), GLNN_E_ARG, "1 to 48");
    }
    assert_int_equal(access(path.text, F_OK), -1);
    expect_ok(glnn_learner_export_c(network, path.text,
                                    "a23456789012345678901234567890123456789012345678"));
}

static void learners_that_learnt_nothing_are_refused(void **state)
{
    (void)state;
    const file_path path = path_of("none.c");
    const float prototypes[2] = {0};
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    glnn_learner *lvq = lvq_of(
        &(glnn_lvq_desc){.kind = GLNN_LVQ_RSLVQ, .features = 2, .classes = 1, .prototypes = 1});
    assert_fails(glnn_learner_export_c(kmeans, path.text, "none"), GLNN_E_STATE, "no centres");
    assert_fails(glnn_learner_export_c(lvq, path.text, "none"), GLNN_E_STATE, "no prototypes");
    expect_ok(lvq_write(lvq, prototypes, NULL));
    assert_fails(glnn_learner_export_c(lvq, path.text, "none"), GLNN_E_STATE, "sigma");
    assert_int_equal(access(path.text, F_OK), -1);
}

static void numbers_that_are_not_finite_are_not_exported(void **state)
{
    (void)state;
    const file_path path = path_of("infinite.c");
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    for (int c = 0; c < CLASSES; ++c) {
        float biases[CLASSES] = {0};
        biases[c] = INFINITY;
        force_biases(network, "0.bias", biases);
        assert_fails(glnn_learner_export_c(network, path.text, "odd"), GLNN_E_DIVERGED, "bias_0");
        assert_int_equal(access(path.text, F_OK), -1);
    }
}

static glnn_status writer(const char *path)
{
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    return glnn_learner_export_c(network, path, "written");
}

/* Nothing reads a C file. */
static glnn_status reader(const char *path)
{
    return glnn_learner_load_parameters(
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}}), path);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(a_file_has_the_same_bytes_each_time),
        EXPORT_TEST(names_that_are_no_identifiers_are_refused),
        EXPORT_TEST(learners_that_learnt_nothing_are_refused),
        EXPORT_TEST(numbers_that_are_not_finite_are_not_exported),
        LEARNER_FILE_TEST(odd_paths_are_explained, format),
        LEARNER_FILE_TEST(a_full_disk_keeps_the_old_file, format),
    };
    return cmocka_run_group_tests_name("export", tests, learner_files_setup,
                                       learner_files_teardown);
}
