/* K-means and mixtures in files: what comes back, and what is refused. */
#include "support/clusters.h"
#include "support/learner_files.h"

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
    expect_ok(glnn_dataset_create(glnn_test_context(),
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = FEATURES,
                                                       .inputs = inputs(),
                                                       .labels = labels,
                                                       .classes = CLASSES},
                                  &data));
    return data;
}

static glnn_learner *trained_kmeans(void)
{
    const glnn_kmeans_desc desc = {
        .features = FEATURES, .centres = EACH, .classes = CLASSES, .capacity = 16};
    glnn_learner *kmeans;
    glnn_dataset *data = dataset();
    expect_ok(glnn_kmeans_create(glnn_test_context(), &desc, &kmeans));
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 2, .batch = 8}, NULL));
    glnn_dataset_destroy(data);
    return kmeans;
}

static glnn_learner *trained_gmm(glnn_covariance covariance)
{
    const glnn_gmm_desc desc = {.features = FEATURES,
                                .components = EACH,
                                .classes = CLASSES,
                                .covariance = covariance,
                                .variance_floor = 1e-3f / 3,
                                .capacity = 16};
    glnn_learner *gmm;
    glnn_dataset *data = dataset();
    expect_ok(glnn_gmm_create(glnn_test_context(), &desc, &gmm));
    expect_ok(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 2}, NULL));
    glnn_dataset_destroy(data);
    return gmm;
}

/* Centres, sizes and what is predicted. */
typedef struct kmeans_snapshot {
    float centres[COUNT * FEATURES], sizes[COUNT], distances[SAMPLES];
    int winners[SAMPLES], classes[SAMPLES];
} kmeans_snapshot;

static kmeans_snapshot snapshot_of_kmeans(glnn_learner *kmeans)
{
    kmeans_snapshot taken = {0};
    expect_ok(read_tensor(kmeans, "centres", taken.centres));
    expect_ok(read_tensor(kmeans, "sizes", taken.sizes));
    expect_ok(
        glnn_learner_find_nearest(kmeans, SAMPLES, inputs(), 1, taken.winners, taken.distances));
    expect_ok(glnn_learner_predict(kmeans, SAMPLES, inputs(), NULL, taken.classes));
    return taken;
}

typedef struct gmm_snapshot {
    float weights[COUNT], means[COUNT * FEATURES], covariances[COUNT * FEATURES * FEATURES];
    float densities[SAMPLES], shares[SAMPLES * COUNT];
} gmm_snapshot;

static gmm_snapshot snapshot_of_gmm(glnn_learner *gmm)
{
    gmm_snapshot taken = {0};
    expect_ok(gmm_read(gmm, taken.weights, taken.means, taken.covariances));
    expect_ok(glnn_gmm_compute_densities(gmm, SAMPLES, inputs(), taken.densities, taken.shares));
    return taken;
}

static void loaded_centres_predict_and_train_on_the_same_bits(void **state)
{
    (void)state;
    glnn_learner *kmeans = trained_kmeans(), *loaded;
    file_path path = path_of("centres");
    expect_ok(glnn_learner_save(kmeans, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 16},
                                &loaded));
    assert_int_equal(tensor_rows(loaded, "centres"), COUNT);
    assert_int_equal(glnn_kmeans_get_desc(loaded)->classes, CLASSES);
    for (int i = 0; i < 2; ++i) {
        const kmeans_snapshot a = snapshot_of_kmeans(kmeans), b = snapshot_of_kmeans(loaded);
        assert_memory_equal(&a, &b, sizeof a);
        glnn_dataset *data = dataset();
        const glnn_train_desc more = {.epochs = 1, .batch = 8, .seed = 3};
        expect_ok(glnn_learner_train(kmeans, data, &more, NULL));
        expect_ok(glnn_learner_train(loaded, data, &more, NULL));
        glnn_dataset_destroy(data);
    }
    glnn_learner_destroy(kmeans);
    glnn_learner_destroy(loaded);
}

static void loaded_mixtures_predict_and_train_on_the_same_bits(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_learner *gmm = trained_gmm((glnn_covariance)c), *loaded;
        file_path path = path_of("mixture");
        expect_ok(glnn_learner_save(gmm, path.text));
        expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                    &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 16},
                                    &loaded));
        assert_true(glnn_gmm_get_desc(loaded)->variance_floor == 1e-3f / 3);
        assert_int_equal(glnn_gmm_get_desc(loaded)->covariance, c);
        for (int i = 0; i < 2; ++i) {
            const gmm_snapshot a = snapshot_of_gmm(gmm), b = snapshot_of_gmm(loaded);
            assert_memory_equal(&a, &b, sizeof a);
            glnn_dataset *data = dataset();
            expect_ok(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 1}, NULL));
            expect_ok(glnn_learner_train(loaded, data, &(glnn_train_desc){.epochs = 1}, NULL));
            glnn_dataset_destroy(data);
        }
        glnn_learner_destroy(gmm);
        glnn_learner_destroy(loaded);
    }
}

static void parameters_are_loaded_into_learners_that_exist(void **state)
{
    (void)state;
    file_path centres = path_of("centres"), mixture = path_of("mixture");
    glnn_learner *kmeans = trained_kmeans();
    glnn_learner *gmm = trained_gmm(GLNN_COVARIANCE_DIAGONAL);
    const kmeans_snapshot of_kmeans = snapshot_of_kmeans(kmeans);
    const gmm_snapshot of_gmm = snapshot_of_gmm(gmm);
    expect_ok(glnn_learner_save(kmeans, centres.text));
    expect_ok(glnn_learner_save(gmm, mixture.text));
    glnn_dataset *data = dataset();
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 3, .batch = 8}, NULL));
    expect_ok(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 3}, NULL));
    const kmeans_snapshot moved_kmeans = snapshot_of_kmeans(kmeans);
    const gmm_snapshot moved_gmm = snapshot_of_gmm(gmm);
    assert_memory_not_equal(&moved_kmeans, &of_kmeans, sizeof of_kmeans);
    assert_memory_not_equal(&moved_gmm, &of_gmm, sizeof of_gmm);
    expect_ok(glnn_learner_load_parameters(kmeans, centres.text));
    expect_ok(glnn_learner_load_parameters(gmm, mixture.text));
    const kmeans_snapshot same_kmeans = snapshot_of_kmeans(kmeans);
    const gmm_snapshot same_gmm = snapshot_of_gmm(gmm);
    assert_memory_equal(&same_kmeans, &of_kmeans, sizeof of_kmeans);
    assert_memory_equal(&same_gmm, &of_gmm, sizeof of_gmm);
    glnn_dataset_destroy(data);
    glnn_learner_destroy(kmeans);
    glnn_learner_destroy(gmm);
}

/* k-means in a file, with centres and sizes that may not be. */
static file_path write_centres(const float *centres, float size)
{
    const float sizes[COUNT] = {1, size};
    const glnn_tensor tensors[] = {{"centres", 2, {COUNT, FEATURES}, centres},
                                   {"sizes", 1, {COUNT}, sizes}};
    const glnn_metadata texts[] = {{"format", "glnn-kmeans"},
                                   {"version", "1"},
                                   {"features", "3"},
                                   {"centres", "2"},
                                   {"classes", "2"}};
    file_path path = path_of("odd");
    expect_ok(glnn_safetensors_write(path.text, tensors, 2, texts, 5));
    return path;
}

static void parameters_that_do_not_fit_change_nothing(void **state)
{
    (void)state;
    file_path path = path_of("other");
    glnn_learner *kmeans = trained_kmeans(), *other;
    glnn_learner *gmm = trained_gmm(GLNN_COVARIANCE_DIAGONAL);
    glnn_learner *full = trained_gmm(GLNN_COVARIANCE_FULL);
    const kmeans_snapshot of_kmeans = snapshot_of_kmeans(kmeans);
    const gmm_snapshot of_gmm = snapshot_of_gmm(gmm);
    expect_ok(glnn_kmeans_create(glnn_test_context(),
                                 &(glnn_kmeans_desc){.features = FEATURES, .centres = 1}, &other));
    expect_ok(write_tensor(other, "centres", (float[FEATURES]){1}));
    expect_ok(glnn_learner_save(other, path.text));
    assert_fails(glnn_learner_load_parameters(kmeans, path.text), GLNN_E_SHAPE, "1 centres");
    expect_ok(glnn_learner_save(full, path.text));
    assert_fails(glnn_learner_load_parameters(gmm, path.text), GLNN_E_SHAPE, "full covariances");
    const float zeros[COUNT * FEATURES] = {0}, nan[COUNT * FEATURES] = {NAN};
    assert_fails(glnn_learner_load_parameters(kmeans, write_centres(zeros, -1).text), GLNN_E_FORMAT,
                 "size of -1");
    assert_fails(glnn_learner_load_parameters(kmeans, write_centres(nan, 1).text), GLNN_E_FORMAT,
                 "not finite");
    assert_fails(glnn_learner_load_parameters(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_load_parameters(gmm, NULL), GLNN_E_ARG, "path");
    const kmeans_snapshot same_kmeans = snapshot_of_kmeans(kmeans);
    const gmm_snapshot same_gmm = snapshot_of_gmm(gmm);
    assert_memory_equal(&same_kmeans, &of_kmeans, sizeof of_kmeans);
    assert_memory_equal(&same_gmm, &of_gmm, sizeof of_gmm);
    glnn_learner_destroy(kmeans);
    glnn_learner_destroy(other);
    glnn_learner_destroy(gmm);
    glnn_learner_destroy(full);
}

static glnn_status read_kmeans(const char *path)
{
    glnn_learner *kmeans;
    glnn_status status =
        glnn_learner_load(glnn_test_context(), path,
                          &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 8}, &kmeans);
    if (status)
        assert_null(kmeans);
    glnn_learner_destroy(kmeans);
    return status;
}

static glnn_status read_gmm(const char *path)
{
    glnn_learner *gmm;
    glnn_status status =
        glnn_learner_load(glnn_test_context(), path,
                          &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 8}, &gmm);
    if (status)
        assert_null(gmm);
    glnn_learner_destroy(gmm);
    return status;
}

static glnn_status write_kmeans(const char *path)
{
    glnn_learner *kmeans = trained_kmeans();
    const glnn_status status = glnn_learner_save(kmeans, path);
    glnn_learner_destroy(kmeans);
    return status;
}

static glnn_status write_gmm(const char *path)
{
    glnn_learner *gmm = trained_gmm(GLNN_COVARIANCE_FULL);
    const glnn_status status = glnn_learner_save(gmm, path);
    glnn_learner_destroy(gmm);
    return status;
}

static void damaged_files_are_refused_or_sound(void **state)
{
    (void)state;
    file_path centres = path_of("centres"), mixture = path_of("mixture");
    expect_ok(write_kmeans(centres.text));
    expect_ok(write_gmm(mixture.text));
    assert_true(refused_flips(read_kmeans, centres.text) > 500);
    assert_true(refused_flips(read_gmm, mixture.text) > 500);
    glnn_learner *kmeans = trained_kmeans();
    assert_fails(glnn_learner_load_parameters(kmeans, mixture.text), GLNN_E_FORMAT,
                 "it has a learner of kind gmm; the one to load into is of kind kmeans");
    glnn_learner_destroy(kmeans);
    glnn_learner *gmm = trained_gmm(GLNN_COVARIANCE_FULL);
    assert_fails(glnn_learner_load_parameters(gmm, centres.text), GLNN_E_FORMAT,
                 "it has a learner of kind kmeans; the one to load into is of kind gmm");
    glnn_learner_destroy(gmm);
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
    expect_ok(glnn_safetensors_write(path.text, tensors, 3, texts, 7));
    return path;
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    expect_ok(read_gmm(write_mixture(1, 1, "2").text));
    assert_fails(read_gmm(write_mixture(-1, 1, "2").text), GLNN_E_FORMAT,
                 "`weights` has a weight of -1");
    assert_fails(read_gmm(write_mixture(1, 0, "2").text), GLNN_E_FORMAT, "variance of 0");
    assert_fails(read_gmm(write_mixture(1, NAN, "2").text), GLNN_E_FORMAT, "`covariances`");
    assert_fails(read_gmm(write_mixture(1, 1, "3").text), GLNN_E_SHAPE, "'weights'");
    assert_fails(read_gmm(write_mixture(1, 1, "0").text), GLNN_E_FORMAT, "components");
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    glnn_learner *kmeans, *loaded;
    glnn_learner *mixture;
    expect_ok(glnn_kmeans_create(glnn_test_context(),
                                 &(glnn_kmeans_desc){.features = 2, .centres = 2}, &kmeans));
    assert_fails(glnn_learner_save(kmeans, path_of("none").text), GLNN_E_STATE, "no centres");
    assert_fails(glnn_learner_save(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_save(kmeans, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(NULL, "x", NULL, &loaded), GLNN_E_ARG, "ctx");
    assert_fails(glnn_learner_load(glnn_test_context(), "x",
                                   &(glnn_load_desc){.layout = GLNN_LAYOUT_PAGED}, &loaded),
                 GLNN_E_ARG, "layout");
    assert_fails(
        glnn_learner_load(glnn_test_context(), "x", &(glnn_load_desc){.capacity = -1}, &loaded),
        GLNN_E_ARG, "capacity");
    assert_fails(glnn_learner_save(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_load(glnn_test_context(), NULL, NULL, &mixture), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(glnn_test_context(), "x", NULL, NULL), GLNN_E_ARG, "out");
    assert_fails(glnn_learner_load(glnn_test_context(), "x",
                                   &(glnn_load_desc){.layout = GLNN_LAYOUT_PAGED}, &mixture),
                 GLNN_E_ARG, "layout");
    glnn_learner_destroy(kmeans);
}

static const file_format kmeans_files = {read_kmeans, write_kmeans};
static const file_format gmm_files = {read_gmm, write_gmm};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(loaded_centres_predict_and_train_on_the_same_bits),
        LEARNING_TEST(loaded_mixtures_predict_and_train_on_the_same_bits),
        LEARNING_TEST(parameters_are_loaded_into_learners_that_exist),
        LEARNING_TEST(parameters_that_do_not_fit_change_nothing),
        LEARNING_TEST(damaged_files_are_refused_or_sound),
        LEARNER_FILE_TESTS(kmeans_files),
        LEARNER_FILE_TESTS(gmm_files),
        LEARNING_TEST(numbers_that_cannot_be_are_refused),
        LEARNING_TEST(calls_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests_name("clusters file", tests, learner_files_setup,
                                       learner_files_teardown);
}
