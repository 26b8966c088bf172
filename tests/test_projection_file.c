/* Projections in files. */
#include <glnn/projection.h>

#include "support/networks.h"

#include <math.h>

enum { FEATURES = 6, COMPONENTS = 2 };

static glnn_projection *fitted(void)
{
    float inputs[20 * FEATURES];
    for (int i = 0; i < 20 * FEATURES; ++i)
        inputs[i] = (float)((i * 37 + i / FEATURES) % 64) / 32;
    glnn_projection *projection;
    expect_ok(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = COMPONENTS}, 20,
                           FEATURES, inputs, &projection));
    return projection;
}

static glnn_status writer(const char *path)
{
    glnn_projection *projection = fitted();
    glnn_status status = glnn_projection_save(projection, path);
    glnn_projection_destroy(projection);
    return status;
}

static glnn_status reader(const char *path)
{
    glnn_projection *projection;
    glnn_status status = glnn_projection_load(glnn_test_context(), path, &projection);
    if (status)
        assert_null(projection);
    glnn_projection_destroy(projection);
    return status;
}

static void what_is_saved_comes_back_bit_by_bit(void **state)
{
    (void)state;
    file_path path = path_of("projection");
    glnn_projection *saved_one = fitted(), *loaded;
    expect_ok(glnn_projection_save(saved_one, path.text));
    expect_ok(glnn_projection_load(glnn_test_context(), path.text, &loaded));
    assert_int_equal(glnn_projection_get_features(loaded), FEATURES);
    assert_int_equal(glnn_projection_get_components(loaded), COMPONENTS);
    assert_memory_equal(glnn_projection_get_mean(loaded), glnn_projection_get_mean(saved_one),
                        FEATURES * sizeof(float));
    assert_memory_equal(glnn_projection_get_directions(loaded),
                        glnn_projection_get_directions(saved_one),
                        FEATURES * COMPONENTS * sizeof(float));
    assert_memory_equal(glnn_projection_get_eigenvalues(loaded),
                        glnn_projection_get_eigenvalues(saved_one), COMPONENTS * sizeof(float));
    const float sample[FEATURES] = {1, 2, 3, 4, 5, 6};
    float before[COMPONENTS], after[COMPONENTS];
    expect_ok(glnn_projection_apply(saved_one, 1, sample, before));
    expect_ok(glnn_projection_apply(loaded, 1, sample, after));
    assert_memory_equal(before, after, sizeof before);
    glnn_projection_destroy(saved_one);
    glnn_projection_destroy(loaded);
}

/* A file of arrays of these sizes, in which one number may be odd. */
static file_path file_with(int arrays, size_t mean, size_t rows, size_t columns, size_t values,
                           float odd)
{
    static float numbers[16];
    for (int i = 0; i < 16; ++i)
        numbers[i] = 1;
    numbers[0] = odd;
    const glnn_tensor tensors[] = {
        {"mean", 1, {mean}, numbers + 1},
        {"directions", 2, {rows, columns}, numbers},
        {"eigenvalues", 1, {values}, numbers + 1},
    };
    const glnn_metadata texts[] = {{"format", "glnn-projection"}, {"version", "1"}};
    file_path path = path_of("made");
    expect_ok(glnn_safetensors_write(path.text, tensors, arrays, texts, 2));
    return path;
}

static void files_that_hold_no_projection_are_refused(void **state)
{
    (void)state;
    assert_int_equal(reader(file_with(3, 3, 2, 3, 2, 1).text), GLNN_OK);
    assert_fails(reader(saved("network").text), GLNN_E_FORMAT, "'glnn-network'");
    assert_fails(reader(file_with(2, 3, 2, 3, 2, 1).text), GLNN_E_FORMAT, "'eigenvalues'");
    assert_fails(reader(file_with(3, 2, 2, 3, 2, 1).text), GLNN_E_SHAPE, "'mean' has 2 numbers");
    assert_fails(reader(file_with(3, 3, 2, 3, 1, 1).text), GLNN_E_SHAPE, "'eigenvalues' 1");
    assert_fails(reader(file_with(3, 3, 0, 3, 0, 1).text), GLNN_E_SHAPE, "0 x 3");
    assert_fails(reader(file_with(3, 3, 2, 3, 2, NAN).text), GLNN_E_FORMAT,
                 "number 0 of the directions is nan");
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    glnn_projection *projection = fitted(), *out;
    assert_fails(glnn_projection_save(NULL, "x"), GLNN_E_ARG, "projection");
    assert_fails(glnn_projection_save(projection, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_projection_load(NULL, "x", &out), GLNN_E_ARG, "ctx");
    assert_null(out);
    assert_fails(glnn_projection_load(glnn_test_context(), NULL, &out), GLNN_E_ARG, "path");
    assert_fails(glnn_projection_load(glnn_test_context(), "x", NULL), GLNN_E_ARG, "out");
    glnn_projection_destroy(projection);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(what_is_saved_comes_back_bit_by_bit),
        LEARNING_TEST(files_that_hold_no_projection_are_refused),
        LEARNING_TEST(null_arguments_are_refused),
        LEARNER_FILE_TESTS(format),
    };
    return cmocka_run_group_tests_name("projection file", tests, learner_files_setup,
                                       learner_files_teardown);
}
