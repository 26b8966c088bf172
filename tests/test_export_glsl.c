/* Networks as GLSL: what is refused, and the text. export_networks tests what it computes. */
#include "support/clusters.h"
#include "support/exports.h"

enum { CLASSES = 3, CAPACITY = GLNN_EXPORT_MAX_GLSL + 1 };

static glnn_learner *small_network(void)
{
    return network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
}

static void names_that_glsl_reserves_are_refused(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "",      "1st",    "_net", "a-b",
        "gl",    "gl_net", "GL_a", "webgl_a",
        "WebGL", "two__a", "end_", "a234567890123456789012345678901234567890123456789"};
    static const char *const good[] = {"a", "glow", "a_gl", "webgl2",
                                       "a23456789012345678901234567890123456789012345678"};
    const file_path path = path_of("odd.glsl");
    glnn_learner *network = small_network();
    for (size_t i = 0; i < COUNT_OF(odd); ++i)
        assert_fails(glnn_network_export_glsl(network, path.text, odd[i]), GLNN_E_ARG,
                     "glnn_network_export_glsl: the name is '");
    assert_int_equal(access(path.text, F_OK), -1);
    for (size_t i = 0; i < COUNT_OF(good); ++i)
        expect_ok(glnn_network_export_glsl(network, path.text, good[i]));
}

static void learners_that_are_not_networks_are_refused(void **state)
{
    (void)state;
    const file_path path = path_of("kmeans.glsl");
    const float centres[2] = {0};
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    expect_ok(write_tensor(kmeans, "centres", centres));
    assert_fails(glnn_network_export_glsl(kmeans, path.text, "a"), GLNN_E_ARG, "network");
    assert_int_equal(access(path.text, F_OK), -1);
}

static void numbers_that_are_not_finite_are_not_exported(void **state)
{
    (void)state;
    const file_path path = path_of("infinite.glsl");
    const float biases[CLASSES] = {0, INFINITY};
    glnn_learner *network = small_network();
    force_biases(network, "0.bias", biases);
    assert_fails(glnn_network_export_glsl(network, path.text, "odd"), GLNN_E_DIVERGED, "bias_0");
    assert_int_equal(access(path.text, F_OK), -1);
}

/* The text of a network. */
static size_t text_of(const glnn_learner *network, const char *name, char *text)
{
    const file_path path = path_of("text.glsl");
    expect_ok(glnn_network_export_glsl(network, path.text, name));
    const size_t size = file_read(path.text, text, CAPACITY - 1);
    text[size] = '\0';
    return size;
}

static void a_text_has_the_same_bytes_each_time(void **state)
{
    (void)state;
    static char first[CAPACITY], second[CAPACITY];
    glnn_learner *network = small_network();
    text_of(network, "same", first);
    text_of(network, "same", second);
    assert_string_equal(first, second);
}

/* Numbers of all magnitudes; the validator and the driver read literals as strtof does. */
static void constants_are_read_back_as_the_same_numbers(void **state)
{
    enum { FEATURES = 201 };
    (void)state;
    static char text[CAPACITY];
    float weights[FEATURES], *end = weights;
    for (int i = 0; i < FEATURES; ++i)
        weights[i] = (i % 2 ? -1.0f : 1.0f) * 1.23456789f * powf(1.7f, (float)(i - FEATURES / 2));
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = FEATURES, .layers = {{.units = 1}}});
    expect_ok(write_tensor(network, "0.weight", weights));
    text_of(network, "n", text);
    char *at = strstr(text, "vec4[");
    assert_non_null(at);
    for (at = strchr(at, '('); end < weights + FEATURES; ++end) {
        while (!strchr("-0123456789", *at) || at[-1] == 'c')
            ++at;
        const float number = strtof(at, &at);
        assert_memory_equal(&number, end, sizeof number);
    }
}

/* One weight of this many has more digits. */
static glnn_learner *network_with_digits(int features, int longer)
{
    float *weights = floats_new((size_t)features);
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = features, .layers = {{.units = 1}}});
    for (int i = 0; i < features; ++i)
        weights[i] = i < longer ? 0.03125f : 0.0625f;
    expect_ok(write_tensor(network, "0.weight", weights));
    return network;
}

static void a_text_of_64_kb_is_written_and_one_byte_more_is_refused(void **state)
{
    enum { FEATURES = 6300 };
    (void)state;
    static char text[CAPACITY], after[CAPACITY];
    const size_t size = text_of(network_with_digits(FEATURES, 0), "border", text);
    const int missing = (int)(GLNN_EXPORT_MAX_GLSL - size);
    assert_in_range(missing, 0, FEATURES - 1);
    assert_int_equal(text_of(network_with_digits(FEATURES, missing), "border", text),
                     GLNN_EXPORT_MAX_GLSL);
    const file_path path = path_of("text.glsl");
    assert_fails(
        glnn_network_export_glsl(network_with_digits(FEATURES, missing + 1), path.text, "border"),
        GLNN_E_LIMIT, "the text has 65537 bytes, but the limit is 65536 bytes");
    after[file_read(path.text, after, CAPACITY - 1)] = '\0';
    assert_string_equal(after, text);
}

static void a_network_that_is_far_too_large_is_refused(void **state)
{
    (void)state;
    const file_path path = path_of("large.glsl");
    const glnn_network_desc desc = {.features = 1000, .layers = {{.units = 1000}, {.units = 2}}};
    assert_fails(glnn_network_export_glsl(network_of(&desc), path.text, "large"), GLNN_E_LIMIT,
                 "the text has at least 40");
    assert_int_equal(access(path.text, F_OK), -1);
}

static glnn_status writer(const char *path)
{
    return glnn_network_export_glsl(small_network(), path, "written");
}

/* Nothing reads the text. */
static glnn_status reader(const char *path)
{
    return glnn_learner_load_parameters(small_network(), path);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(names_that_glsl_reserves_are_refused),
        EXPORT_TEST(learners_that_are_not_networks_are_refused),
        EXPORT_TEST(numbers_that_are_not_finite_are_not_exported),
        EXPORT_TEST(a_text_has_the_same_bytes_each_time),
        EXPORT_TEST(constants_are_read_back_as_the_same_numbers),
        EXPORT_TEST(a_text_of_64_kb_is_written_and_one_byte_more_is_refused),
        EXPORT_TEST(a_network_that_is_far_too_large_is_refused),
        LEARNER_FILE_TEST(odd_paths_are_explained, format),
        LEARNER_FILE_TEST(a_full_disk_keeps_the_old_file, format),
    };
    return cmocka_run_group_tests_name("export as GLSL", tests, learner_files_setup,
                                       learner_files_teardown);
}
