/* Training on distorted images. */
#include "support/learning.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>

#include "data/batch.h"
#include "data/dataset.h"
#include "distortions/distortion.h"

enum { SIDE = 6, FEATURES = SIDE * SIDE, CLASSES = 3, SAMPLES = 90 };

static const glnn_distortion distortion = {
    .shift = 1, .rotation = 20, .elastic = 20, .probability = 0.9f};

static samples images(int count)
{
    random_seed(11);
    return samples_random(count, FEATURES, CLASSES, true);
}

static glnn_learner *new_network(int capacity, int batch_layout)
{
    return network_of(&(glnn_network_desc){
        .features = FEATURES,
        .layers = {{.units = 8}, {.units = CLASSES}},
        .layout = rendered_layout(batch_layout),
        .capacity = capacity,
        .seed = 3,
    });
}

static void train(glnn_learner *network, const glnn_dataset *data, glnn_train_desc desc)
{
    desc.schedule.rate = 0.05f;
    desc.epochs = desc.epochs ? desc.epochs : 2;
    expect_ok(glnn_learner_train(network, data, &desc, NULL));
}

static bool are_equal(const glnn_learner *left, const glnn_learner *right)
{
    const array a = weights_of(left, 0), b = weights_of(right, 0);
    return memcmp(a.data, b.data, length_of(a) * sizeof *a.data) == 0;
}

static void training_depends_on_the_distortion_and_its_seed_alone(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_learner *networks[4];
        for (int k = 0; k < 4; ++k)
            networks[k] = new_network(0, i);
        const glnn_train_desc desc = {
            .batch = 16, .seed = 4, .keep_order = true, .distortion = distortion};
        glnn_train_desc other = desc, none = desc;
        other.seed = 5;
        none.distortion = (glnn_distortion){0};
        train(networks[0], data, desc);
        train(networks[1], data, desc);
        train(networks[2], data, other);
        train(networks[3], data, none);
        expect_same_networks(networks[0], networks[1], "equal seeds");
        assert_false(are_equal(networks[0], networks[2]));
        assert_false(are_equal(networks[0], networks[3]));
    }
}

static void validation_measures_images_as_they_are(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    glnn_learner *network = new_network(0, 0);
    glnn_train_result result = {.size = sizeof result};
    glnn_metrics metrics;
    const glnn_train_desc desc = {.epochs = 2, .validation = data, .distortion = distortion};
    expect_ok(glnn_learner_train(network, data, &desc, &result));
    expect_ok(glnn_learner_evaluate(network, data, &metrics, NULL));
    assert_true(metrics.loss == result.validation.loss);
}

static void an_epoch_of_steps_makes_nothing_and_waits_once(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        epoch_watch watch = {.most_waits = 1};
        /* 12 epochs of 12 steps need three fields of displacements. */
        train(new_network(0, i), data,
              (glnn_train_desc){.epochs = 12,
                                .batch = 8,
                                .distortion = distortion,
                                .report = watch_steady_epoch,
                                .user = &watch});
        assert_int_equal(watch.epochs, 10);
    }
}

static glnn_status train_network(void *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc)
{
    return glnn_learner_train(learner, data, desc, NULL);
}

static glnn_status train_distorted(void *learner, const glnn_dataset *data,
                                   const glnn_train_desc *desc)
{
    glnn_train_desc with = *desc;
    with.distortion = distortion;
    return glnn_learner_train(learner, data, &with, NULL);
}

static void a_step_takes_no_more_passes_than_without(void **state)
{
    (void)state;
    const samples all = images(64);
    assert_int_equal(passes_per_step(new_network(0, 0), train_distorted, all, 16),
                     passes_per_step(new_network(0, 0), train_network, all, 16));
}

/* ---- Batches */

static array gathered(glnn__distorter *distorter, const glnn_dataset *data,
                      const glnn_matrix *order, int first, int count, int place, int rows)
{
    glnn_matrix *out = matrix_of(array_numbered(rows, FEATURES), GLNN_LAYOUT_TILED);
    const glnn__batch batch = {.data = data,
                               .order = order,
                               .first = first,
                               .count = count,
                               .distorter = distorter,
                               .step = 9,
                               .place = place};
    expect_ok(glnn__batch_prepare(&batch));
    expect_ok(glnn__batch_gather(&batch, out));
    return values_of(out);
}

static glnn__distorter *new_distorter(void)
{
    glnn_distortion resolved;
    glnn__distorter *distorter = NULL;
    expect_ok(glnn__distortion_resolve(&distortion, (glnn_shape){0}, FEATURES, &resolved));
    expect_ok(glnn__distorter_create(glnn_test_context(), &resolved, 7, &distorter));
    return distorter;
}

static void a_part_of_a_batch_is_distorted_as_in_the_whole(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    glnn__distorter *distorter = new_distorter();
    const array whole = gathered(distorter, data, NULL, 20, 30, 5, 30);
    const array part = gathered(distorter, data, NULL, 33, 17, 18, 20);
    expect_same_bits(rows_of(part, 0, 17), rows_of(whole, 13, 17), "rows 13 to 29");
    for (int i = 17 * FEATURES; i < 20 * FEATURES; ++i)
        assert_true(part.data[i] == 0);
    glnn__distorter_destroy(distorter);
}

static void an_order_chooses_the_images(void **state)
{
    (void)state;
    const samples all = images(SAMPLES);
    const glnn_dataset *data = dataset_of(all);
    array entries = array_new(SAMPLES, 1), chosen = array_new(10, FEATURES);
    for (int i = 0; i < SAMPLES; ++i)
        entries.data[i] = i * 7 % SAMPLES;
    for (int i = 0; i < 10; ++i)
        memcpy(at(chosen, i, 0), at(all.inputs, (3 + i) * 7 % SAMPLES, 0),
               FEATURES * sizeof *chosen.data);
    glnn__distorter *distorter = new_distorter();
    const array got =
        gathered(distorter, data, matrix_of(entries, GLNN_LAYOUT_PAGED), 3, 10, 0, 10);
    glnn_matrix *want = matrix_zero(10, FEATURES, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_distort(glnn_test_context(), &distortion, 7, 9,
                                 matrix_of(chosen, GLNN_LAYOUT_TILED), want));
    expect_same_bits(got, values_of(want), "images chosen by an order");
    glnn__distorter_destroy(distorter);
}

/* ---- Streams and learners */

static void streams_give_the_bits_of_resident_images(void **state)
{
    (void)state;
    enum { MANY = 300, ROW = 4 * (FEATURES + 4) };
    static const int rows[] = {32, 70, 149};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const samples all = images(MANY);
        const glnn_dataset *resident = dataset_of(all);
        const glnn_dataset *stream = dataset_within(all, (size_t)(2 * ROW * rows[i]));
        assert_true(glnn_dataset_is_streamed(stream));
        glnn_learner *left = new_network(32, 0), *right = new_network(32, 0);
        const glnn_train_desc desc = {
            .epochs = 3, .batch = 32, .seed = 2, .validation = stream, .distortion = distortion};
        train(left, resident, desc);
        train(right, stream, desc);
        expect_same_networks(left, right, "a stream");
        release_learning();
    }
}

/* The loss of the first epoch, with and without distortion. */
static void expect_other_loss(double plain, double distorted, const char *what)
{
    if (!isfinite(distorted) || plain == distorted)
        fail_at(__FILE__, __LINE__, "%s: a loss of %g with distortion, %g without", what, distorted,
                plain);
}

static void prototypes_and_mixtures_learn_distorted_images_too(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    double losses[3][2];
    for (int k = 0; k < 2; ++k) {
        glnn_learner *lvq = NULL;
        glnn_learner *kmeans = NULL;
        glnn_learner *gmm = NULL;
        glnn_train_result result = {.size = sizeof result};
        glnn_train_desc desc = {.epochs = 1};
        if (k > 0)
            desc.distortion = distortion;
        expect_ok(
            glnn_lvq_create(ctx, &(glnn_lvq_desc){.features = FEATURES, .classes = CLASSES}, &lvq));
        expect_ok(glnn_learner_train(lvq, data, &desc, &result));
        losses[0][k] = result.training.loss;
        expect_ok(glnn_kmeans_create(ctx, &(glnn_kmeans_desc){.features = FEATURES, .centres = 4},
                                     &kmeans));
        expect_ok(glnn_learner_train(kmeans, data, &desc, &result));
        losses[1][k] = result.training.loss;
        expect_ok(glnn_gmm_create(ctx,
                                  &(glnn_gmm_desc){.features = FEATURES,
                                                   .components = 2,
                                                   .covariance = GLNN_COVARIANCE_DIAGONAL},
                                  &gmm));
        expect_ok(glnn_learner_train(gmm, data, &desc, &result));
        losses[2][k] = result.training.loss;
        glnn_learner_destroy(lvq);
        glnn_learner_destroy(kmeans);
        glnn_learner_destroy(gmm);
    }
    expect_other_loss(losses[0][0], losses[0][1], "LVQ");
    expect_other_loss(losses[1][0], losses[1][1], "k-means");
    expect_other_loss(losses[2][0], losses[2][1], "a mixture");
}

/* ---- Shapes and errors */

static void the_shape_is_that_of_the_network(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    glnn_learner *left = network_of(&(glnn_network_desc){
        .shape = {2, 3, 6}, .layers = {{.units = 8}, {.units = CLASSES}}, .seed = 3});
    glnn_learner *right = new_network(0, 0);
    glnn_train_desc desc = {.batch = 16, .seed = 4, .distortion = distortion};
    train(left, data, desc);
    desc.distortion.shape = (glnn_shape){2, 3, 6};
    train(right, data, desc);
    assert_true(are_equal(left, right));
}

static void what_does_not_fit_is_refused_before_training(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    glnn_learner *network = new_network(0, 0);
    glnn_train_desc desc = {.distortion = distortion};
    desc.distortion.shape = (glnn_shape){1, 5, 7};
    expect_error(glnn_learner_train(network, data, &desc, NULL), GLNN_E_SHAPE,
                 "glnn_learner_train: `distortion.shape` is 1 channels of 5 x 7 pixels, but a "
                 "sample has 36 features");
    desc.distortion = (glnn_distortion){.sigma = 4};
    expect_error(glnn_learner_train(network, data, &desc, NULL), GLNN_E_ARG,
                 "glnn_learner_train: `distortion.sigma` is 4");
    desc.distortion = (glnn_distortion){.elastic = NAN};
    expect_error(glnn_learner_train(network, data, &desc, NULL), GLNN_E_ARG,
                 "distortion.elastic is nan");
    assert_int_equal(glnn_network_get_steps(network), 0);
    glnn_learner *compares =
        network_of(&(glnn_network_desc){.features = glnn_network_get_desc(network)->features,
                                        .layers = {{.units = CLASSES}},
                                        .optimizer = {.kind = GLNN_OPTIMIZER_RPROP}});
    desc.distortion = distortion;
    expect_error(glnn_learner_train(compares, data, &desc, NULL), GLNN_E_ARG,
                 "glnn_learner_train: a distortion and rprop exclude each other, because "
                 "distortion changes the samples from step to step");
    assert_int_equal(glnn_network_get_steps(compares), 0);
}

static void images_that_do_not_fit_the_budget_are_refused_before_training(void **state)
{
    (void)state;
    context_use(context_new(3 << 20, 0));
    const glnn_dataset *data = dataset_of(images(SAMPLES));
    glnn_learner *network = new_network(0, 0);
    glnn_train_desc desc = {.distortion = distortion};
    expect_error(glnn_learner_train(network, data, &desc, NULL), GLNN_E_LIMIT,
                 "glnn_learner_train: displacements: needs 4194304 bytes of texture");
    data = dataset_of(samples_random(100, 64 * 64, CLASSES, true));
    network = network_of(
        &(glnn_network_desc){.features = 64 * 64, .layers = {{.units = CLASSES}}, .capacity = 4});
    desc = (glnn_train_desc){.epochs = 1, .batch = 4, .distortion = {.shift = 1}};
    expect_error(glnn_learner_train(network, data, &desc, NULL), GLNN_E_LIMIT,
                 "images to distort: needs ");
    assert_int_equal(glnn_network_get_steps(network), 0);
    desc.distortion.shift = 0;
    expect_ok(glnn_learner_train(network, data, &desc, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(training_depends_on_the_distortion_and_its_seed_alone),
        LEARNING_TEST(validation_measures_images_as_they_are),
        LEARNING_TEST(an_epoch_of_steps_makes_nothing_and_waits_once),
        LEARNING_TEST(a_step_takes_no_more_passes_than_without),
        LEARNING_TEST(a_part_of_a_batch_is_distorted_as_in_the_whole),
        LEARNING_TEST(an_order_chooses_the_images),
        LEARNING_TEST(streams_give_the_bits_of_resident_images),
        LEARNING_TEST(prototypes_and_mixtures_learn_distorted_images_too),
        LEARNING_TEST(the_shape_is_that_of_the_network),
        LEARNING_TEST(what_does_not_fit_is_refused_before_training),
        LEARNING_TEST(images_that_do_not_fit_the_budget_are_refused_before_training),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
