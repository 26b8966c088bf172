/* Data sets and learners that are larger than a texture: more samples, features, units and
 * prototypes than a texture has rows or columns. All is as on a device with large textures, with
 * the same bits on llvmpipe, or is refused with the sizes and the limit. */
#include "support/clusters.h"
#include "support/prototypes.h"
#include "support/small_device.h"
#include "support/svms.h"

#include "tex/matrix.h"

#include <stdio.h>

enum { CLASSES = 3, CAPACITY = 4096 };

/* A learner. Its parts are hidden units, prototypes, centres or components. */
typedef struct size {
    int features, parts;
    glnn_layout layout;
    int capacity;
} size;

typedef struct model {
    const char *name;
    glnn_status (*create)(const size *of, glnn_learner **out);
} model;

static glnn_status create_network(const size *of, glnn_learner **out)
{
    const glnn_network_desc desc = {
        .features = of->features,
        .layers = {{.units = of->parts, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
        .optimizer = {.momentum = 0.9f},
        .layout = of->layout,
        .capacity = of->capacity,
        .seed = 4};
    return glnn_network_create(glnn_test_context(), &desc, out);
}

static glnn_status create_svm(const size *of, glnn_learner **out)
{
    const glnn_svm_desc desc = {.features = of->features,
                                .classes = CLASSES,
                                .layout = of->layout,
                                .capacity = of->capacity};
    return glnn_svm_create(glnn_test_context(), &desc, out);
}

static glnn_status create_lvq(const size *of, glnn_learner **out)
{
    const glnn_lvq_desc desc = {.features = of->features,
                                .classes = CLASSES,
                                .prototypes = of->parts,
                                .layout = of->layout,
                                .capacity = of->capacity,
                                .seed = 2};
    return glnn_lvq_create(glnn_test_context(), &desc, out);
}

static glnn_status create_kmeans(const size *of, glnn_learner **out)
{
    const glnn_kmeans_desc desc = {.features = of->features,
                                   .centres = of->parts,
                                   .init = GLNN_KMEANS_INIT_SAMPLES,
                                   .layout = of->layout,
                                   .capacity = of->capacity,
                                   .seed = 3};
    return glnn_kmeans_create(glnn_test_context(), &desc, out);
}

static glnn_status create_gmm(const size *of, glnn_learner **out)
{
    const glnn_gmm_desc desc = {.features = of->features,
                                .components = of->parts,
                                .covariance = GLNN_COVARIANCE_DIAGONAL,
                                .layout = of->layout,
                                .capacity = of->capacity,
                                .seed = 5};
    return glnn_gmm_create(glnn_test_context(), &desc, out);
}

/* A network whose layers normalise and drop their many inputs. */
static glnn_status create_deep_network(const size *of, glnn_learner **out)
{
    const glnn_network_desc desc = {
        .features = of->features,
        .layers = {{.units = of->parts, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.kind = GLNN_LAYER_LAYER_NORM},
                   {.kind = GLNN_LAYER_BATCH_NORM},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.2f},
                   {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = GLNN_LOSS_CROSS_ENTROPY,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .layout = of->layout,
        .capacity = of->capacity,
        .seed = 6};
    return glnn_network_create(glnn_test_context(), &desc, out);
}

static const model models[] = {
    {"network", create_network}, {"deep network", create_deep_network},
    {"svm", create_svm},         {"lvq", create_lvq},
    {"k-means", create_kmeans},  {"gmm", create_gmm},
};

static const glnn_train_desc full_batch = {.epochs = 2, .batch = GLNN_FULL_BATCH};

/* Outputs, and the class in the last column. The matrix of predictions has the same numbers. */
static array predict(glnn_learner *learner, array inputs)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(learner);
    const bool stores_outputs = kind == GLNN_LEARNER_NETWORK || kind == GLNN_LEARNER_SVM;
    const int count = inputs.rows, outputs = glnn_learner_get_outputs(learner);
    const int stored = stores_outputs ? outputs : 1, from = stores_outputs ? 0 : outputs;
    float *floats = floats_new((size_t)count * (size_t)outputs);
    int *classes = malloc((size_t)count * sizeof *classes);
    assert_non_null(classes);
    expect_ok(glnn_learner_predict(learner, count, floats_of(inputs), floats, classes));
    array made = array_new(count, outputs + 1), part = array_new(count, stored);
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < outputs; ++j)
            *at(made, i, j) = (double)floats[i * outputs + j];
        *at(made, i, outputs) = classes[i];
        memcpy(at(part, i, 0), at(made, i, from), (size_t)stored * sizeof(double));
    }
    free(classes);
    const bool has_pages = fits_small_device(GLNN_LAYOUT_PAGED, count, inputs.columns);
    glnn_matrix *held = matrix_of(inputs, has_pages ? GLNN_LAYOUT_PAGED : GLNN_LAYOUT_PACKED);
    glnn_matrix *predictions = matrix_zero(count, stored, GLNN_LAYOUT_TILED);
    expect_ok(glnn_learner_predict_matrix(learner, held, predictions));
    expect_equal(predictions, part, "predictions in a matrix");
    return made;
}

/* Predictions after a training; no data: the device is too small, and says so. */
static array learn(const model *of, const size *sizes, samples all, const glnn_train_desc *how,
                   size_t texture_budget)
{
    glnn_learner *learner = NULL;
    glnn_metrics metrics;
    glnn_status status = of->create(sizes, &learner);
    if (!status) {
        learning_own_learner(learner);
        const glnn_dataset *data = dataset_within(all, texture_budget);
        status = glnn_learner_train(learner, data, how, NULL);
        if (!status)
            status = glnn_learner_evaluate(learner, data, &metrics, NULL);
    }
    if (!status)
        return predict(learner, all.inputs);
    expect_limit_refusal(status, "glnn_", 0, 0);
    return (array){0};
}

/* A matrix that is wrapped for a small texture has other shaders. Compilers of GPUs may fuse a
 * product and a sum in one of them and not in the other, so there the last digits may differ. */
static void expect_learnt(array small, array large, const char *what)
{
    if (glnn_test_context()->info.software)
        expect_same_bits(small, large, "%s", what);
    for (size_t i = 0; i < length_of(small); ++i)
        if (!(fabs(small.data[i] - large.data[i]) <= 0x1p-18 * (1 + fabs(large.data[i]))))
            fail_at(__FILE__, __LINE__, "%s: element %zu is %.9g here and %.9g there", what, i,
                    small.data[i], large.data[i]);
}

/* Returns whether the small device does not refuse it. */
static bool check(const model *of, const size *sizes, int count)
{
    random_seed(7);
    const samples all = samples_clustered(count, sizes->features, CLASSES, 2, CLASSES);
    small_device_begin();
    const array small = learn(of, sizes, all, &full_batch, 0);
    small_device_end();
    char what[96];
    snprintf(what, sizeof what, "%s of %d features, %d parts, %s, %d samples", of->name,
             sizes->features, sizes->parts, glnn_layout_name(sizes->layout), count);
    if (small.data)
        expect_learnt(small, learn(of, sizes, all, &full_batch, 0), what);
    release_learning();
    return small.data != NULL;
}

/* The rows and columns of a texture of a layout in elements. */
static int most_rows(glnn_layout layout)
{
    return SMALL_SIDE * glnn__layout_in(glnn_test_context(), layout)->block_rows;
}

static int most_columns(glnn_layout layout)
{
    return SMALL_SIDE * glnn__layout_in(glnn_test_context(), layout)->block_columns;
}

/* Calls a check for each kind of learner in each layout. */
static void for_every_learner(void (*run)(const model *of, glnn_layout layout))
{
    for (size_t i = 0; i < COUNT_OF(models); ++i)
        for (int j = 0; j < RENDERED_COUNT; ++j)
            if (!case_is_left_out((int)i + j))
                run(&models[i], rendered_layout(j));
}

static void check_samples(const model *of, glnn_layout layout)
{
    const size few = {5, 4, layout, CAPACITY};
    const int rows = most_rows(layout);
    for (int more = all_cases_are_run() ? -1 : 0; more <= 1; ++more)
        assert_true(check(of, &few, rows + more));
    assert_true(check(of, &few, 2 * rows + 9));
}

static void more_samples_than_a_texture_has_rows_are_learnt(void **state)
{
    (void)state;
    for_every_learner(check_samples);
}

/* A sample of a data set is a row of a PAGED texture. Many wide samples are not wrapped. */
static void check_features(const model *of, glnn_layout layout)
{
    const int most_of_data = most_columns(GLNN_LAYOUT_PAGED), own = most_columns(layout);
    const int most = own < most_of_data ? own : most_of_data;
    assert_true(check(of, &(size){most - 1, 4, layout, CAPACITY}, 20));
    assert_true(check(of, &(size){most, 4, layout, CAPACITY}, 20));
    if (layout != GLNN_LAYOUT_TILED)
        assert_false(check(of, &(size){most, 4, layout, CAPACITY}, SMALL_SIDE + 1));
    if (own < most_of_data)
        assert_false(check(of, &(size){own + 1, 4, layout, CAPACITY}, 20));
}

static void samples_as_wide_as_a_texture_are_learnt_and_wider_ones_are_refused(void **state)
{
    (void)state;
    for_every_learner(check_features);
}

/* As many units, prototypes, centres or components as a texture has rows or columns. Wider layers
 * are refused. Others can have matrices of parts that are lower or narrower. */
static void check_parts(const model *of, glnn_layout layout)
{
    const int rows = most_rows(layout), columns = most_columns(layout);
    const bool has_units = of->create == create_network || of->create == create_deep_network;
    const int counts[] = {rows - 1, rows, rows + 1, columns, columns + 1};
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const size of_parts = {5, counts[i], layout, CAPACITY};
        const bool is_there = check(of, &of_parts, has_units ? 20 : counts[i]);
        assert_true(!has_units || is_there == (counts[i] <= columns));
    }
}

static void as_many_parts_as_a_texture_is_wide_are_learnt_and_more_are_refused(void **state)
{
    (void)state;
    for_every_learner(check_parts);
}

static void more_samples_than_a_texture_has_are_refused_or_stream_with_the_same_bits(void **state)
{
    (void)state;
    enum { FEATURES = 5, MANY = SMALL_SIDE * SMALL_LAYERS + 1, BUDGET = 32768 };
    const glnn_train_desc how = {.epochs = 2, .batch = 96, .seed = 3};
    const size few = {FEATURES, 4, GLNN_LAYOUT_TILED, 128};
    random_seed(7);
    const samples all = samples_clustered(MANY, FEATURES, CLASSES, 2, CLASSES);
    const array large = learn(&models[0], &few, all, &how, 0);
    glnn_dataset *data = NULL;
    small_device_begin();
    const glnn_dataset_desc desc = {
        .samples = MANY, .features = FEATURES, .inputs = floats_of(all.inputs)};
    expect_limit_refusal(glnn_dataset_create(glnn_test_context(), &desc, &data),
                         "glnn_dataset_create: inputs", MANY, FEATURES);
    assert_non_null(strstr(glnn_last_error(), "with a texture_budget the data set streams"));
    const array small = learn(&models[0], &few, all, &how, BUDGET);
    small_device_end();
    expect_same_bits(small, large, "a stream");
}

static void samples_that_are_too_wide_are_refused_also_if_they_stream(void **state)
{
    (void)state;
    enum { WIDE = 4 * SMALL_SIDE + 1, FEW = 40 };
    static const size_t budgets[] = {0, (size_t)4 * WIDE * FEW / 2, (size_t)1 << 20};
    const float *inputs = floats_new((size_t)WIDE * FEW);
    small_device_begin();
    for (size_t i = 0; i < COUNT_OF(budgets); ++i) {
        const glnn_dataset_desc desc = {
            .samples = FEW, .features = WIDE, .inputs = inputs, .texture_budget = budgets[i]};
        glnn_dataset *data = NULL;
        expect_limit_refusal(glnn_dataset_create(glnn_test_context(), &desc, &data),
                             "glnn_dataset_create: the features of a sample", 1, WIDE);
        assert_null(strstr(glnn_last_error(), "streams"));
        assert_null(data);
    }
    small_device_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(more_samples_than_a_texture_has_rows_are_learnt),
        LEARNING_TEST(samples_as_wide_as_a_texture_are_learnt_and_wider_ones_are_refused),
        LEARNING_TEST(as_many_parts_as_a_texture_is_wide_are_learnt_and_more_are_refused),
        LEARNING_TEST(more_samples_than_a_texture_has_are_refused_or_stream_with_the_same_bits),
        LEARNING_TEST(samples_that_are_too_wide_are_refused_also_if_they_stream),
    };
    return cmocka_run_group_tests_name("learners beyond a texture", tests, test_group_setup,
                                       test_group_teardown);
}
