/* K-means and mixtures in files: what comes back, and what is refused. */
#include "support/files.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/safetensors.h>

#include <math.h>

static glnn_context *ctx;

static int setup(void **state)
{
    if (glnn_context_create(&(glnn_context_desc){.cache_dir = ""}, &ctx)) {
        print_error("no context: %s\n", glnn_last_error());
        return -1;
    }
    return folder_make(state);
}

static int teardown(void **state)
{
    glnn_context_destroy(ctx);
    return folder_remove(state);
}

static void ok(glnn_status status)
{
    if (status)
        fail_msg("%s: %s", glnn_status_name(status), glnn_last_error());
}

enum { SAMPLES = 40, FEATURES = 3, CLASSES = 2, EACH = 2, COUNT = CLASSES * EACH };

static const float *inputs(void)
{
    static float values[SAMPLES * FEATURES];
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        values[i] = (float)((i * 37) % 64) / 32 - 1 + (float)(i / FEATURES % 4);
    return values;
}

static glnn_dataset *dataset(void)
{
    int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % CLASSES;
    glnn_dataset *data;
    ok(glnn_dataset_create(ctx,
                           &(glnn_dataset_desc){.samples = SAMPLES,
                                                .features = FEATURES,
                                                .inputs = inputs(),
                                                .labels = labels,
                                                .classes = CLASSES},
                           &data));
    return data;
}

static glnn_kmeans *trained_kmeans(void)
{
    const glnn_kmeans_desc desc = {
        .features = FEATURES, .centres = EACH, .classes = CLASSES, .capacity = 16};
    glnn_kmeans *kmeans;
    glnn_dataset *data = dataset();
    ok(glnn_kmeans_create(ctx, &desc, &kmeans));
    ok(glnn_kmeans_train(kmeans, data, &(glnn_train_desc){.epochs = 2, .batch = 8}, NULL));
    glnn_dataset_destroy(data);
    return kmeans;
}

static glnn_gmm *trained_gmm(glnn_covariance covariance)
{
    const glnn_gmm_desc desc = {.features = FEATURES,
                                .components = EACH,
                                .classes = CLASSES,
                                .covariance = covariance,
                                .variance_floor = 1e-3f / 3,
                                .capacity = 16};
    glnn_gmm *gmm;
    glnn_dataset *data = dataset();
    ok(glnn_gmm_create(ctx, &desc, &gmm));
    ok(glnn_gmm_train(gmm, data, &(glnn_train_desc){.epochs = 2}, NULL));
    glnn_dataset_destroy(data);
    return gmm;
}

/* Centres, sizes and what is predicted. */
typedef struct kmeans_snapshot {
    float centres[COUNT * FEATURES], sizes[COUNT], distances[SAMPLES];
    int winners[SAMPLES], classes[SAMPLES];
} kmeans_snapshot;

static kmeans_snapshot snapshot_of_kmeans(glnn_kmeans *kmeans)
{
    kmeans_snapshot taken = {0};
    ok(glnn_kmeans_get_centres(kmeans, taken.centres));
    ok(glnn_kmeans_get_sizes(kmeans, taken.sizes));
    ok(glnn_kmeans_predict(kmeans, SAMPLES, inputs(), taken.winners, taken.classes,
                           taken.distances));
    return taken;
}

typedef struct gmm_snapshot {
    float weights[COUNT], means[COUNT * FEATURES], covariances[COUNT * FEATURES * FEATURES];
    float densities[SAMPLES], shares[SAMPLES * COUNT];
} gmm_snapshot;

static gmm_snapshot snapshot_of_gmm(glnn_gmm *gmm)
{
    gmm_snapshot taken = {0};
    ok(glnn_gmm_get_parameters(gmm, taken.weights, taken.means, taken.covariances));
    ok(glnn_gmm_predict(gmm, SAMPLES, inputs(), taken.densities, taken.shares));
    return taken;
}

static void loaded_centres_predict_and_train_on_the_same_bits(void **state)
{
    (void)state;
    glnn_kmeans *kmeans = trained_kmeans(), *loaded;
    file_path path = path_of("centres");
    ok(glnn_kmeans_save(kmeans, path.text));
    ok(glnn_kmeans_load(ctx, path.text, GLNN_LAYOUT_TILED, 16, &loaded));
    assert_int_equal(glnn_kmeans_count(loaded), COUNT);
    assert_int_equal(glnn_kmeans_get_desc(loaded)->classes, CLASSES);
    for (int i = 0; i < 2; ++i) {
        const kmeans_snapshot a = snapshot_of_kmeans(kmeans), b = snapshot_of_kmeans(loaded);
        assert_memory_equal(&a, &b, sizeof a);
        glnn_dataset *data = dataset();
        const glnn_train_desc more = {.epochs = 1, .batch = 8, .seed = 3};
        ok(glnn_kmeans_train(kmeans, data, &more, NULL));
        ok(glnn_kmeans_train(loaded, data, &more, NULL));
        glnn_dataset_destroy(data);
    }
    glnn_kmeans_destroy(kmeans);
    glnn_kmeans_destroy(loaded);
}

static void loaded_mixtures_predict_and_train_on_the_same_bits(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_gmm *gmm = trained_gmm((glnn_covariance)c), *loaded;
        file_path path = path_of("mixture");
        ok(glnn_gmm_save(gmm, path.text));
        ok(glnn_gmm_load(ctx, path.text, GLNN_LAYOUT_TILED, 16, &loaded));
        assert_true(glnn_gmm_get_desc(loaded)->variance_floor == 1e-3f / 3);
        assert_int_equal(glnn_gmm_get_desc(loaded)->covariance, c);
        for (int i = 0; i < 2; ++i) {
            const gmm_snapshot a = snapshot_of_gmm(gmm), b = snapshot_of_gmm(loaded);
            assert_memory_equal(&a, &b, sizeof a);
            glnn_dataset *data = dataset();
            ok(glnn_gmm_train(gmm, data, &(glnn_train_desc){.epochs = 1}, NULL));
            ok(glnn_gmm_train(loaded, data, &(glnn_train_desc){.epochs = 1}, NULL));
            glnn_dataset_destroy(data);
        }
        glnn_gmm_destroy(gmm);
        glnn_gmm_destroy(loaded);
    }
}

static glnn_status read_kmeans(const char *path)
{
    glnn_kmeans *kmeans;
    glnn_status status = glnn_kmeans_load(ctx, path, GLNN_LAYOUT_TILED, 8, &kmeans);
    if (status)
        assert_null(kmeans);
    glnn_kmeans_destroy(kmeans);
    return status;
}

static glnn_status read_gmm(const char *path)
{
    glnn_gmm *gmm;
    glnn_status status = glnn_gmm_load(ctx, path, GLNN_LAYOUT_TILED, 8, &gmm);
    if (status)
        assert_null(gmm);
    glnn_gmm_destroy(gmm);
    return status;
}

static glnn_kmeans *kmeans_to_save;
static glnn_gmm *gmm_to_save;

static glnn_status write_kmeans(const char *path)
{
    return glnn_kmeans_save(kmeans_to_save, path);
}

static glnn_status write_gmm(const char *path)
{
    return glnn_gmm_save(gmm_to_save, path);
}

static void damaged_files_are_refused_or_sound(void **state)
{
    (void)state;
    file_path centres = path_of("centres"), mixture = path_of("mixture");
    glnn_kmeans *kmeans = trained_kmeans();
    glnn_gmm *gmm = trained_gmm(GLNN_COVARIANCE_FULL);
    ok(glnn_kmeans_save(kmeans, centres.text));
    ok(glnn_gmm_save(gmm, mixture.text));
    assert_truncations_fail(read_kmeans, centres.text);
    assert_truncations_fail(read_gmm, mixture.text);
    assert_true(refused_flips(read_kmeans, centres.text) > 500);
    assert_true(refused_flips(read_gmm, mixture.text) > 500);
    assert_odd_paths_fail(read_kmeans);
    assert_odd_paths_fail(read_gmm);
    assert_fails(read_kmeans(mixture.text), GLNN_E_FORMAT, "glnn-kmeans");
    assert_fails(read_gmm(centres.text), GLNN_E_FORMAT, "glnn-gmm");
    glnn_kmeans_destroy(kmeans);
    glnn_gmm_destroy(gmm);
}

static void a_full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    kmeans_to_save = trained_kmeans();
    gmm_to_save = trained_gmm(GLNN_COVARIANCE_DIAGONAL);
    assert_full_disk_keeps_old_file(write_kmeans);
    assert_full_disk_keeps_old_file(write_gmm);
    assert_odd_targets_fail(write_kmeans);
    assert_odd_targets_fail(write_gmm);
    glnn_kmeans_destroy(kmeans_to_save);
    glnn_gmm_destroy(gmm_to_save);
}

/* A mixture as it could be, but for one number. */
static file_path write_mixture(float weight, float variance, const char *components)
{
    const float weights[] = {1, weight}, means[] = {1, 2, 3, 4}, variances[] = {1, 1, variance, 1};
    const glnn_tensor tensors[] = {{"weights", 1, {2}, weights},
                                   {"means", 2, {2, 2}, means},
                                   {"covariances", 2, {2, 2}, variances}};
    const glnn_metadata texts[] = {
        {"format", "glnn-gmm"},      {"version", "1"}, {"features", "2"},
        {"components", components},  {"classes", "0"}, {"covariance", "diagonal"},
        {"variance_floor", "0.0001"}};
    file_path path = path_of("odd");
    ok(glnn_safetensors_write(path.text, tensors, 3, texts, 7));
    return path;
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    ok(read_gmm(write_mixture(1, 1, "2").text));
    assert_fails(read_gmm(write_mixture(-1, 1, "2").text), GLNN_E_FORMAT, "weight of component 1");
    assert_fails(read_gmm(write_mixture(1, 0, "2").text), GLNN_E_FORMAT, "variance of 0");
    assert_fails(read_gmm(write_mixture(1, NAN, "2").text), GLNN_E_FORMAT, "component 1");
    assert_fails(read_gmm(write_mixture(1, 1, "3").text), GLNN_E_SHAPE, "'weights'");
    assert_fails(read_gmm(write_mixture(1, 1, "0").text), GLNN_E_FORMAT, "components");
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    glnn_kmeans *kmeans, *loaded;
    glnn_gmm *mixture;
    ok(glnn_kmeans_create(ctx, &(glnn_kmeans_desc){.features = 2, .centres = 2}, &kmeans));
    assert_fails(glnn_kmeans_save(kmeans, path_of("none").text), GLNN_E_STATE, "no centres");
    assert_fails(glnn_kmeans_save(NULL, "x"), GLNN_E_ARG, "kmeans");
    assert_fails(glnn_kmeans_save(kmeans, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_kmeans_load(NULL, "x", 0, 0, &loaded), GLNN_E_ARG, "ctx");
    assert_fails(glnn_kmeans_load(ctx, "x", GLNN_LAYOUT_PAGED, 0, &loaded), GLNN_E_ARG, "layout");
    assert_fails(glnn_kmeans_load(ctx, "x", 0, -1, &loaded), GLNN_E_ARG, "capacity");
    assert_fails(glnn_gmm_save(NULL, "x"), GLNN_E_ARG, "gmm");
    assert_fails(glnn_gmm_load(ctx, NULL, 0, 0, &mixture), GLNN_E_ARG, "path");
    assert_fails(glnn_gmm_load(ctx, "x", 0, 0, NULL), GLNN_E_ARG, "out");
    assert_fails(glnn_gmm_load(ctx, "x", GLNN_LAYOUT_PAGED, 0, &mixture), GLNN_E_ARG, "layout");
    glnn_kmeans_destroy(kmeans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_centres_predict_and_train_on_the_same_bits),
        cmocka_unit_test(loaded_mixtures_predict_and_train_on_the_same_bits),
        cmocka_unit_test(damaged_files_are_refused_or_sound),
        cmocka_unit_test(a_full_disk_keeps_the_old_file),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
