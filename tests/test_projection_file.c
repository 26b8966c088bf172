/* Projections in files. */
#include <glnn/projection.h>
#include <glnn/safetensors.h>

#include "support/networks.h"

#include <math.h>

enum { FEATURES = 6, COMPONENTS = 2 };

static glnn_projection *fitted(void)
{
    float samples[20 * FEATURES];
    for (int i = 0; i < 20 * FEATURES; ++i)
        samples[i] = (float)((i * 37 + i / FEATURES) % 64) / 32;
    glnn_projection *projection;
    ok(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = COMPONENTS}, 20, FEATURES, samples,
                    &projection));
    return projection;
}

static glnn_status projection_writer(const char *path)
{
    glnn_projection *projection = fitted();
    glnn_status status = glnn_projection_save(projection, path);
    glnn_projection_destroy(projection);
    return status;
}

static glnn_status projection_reader(const char *path)
{
    glnn_projection *projection;
    glnn_status status = glnn_projection_load(ctx, path, &projection);
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
    ok(glnn_projection_save(saved_one, path.text));
    ok(glnn_projection_load(ctx, path.text, &loaded));
    assert_int_equal(glnn_projection_features(loaded), FEATURES);
    assert_int_equal(glnn_projection_components(loaded), COMPONENTS);
    assert_memory_equal(glnn_projection_mean(loaded), glnn_projection_mean(saved_one),
                        FEATURES * sizeof(float));
    assert_memory_equal(glnn_projection_directions(loaded), glnn_projection_directions(saved_one),
                        FEATURES * COMPONENTS * sizeof(float));
    assert_memory_equal(glnn_projection_eigenvalues(loaded), glnn_projection_eigenvalues(saved_one),
                        COMPONENTS * sizeof(float));
    const float sample[FEATURES] = {1, 2, 3, 4, 5, 6};
    float before[COMPONENTS], after[COMPONENTS];
    ok(glnn_projection_apply(saved_one, 1, sample, before));
    ok(glnn_projection_apply(loaded, 1, sample, after));
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
    ok(glnn_safetensors_write(path.text, tensors, arrays, texts, 2));
    return path;
}

static void files_that_hold_no_projection_are_refused(void **state)
{
    (void)state;
    assert_int_equal(projection_reader(file_with(3, 3, 2, 3, 2, 1).text), GLNN_OK);
    assert_fails(projection_reader(saved("network").text), GLNN_E_FORMAT, "'glnn-mlp'");
    assert_fails(projection_reader(file_with(2, 3, 2, 3, 2, 1).text), GLNN_E_FORMAT,
                 "'eigenvalues'");
    assert_fails(projection_reader(file_with(3, 2, 2, 3, 2, 1).text), GLNN_E_SHAPE,
                 "'mean' has 2 numbers");
    assert_fails(projection_reader(file_with(3, 3, 2, 3, 1, 1).text), GLNN_E_SHAPE,
                 "'eigenvalues' 1");
    assert_fails(projection_reader(file_with(3, 3, 0, 3, 0, 1).text), GLNN_E_SHAPE, "0 x 3");
    assert_fails(projection_reader(file_with(3, 3, 2, 3, 2, NAN).text), GLNN_E_FORMAT,
                 "number 0 of the directions is nan");
}

static void truncated_files_are_refused(void **state)
{
    (void)state;
    file_path path = path_of("whole");
    assert_int_equal(projection_writer(path.text), GLNN_OK);
    assert_truncations_fail(projection_reader, path.text);
}

static void odd_paths_and_null_arguments_are_explained(void **state)
{
    (void)state;
    glnn_projection *projection = fitted(), *out;
    assert_odd_paths_fail(projection_reader);
    assert_odd_targets_fail(projection_writer);
    assert_fails(glnn_projection_save(NULL, "x"), GLNN_E_ARG, "projection");
    assert_fails(glnn_projection_save(projection, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_projection_load(NULL, "x", &out), GLNN_E_ARG, "ctx");
    assert_null(out);
    assert_fails(glnn_projection_load(ctx, NULL, &out), GLNN_E_ARG, "path");
    assert_fails(glnn_projection_load(ctx, "x", NULL), GLNN_E_ARG, "out");
    glnn_projection_destroy(projection);
}

static void full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    assert_full_disk_keeps_old_file(projection_writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back_bit_by_bit),
        cmocka_unit_test(files_that_hold_no_projection_are_refused),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(odd_paths_and_null_arguments_are_explained),
        cmocka_unit_test(full_disk_keeps_the_old_file),
    };
    return cmocka_run_group_tests(tests, networks_setup, networks_teardown);
}
