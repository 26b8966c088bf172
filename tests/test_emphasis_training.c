/* Training by emphasis: the losses that it records, the samples that it presents, and the calls
 * that it refuses. */
#include "support/prototypes.h"
#include "support/streams.h"
#include "support/svms.h"

#include "learn/train/trainer.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/trainer.h>

/* Kinds of networks that differ in where and how their losses are computed. */
typedef struct kind {
    glnn_loss loss;
    int outputs, accumulate;
    bool has_labels, has_weights;
} kind;

static const kind kinds[] = {
    {GLNN_LOSS_CROSS_ENTROPY, 3, 1, true, false},
    {GLNN_LOSS_CROSS_ENTROPY, 200, 1, true, false},
    {GLNN_LOSS_CROSS_ENTROPY, 1, 2, true, true},
    {GLNN_LOSS_SQUARED, 5, 3, false, true},
    {GLNN_LOSS_SQUARED, 300, 1, true, false},
    {GLNN_LOSS_HUBER, 3, 2, false, true},
    {GLNN_LOSS_HINGE, 1, 1, true, false},
    {GLNN_LOSS_BINARY_CROSS_ENTROPY, 4, 1, false, false},
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
    for (size_t i = 0; of->loss == GLNN_LOSS_BINARY_CROSS_ENTROPY && i < length_of(all.targets);
         ++i)
        all.targets.data[i] = all.targets.data[i] > 0;
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

static array tensor_values(const glnn_learner *learner, const char *name)
{
    const int length = (int)tensor_of(learner, name).count;
    array out = array_new(1, length);
    float *values = floats_new((size_t)length);
    expect_ok(read_tensor(learner, name, values));
    for (int i = 0; i < length; ++i)
        out.data[i] = (double)values[i];
    return out;
}

static void expect_equal_arrays(array left, array right, const char *what)
{
    for (size_t i = 0; i < length_of(left); ++i)
        if (left.data[i] != right.data[i])
            fail_msg("%s: number %zu is %g and %g", what, i, left.data[i], right.data[i]);
}

static const glnn_emphasis_kind ways[] = {GLNN_EMPHASIS_FREQUENCY, GLNN_EMPHASIS_WEIGHT};

/* Trains for an epoch in which parameters hardly move: the losses of the samples after it are those
 * of the epoch. */
static void expect_recent_losses(glnn_learner *learner, const glnn_dataset *data, samples all,
                                 const glnn_train_desc *desc, const char *what)
{
    glnn_trainer *trainer = trainer_of(learner, data, desc);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    const array recent = values_of(trainer->training.emphasis.recent);
    glnn_trainer_destroy(trainer);
    for (int i = 0; i < all.inputs.rows; i += 9) {
        glnn_metrics metrics;
        expect_ok(
            glnn_learner_evaluate(learner, dataset_of(samples_part(all, i, 1)), &metrics, NULL));
        if (fabs(recent.data[i] - metrics.loss) > 1e-5 * (1 + metrics.loss))
            fail_msg("%s: the loss of sample %d is %g instead of %g", what, i, recent.data[i],
                     metrics.loss);
    }
}

static void an_epoch_records_the_loss_of_each_sample(void **state)
{
    enum { COUNT = 91 };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            for (size_t way = 0; way < COUNT_OF(ways); ++way) {
                if (case_is_left_out((int)k + (int)layout) ||
                    (!all_cases_are_run() && k % COUNT_OF(ways) != way))
                    continue;
                const samples all = samples_of_kind(&kinds[k], COUNT);
                const glnn_train_desc desc = {.epochs = 2,
                                              .batch = 20,
                                              .accumulate = kinds[k].accumulate,
                                              .schedule.rate = 1e-30f,
                                              .emphasis = 1,
                                              .emphasis_kind = ways[way]};
                expect_recent_losses(network_for(&kinds[k], layout), dataset_of(all), all, &desc,
                                     glnn_layout_name(layout));
                release_learning();
            }
}

/* ---- All learners that are trained with emphasis */

static glnn_learner *dense_network(void)
{
    return network_of(&(glnn_network_desc){
        .features = FEATURES,
        .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
        .optimizer = {.kind = GLNN_OPTIMIZER_SGD},
        .capacity = 32,
        .seed = 2});
}

static glnn_learner *wide_network(void)
{
    return network_of(&(glnn_network_desc){.features = FEATURES,
                                           .layers = {{.units = 200}},
                                           .optimizer = {.kind = GLNN_OPTIMIZER_SGD},
                                           .capacity = 32,
                                           .seed = 2});
}

static glnn_learner *image_network(void)
{
    return network_of(&(glnn_network_desc){.shape = {1, 1, FEATURES},
                                           .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                                       .units = 4,
                                                       .kernel = {1, 3},
                                                       .activation = GLNN_ACTIVATION_TANH},
                                                      {.kind = GLNN_LAYER_FLATTEN},
                                                      {.units = CLASSES}},
                                           .optimizer = {.kind = GLNN_OPTIMIZER_SGD},
                                           .capacity = 32,
                                           .seed = 2});
}

static glnn_learner *machine(void)
{
    return svm_of(&(glnn_svm_desc){.features = FEATURES,
                                   .classes = CLASSES,
                                   .loss = GLNN_SVM_SQUARED_HINGE,
                                   .lambda = 0.01f,
                                   .capacity = 32});
}

static glnn_learner *classifier(glnn_lvq_kind of)
{
    return lvq_of(&(glnn_lvq_desc){.kind = of,
                                   .features = FEATURES,
                                   .classes = CLASSES,
                                   .prototypes = 2,
                                   .sigma = 2,
                                   .scale = 1,
                                   .capacity = 32,
                                   .seed = 2});
}

#define CLASSIFIER(kind)                                                                           \
    static glnn_learner *make_##kind(void)                                                         \
    {                                                                                              \
        return classifier(GLNN_LVQ_##kind);                                                        \
    }

CLASSIFIER(GLVQ)
CLASSIFIER(GRLVQ)
CLASSIFIER(GMLVQ)
CLASSIFIER(RSLVQ)
CLASSIFIER(LVQ1)
CLASSIFIER(OLVQ1)
CLASSIFIER(LVQ21)
CLASSIFIER(LVQ3)

static const struct {
    const char *name, *tensor; /* whose change is looked at                  */
    glnn_learner *(*make)(void);
    bool is_mean;  /* the change by a batch is the mean of its samples', not the sum        */
    bool is_joint; /* a sample changes the rate of the next one, or their pushes are limited */
    int classes;
} learners[] = {
    {"dense", "0.weight", dense_network, true, false, CLASSES},
    {"wide", "0.weight", wide_network, true, false, 200},
    {"convolution", "0.weight", image_network, true, false, CLASSES},
    {"svm", "weight", machine, true, false, CLASSES},
    {"glvq", "prototypes", make_GLVQ, false, false, CLASSES},
    {"grlvq", "prototypes", make_GRLVQ, false, false, CLASSES},
    {"gmlvq", "prototypes", make_GMLVQ, false, false, CLASSES},
    {"rslvq", "prototypes", make_RSLVQ, false, false, CLASSES},
    {"lvq1", "prototypes", make_LVQ1, false, false, CLASSES},
    {"olvq1", "prototypes", make_OLVQ1, false, true, CLASSES},
    {"lvq2.1", "prototypes", make_LVQ21, false, true, CLASSES},
    {"lvq3", "prototypes", make_LVQ3, false, true, CLASSES},
};

static samples samples_to_learn(int classes)
{
    random_seed(4);
    return samples_random(SAMPLES, FEATURES, classes, true);
}

/* Networks have their first parameters already. */
static void start_from(glnn_learner *learner, const glnn_dataset *data)
{
    if (glnn_learner_get_kind(learner) == GLNN_LEARNER_LVQ)
        expect_ok(glnn_learner_initialise(learner, data));
}

static glnn_dataset *data_for(samples of, bool streams)
{
    return dataset_within(of, streams ? budget_of(64) : 0);
}

static void all_learners_record_their_losses(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT_OF(learners); ++l)
        for (int turn = 0; turn < 4; ++turn) {
            /* Without all cases, learners take the pairs of ways and of streams in turn. */
            if (!all_cases_are_run() && (turn % 2 + turn / 2 + (int)l) % 2 != 0)
                continue;
            const samples all = samples_to_learn(learners[l].classes);
            glnn_learner *learner = learners[l].make();
            const glnn_train_desc desc = {.epochs = 2,
                                          .batch = 20,
                                          .schedule.rate = 1e-30f,
                                          .emphasis = 1,
                                          .emphasis_kind = ways[turn % 2]};
            glnn_dataset *data = data_for(all, turn / 2);
            assert_int_equal(glnn_dataset_is_streamed(data), turn / 2);
            start_from(learner, data);
            expect_recent_losses(learner, data, all, &desc, learners[l].name);
            release_learning();
        }
}

/* Resident or not, the same samples are presented. */
static void a_stream_is_presented_as_a_resident_data_set(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT_OF(learners); ++l)
        for (size_t way = 0; way < COUNT_OF(ways); ++way) {
            const samples all = samples_to_learn(learners[l].classes);
            const glnn_train_desc desc = {.epochs = 4,
                                          .batch = 16,
                                          .validation_split = 0.25f,
                                          .seed = 5,
                                          .emphasis = 1,
                                          .emphasis_kind = ways[way]};
            array ends[2];
            for (int streams = 0; streams < 2; ++streams) {
                glnn_learner *learner = learners[l].make();
                start_from(learner, dataset_of(all));
                expect_ok(glnn_learner_train(learner, data_for(all, streams), &desc, NULL));
                ends[streams] = tensor_values(learner, learners[l].tensor);
            }
            expect_equal_arrays(ends[0], ends[1], learners[l].name);
            release_learning();
        }
}

static array train_once(size_t l, samples of, const array *from, const glnn_train_desc *desc,
                        const array *recent, array *factors)
{
    glnn_learner *learner = learners[l].make();
    const glnn_dataset *data = dataset_of(of);
    start_from(learner, data);
    if (from)
        expect_ok(write_tensor(learner, learners[l].tensor, floats_of(*from)));
    glnn_trainer *trainer = trainer_of(learner, data, desc);
    if (recent)
        expect_ok(glnn_matrix_upload(glnn_test_context(), trainer->training.emphasis.recent, NULL,
                                     floats_of(*recent), 0));
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    if (factors)
        *factors = values_of(trainer->training.emphasis.factors);
    expect_ok(glnn_trainer_end_epoch(trainer));
    glnn_trainer_destroy(trainer);
    return tensor_values(learner, learners[l].tensor);
}

/* The change by a batch is the sum of the changes by its samples alone, each times its factor. */
static void a_sample_changes_parameters_as_much_as_its_weight_says(void **state)
{
    enum { COUNT = 24 };
    (void)state;
    for (size_t l = 0; l < COUNT_OF(learners); ++l) {
        const samples all = samples_part(samples_to_learn(learners[l].classes), 0, COUNT);
        const glnn_train_desc alone = {.epochs = 1, .batch = COUNT, .schedule.rate = 0.01f};
        const glnn_train_desc weighed = {.epochs = 1,
                                         .batch = COUNT,
                                         .schedule.rate = 0.01f,
                                         .keep_order = true,
                                         .emphasis = 1,
                                         .emphasis_kind = GLNN_EMPHASIS_WEIGHT};
        array recent = array_new(1, 1024), factors;
        for (int i = 0; i < 1024; ++i)
            recent.data[i] = i < COUNT ? i % 5 : -1;
        glnn_learner *start = learners[l].make();
        start_from(start, dataset_of(all));
        const array from = tensor_values(start, learners[l].tensor);
        const array end = train_once(l, all, &from, &weighed, &recent, &factors);
        array want = array_new(from.rows, from.columns);
        double most = 0;
        for (int i = 0; i < COUNT; ++i) {
            const array one = train_once(l, samples_part(all, i, 1), &from, &alone, NULL, NULL);
            for (size_t e = 0; e < length_of(from); ++e)
                want.data[e] += factors.data[i] * (one.data[e] - from.data[e]) /
                                (learners[l].is_mean ? COUNT : 1);
        }
        assert_true(factors.data[0] < 0.6 && factors.data[4] > 1.2);
        for (size_t e = 0; e < length_of(from); ++e)
            most = fmax(most, fabs(want.data[e]));
        assert_true(most > 1e-4);
        for (size_t e = 0; e < length_of(from) && !learners[l].is_joint; ++e)
            if (fabs(end.data[e] - from.data[e] - want.data[e]) > 0.01 * most)
                fail_msg("%s: number %zu changes by %g instead of %g", learners[l].name, e,
                         end.data[e] - from.data[e], want.data[e]);
        release_learning();
    }
}

/* There may be other passes for a step of one sample. */
static void steps_of_one_sample_record_losses_and_weigh_moves_too(void **state)
{
    enum { COUNT = 12 };
    (void)state;
    for (size_t l = 0; l < COUNT_OF(learners); ++l) {
        const samples all = samples_part(samples_to_learn(learners[l].classes), 0, COUNT);
        glnn_train_desc desc = {.epochs = 1,
                                .batch = 1,
                                .schedule.rate = 1e-30f,
                                .emphasis = 1,
                                .emphasis_kind = GLNN_EMPHASIS_WEIGHT};
        array ends[2], recent = array_new(1, 1024);
        glnn_learner *learner = learners[l].make();
        start_from(learner, dataset_of(all));
        expect_recent_losses(learner, dataset_of(all), all, &desc, learners[l].name);
        desc.schedule.rate = 0.01f;
        for (int turn = 0; turn < 2; ++turn) {
            for (int i = 0; i < 1024; ++i)
                recent.data[i] = i >= COUNT ? -1 : turn * (i % 3);
            ends[turn] = train_once(l, all, NULL, &desc, &recent, NULL);
        }
        bool differs = false;
        for (size_t e = 0; e < length_of(ends[0]); ++e)
            differs = differs || ends[0].data[e] != ends[1].data[e];
        assert_true(differs);
        release_learning();
    }
}

static void the_first_epoch_by_weight_has_the_bits_of_one_without_emphasis(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT_OF(learners); ++l) {
        const samples all = samples_to_learn(learners[l].classes);
        array ends[2];
        for (int turn = 0; turn < 2; ++turn) {
            const glnn_train_desc desc = {.epochs = 1,
                                          .batch = 16,
                                          .seed = 3,
                                          .emphasis = (float)(turn > 0),
                                          .emphasis_kind = (glnn_emphasis_kind)(turn > 0)};
            glnn_learner *learner = learners[l].make();
            expect_ok(glnn_learner_train(learner, dataset_of(all), &desc, NULL));
            ends[turn] = tensor_values(learner, learners[l].tensor);
        }
        expect_equal_arrays(ends[0], ends[1], learners[l].name);
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

static double hard_loss(float emphasis, glnn_emphasis_kind how)
{
    glnn_learner *network = network_of(
        &(glnn_network_desc){.features = 2,
                             .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .seed = 3});
    const glnn_train_desc desc = {.epochs = 25,
                                  .batch = 50,
                                  .schedule.rate = 0.01f,
                                  .emphasis = emphasis,
                                  .emphasis_kind = how};
    glnn_metrics metrics;
    expect_ok(glnn_learner_train(network, dataset_of(with_hard_samples(false)), &desc, NULL));
    expect_ok(glnn_learner_evaluate(network, dataset_of(with_hard_samples(true)), &metrics, NULL));
    return metrics.loss;
}

static void emphasis_lowers_the_loss_of_hard_samples(void **state)
{
    (void)state;
    const double without = hard_loss(0, 0);
    for (size_t way = 0; way < COUNT_OF(ways); ++way) {
        const double with = hard_loss(1, ways[way]);
        if (with > 0.6 * without)
            fail_msg("the loss of hard samples is %g with emphasis by %s and %g without", with,
                     glnn_emphasis_kind_name(ways[way]), without);
    }
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
    const glnn_train_desc no_exponent = {.emphasis_kind = GLNN_EMPHASIS_WEIGHT};
    expect_error(glnn_learner_train(network, data, &no_exponent, NULL), GLNN_E_ARG,
                 "an emphasis by weight, but emphasis is 0");
    glnn_learner *kmeans, *gmm;
    expect_ok(glnn_kmeans_create(glnn_test_context(),
                                 &(glnn_kmeans_desc){.features = FEATURES, .centres = 2}, &kmeans));
    expect_error(
        glnn_learner_train(kmeans, data, &(glnn_train_desc){.emphasis = 1}, NULL),
        GLNN_E_UNSUPPORTED,
        "glnn_learner_train: an emphasis of 1, but a k-means is not trained with emphasis");
    glnn_learner_destroy(kmeans);
    expect_ok(glnn_gmm_create(glnn_test_context(),
                              &(glnn_gmm_desc){.features = FEATURES, .components = 2}, &gmm));
    expect_error(glnn_learner_train(gmm, data, &(glnn_train_desc){.emphasis = 1}, NULL),
                 GLNN_E_UNSUPPORTED, "is not trained with emphasis: each sample counts once");
    glnn_learner_destroy(gmm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(an_epoch_records_the_loss_of_each_sample),
        LEARNING_TEST(all_learners_record_their_losses),
        LEARNING_TEST(a_stream_is_presented_as_a_resident_data_set),
        LEARNING_TEST(a_sample_changes_parameters_as_much_as_its_weight_says),
        LEARNING_TEST(steps_of_one_sample_record_losses_and_weigh_moves_too),
        LEARNING_TEST(the_first_epoch_by_weight_has_the_bits_of_one_without_emphasis),
        LEARNING_TEST(the_same_seed_trains_the_same_bits),
        LEARNING_TEST(a_split_keeps_its_samples_apart),
        LEARNING_TEST(steady_epochs_make_and_read_nothing),
        LEARNING_TEST(emphasis_lowers_the_loss_of_hard_samples),
        LEARNING_TEST(emphasis_is_refused_where_it_cannot_be),
    };
    return cmocka_run_group_tests_name("emphasis_training", tests, learner_files_setup,
                                       learner_files_teardown);
}
