/* Training by emphasis: the losses that it records, the samples that it presents, and the calls
 * that it refuses. */
#include "support/streams.h"

#include "learn/train/trainer.h"

#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/trainer.h>

/* Kinds of networks that differ in where and how their losses are computed. */
typedef struct kind {
    glnn_loss loss;
    int outputs, accumulate;
    bool has_labels, has_weights;
} kind;

static const kind kinds[] = {
    {GLNN_LOSS_CROSS_ENTROPY, 3, 1, true, false}, {GLNN_LOSS_CROSS_ENTROPY, 200, 1, true, false},
    {GLNN_LOSS_CROSS_ENTROPY, 1, 2, true, true},  {GLNN_LOSS_SQUARED, 5, 3, false, true},
    {GLNN_LOSS_SQUARED, 300, 1, true, false},
};

static glnn_learner *network_for(const kind *of, glnn_layout layout)
{
    return network_of(&(glnn_network_desc){
        .features = 6,
        .layers = {{.units = 11, .activation = GLNN_ACTIVATION_TANH},
                   {.units = of->outputs, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = of->loss,
        .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.5f},
        .layout = layout,
        .capacity = 16,
        .seed = 6,
    });
}

static samples samples_of_kind(const kind *of, int count)
{
    const int classes = of->outputs == 1 ? 2 : of->outputs;
    samples all = samples_random(count, 6, classes, of->has_labels);
    if (of->has_weights)
        all.weights = array_random(count, 1, 0.5, 2);
    return all;
}

static glnn_trainer *trainer_of(glnn_learner *network, const glnn_dataset *data,
                                const glnn_train_desc *desc)
{
    glnn_trainer *trainer;
    expect_ok(glnn_trainer_create(network, data, desc, &trainer));
    return trainer;
}

/* Parameters that hardly move: their losses after the epoch are those of the epoch. */
static void an_epoch_records_the_loss_of_each_sample(void **state)
{
    enum { COUNT = 91 };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            const samples all = samples_of_kind(&kinds[k], COUNT);
            glnn_learner *network = network_for(&kinds[k], layout);
            const glnn_train_desc desc = {.epochs = 2,
                                          .batch = 20,
                                          .accumulate = kinds[k].accumulate,
                                          .schedule.rate = 1e-30f,
                                          .emphasis = 1};
            glnn_trainer *trainer = trainer_of(network, dataset_of(all), &desc);
            expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
            expect_ok(glnn_trainer_end_epoch(trainer));
            const array recent = values_of(trainer->training.emphasis.recent);
            glnn_trainer_destroy(trainer);
            for (int i = 0; i < COUNT; i += 9) {
                glnn_metrics metrics;
                expect_ok(glnn_learner_evaluate(network, dataset_of(samples_part(all, i, 1)),
                                                &metrics, NULL));
                if (fabs(recent.data[i] - metrics.loss) > 1e-5 * (1 + metrics.loss))
                    fail_msg("kind %zu, layout %s: the loss of sample %d is %g instead of %g", k,
                             glnn_layout_name(layout), i, recent.data[i], metrics.loss);
            }
            release_learning();
        }
}

static void the_same_seed_trains_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const samples all = samples_of_kind(&kinds[k], 203);
        const glnn_train_desc desc = {.epochs = 4,
                                      .batch = 24,
                                      .accumulate = kinds[k].accumulate,
                                      .validation_split = 0.2f,
                                      .seed = 9,
                                      .emphasis = 1};
        const glnn_dataset *data = dataset_of(all);
        glnn_learner *networks[2];
        for (int i = 0; i < 2; ++i) {
            networks[i] = network_for(&kinds[k], GLNN_LAYOUT_AUTO);
            expect_ok(glnn_learner_train(networks[i], data, &desc, NULL));
        }
        expect_same_networks(networks[0], networks[1], "a second training");
        release_learning();
    }
}

/* The samples that a split keeps apart are never drawn, and the others only as often as there are
 * places. */
static void a_split_keeps_its_samples_apart(void **state)
{
    enum { COUNT = 160 };
    (void)state;
    const kind *of = &kinds[0];
    const glnn_train_desc desc = {
        .epochs = 5, .batch = 16, .validation_split = 0.25f, .emphasis = 2, .seed = 4};
    glnn_trainer *trainer = trainer_of(network_for(of, GLNN_LAYOUT_AUTO),
                                       dataset_of(samples_of_kind(of, COUNT)), &desc);
    while (!glnn_trainer_is_finished(trainer)) {
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        const array order = values_of(trainer->training.samples.order.matrix);
        const int *entries = trainer->training.samples.order.entries;
        for (int place = 0; place < COUNT; ++place)
            for (int i = 120; i < COUNT; ++i)
                assert_true((order.data[place] == entries[i]) == (place == i));
        expect_ok(glnn_trainer_end_epoch(trainer));
        assert_true(glnn_trainer_get_report(trainer)->has_validation);
    }
    glnn_trainer_destroy(trainer);
}

static void steady_epochs_make_and_read_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        epoch_watch watch = {.most_waits = 1};
        const glnn_train_desc desc = {.epochs = 5,
                                      .batch = 24,
                                      .accumulate = kinds[k].accumulate,
                                      .emphasis = 1,
                                      .report = watch_steady_epoch,
                                      .user = &watch};
        expect_ok(glnn_learner_train(network_for(&kinds[k], GLNN_LAYOUT_AUTO),
                                     dataset_of(samples_of_kind(&kinds[k], 203)), &desc, NULL));
        assert_true(watch.epochs > 0);
        release_learning();
    }
}

/* 1500 samples of two classes, of which each hundredth lies in a small spot of the other class. */
static samples with_hard_samples(bool only_hard)
{
    enum { COUNT = 1500, EACH = 100 };
    random_seed(12);
    samples all = samples_random(COUNT, 2, 2, true);
    samples hard = samples_random(COUNT / EACH, 2, 2, true);
    for (int i = 0; i < COUNT; ++i) {
        const bool is_hard = i % EACH == 0;
        if (is_hard)
            *at(all.inputs, i, 0) = 0.6 + 0.05 * *at(all.inputs, i, 0);
        if (is_hard)
            *at(all.inputs, i, 1) = 0.5 + 0.05 * *at(all.inputs, i, 1);
        all.labels.data[i] = (*at(all.inputs, i, 0) > 0) != is_hard;
        if (is_hard)
            for (int j = 0; j < 2; ++j)
                *at(hard.inputs, i / EACH, j) = *at(all.inputs, i, j);
        if (is_hard)
            hard.labels.data[i / EACH] = all.labels.data[i];
    }
    return only_hard ? hard : all;
}

static double hard_loss(float emphasis)
{
    glnn_learner *network = network_of(
        &(glnn_network_desc){.features = 2,
                             .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .seed = 3});
    const glnn_train_desc desc = {
        .epochs = 25, .batch = 50, .schedule.rate = 0.01f, .emphasis = emphasis};
    glnn_metrics metrics;
    expect_ok(glnn_learner_train(network, dataset_of(with_hard_samples(false)), &desc, NULL));
    expect_ok(glnn_learner_evaluate(network, dataset_of(with_hard_samples(true)), &metrics, NULL));
    return metrics.loss;
}

static void emphasis_lowers_the_loss_of_hard_samples(void **state)
{
    (void)state;
    const double without = hard_loss(0), with = hard_loss(1);
    if (with > 0.5 * without)
        fail_msg("the loss of hard samples is %g with emphasis and %g without", with, without);
}

static void emphasis_is_refused_where_it_cannot_be(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_learner *network = new_network(true, 32);
    const glnn_dataset *data = dataset_of(of);
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.emphasis = -1}, NULL),
                 GLNN_E_ARG, "glnn_learner_train: emphasis is -1; it has to be a number in [0, 4]");
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.emphasis = NAN}, NULL),
                 GLNN_E_ARG, "emphasis is nan");
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.emphasis = 4.5f}, NULL),
                 GLNN_E_ARG, "emphasis is 4.5; it has to be a number in [0, 4]");
    const glnn_train_desc kept = {.emphasis = 1, .keep_order = true};
    expect_error(glnn_learner_train(network, data, &kept, NULL), GLNN_E_ARG,
                 "an emphasis of 1 and keep_order exclude each other");
    glnn_learner *compares =
        network_of(&(glnn_network_desc){.features = FEATURES,
                                        .layers = {{.units = CLASSES}},
                                        .optimizer = {.kind = GLNN_OPTIMIZER_RPROP}});
    const glnn_train_desc full = {.batch = GLNN_FULL_BATCH, .emphasis = 1};
    expect_error(glnn_learner_train(compares, data, &full, NULL), GLNN_E_ARG,
                 "an emphasis of 1 and rprop exclude each other");
    glnn_dataset *stream = streamed(of, budget_of(64));
    const glnn_train_desc plain = {.batch = 32, .emphasis = 1};
    expect_error(glnn_learner_train(network, stream, &plain, NULL), GLNN_E_UNSUPPORTED,
                 "the data set streams; emphasis needs a resident one");
    glnn_dataset_destroy(stream);
    glnn_learner *lvq;
    const glnn_lvq_desc desc = {.features = FEATURES, .classes = CLASSES};
    expect_ok(glnn_lvq_create(glnn_test_context(), &desc, &lvq));
    expect_error(
        glnn_learner_train(lvq, data, &(glnn_train_desc){.emphasis = 1}, NULL), GLNN_E_UNSUPPORTED,
        "glnn_learner_train: an emphasis of 1, but only networks are trained with emphasis");
    glnn_learner_destroy(lvq);
    glnn_learner *kmeans;
    expect_ok(glnn_kmeans_create(glnn_test_context(),
                                 &(glnn_kmeans_desc){.features = FEATURES, .centres = 2}, &kmeans));
    expect_error(glnn_learner_train(kmeans, data, &(glnn_train_desc){.emphasis = 1}, NULL),
                 GLNN_E_UNSUPPORTED, "only networks are trained with emphasis");
    glnn_learner_destroy(kmeans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(an_epoch_records_the_loss_of_each_sample),
        LEARNING_TEST(the_same_seed_trains_the_same_bits),
        LEARNING_TEST(a_split_keeps_its_samples_apart),
        LEARNING_TEST(steady_epochs_make_and_read_nothing),
        LEARNING_TEST(emphasis_lowers_the_loss_of_hard_samples),
        LEARNING_TEST(emphasis_is_refused_where_it_cannot_be),
    };
    return cmocka_run_group_tests_name("emphasis_training", tests, streams_setup, streams_teardown);
}
