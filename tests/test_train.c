/* The training loop: rates, early stopping, the best weights, reports. */
#include "support/learning.h"

#include <glnn/gmm.h>

#include <limits.h>

static void expect_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps, int epoch,
                        double want)
{
    const float got = glnn_schedule_get_rate(schedule, step, steps, epoch);
    if (!(fabs((double)got - want) <= 2 * EPS * want))
        fail_at(__FILE__, __LINE__, "schedule %d, step %d of %d, epoch %d: %.9g, expected %.9g",
                (int)schedule->kind, (int)step, (int)steps, epoch, (double)got, want);
}

static void rates_follow_their_formulas(void **state)
{
    (void)state;
    const double r = (double)0.5f, q = (double)0.01f, pi = acos(-1.0);
    const glnn_schedule constant = {.kind = GLNN_SCHEDULE_CONSTANT,
                                    .rate = 0.5f,
                                    .final_rate = 0.01f,
                                    .factor = 0.3f,
                                    .every = 2};
    const glnn_schedule steps = {
        .kind = GLNN_SCHEDULE_STEP, .rate = 0.5f, .factor = 0.3f, .every = 4};
    const glnn_schedule default_steps = {.kind = GLNN_SCHEDULE_STEP, .rate = 0.5f};
    const glnn_schedule exponential = {
        .kind = GLNN_SCHEDULE_EXPONENTIAL, .rate = 0.5f, .final_rate = 0.01f};
    const glnn_schedule default_exponential = {.kind = GLNN_SCHEDULE_EXPONENTIAL, .rate = 0.5f};
    const glnn_schedule linear = {.kind = GLNN_SCHEDULE_LINEAR, .rate = 0.5f, .final_rate = 0.01f};
    const glnn_schedule to_zero = {.kind = GLNN_SCHEDULE_LINEAR, .rate = 0.5f};
    const glnn_schedule cosine = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.5f, .final_rate = 0.01f};
    const glnn_schedule inverse = {
        .kind = GLNN_SCHEDULE_INVERSE, .rate = 0.5f, .final_rate = 0.01f};
    const glnn_schedule default_inverse = {.kind = GLNN_SCHEDULE_INVERSE, .rate = 0.5f};
    for (uint64_t t = 0; t < 60; t += 7) {
        const int e = (int)t / 3;
        const double part = (double)t / 60;
        expect_rate(&constant, t, 60, e, r);
        expect_rate(&steps, t, 60, e, r * pow((double)0.3f, e / 4));
        expect_rate(&default_steps, t, 60, e, r * pow(0.1, e / 10));
        expect_rate(&exponential, t, 60, e, r * pow(q / r, part));
        expect_rate(&default_exponential, t, 60, e, r * pow(0.01, part));
        expect_rate(&linear, t, 60, e, r + (q - r) * part);
        expect_rate(&to_zero, t, 60, e, r - r * part);
        expect_rate(&cosine, t, 60, e, q + (r - q) * (1 + cos(pi * part)) / 2);
        expect_rate(&inverse, t, 60, e, r / (1 + (r / q - 1) * part));
        expect_rate(&default_inverse, t, 60, e, r / (1 + 99 * part));
    }
    expect_rate(&(glnn_schedule){.kind = GLNN_SCHEDULE_STEP, .rate = 0.5f, .factor = 2, .every = 1},
                0, 1, 3, 4);
    assert_true(glnn_schedule_get_rate(NULL, 0, 1, 0) == 0);
}

/* Validation samples say the opposite of the training samples, so that validation gets worse with
 * every epoch. */
static const glnn_dataset *opposite_of(samples all)
{
    samples other = all;
    other.labels = array_copy(all.labels);
    for (int i = 0; i < other.labels.rows; ++i)
        other.labels.data[i] = 1 - other.labels.data[i];
    return dataset_of(other);
}

static samples separable_samples(int count)
{
    samples made = samples_random(count, 2, 2, true);
    for (int i = 0; i < count; ++i)
        made.labels.data[i] = *at(made.inputs, i, 0) > *at(made.inputs, i, 1);
    return made;
}

static const glnn_network_desc small_net = {
    .features = 2,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH}, {.units = 2}},
    .seed = 4};

/* The weights after an epoch, and how many reports came. */
typedef struct weights_copy {
    glnn_learner *network;
    int epoch_wanted, stop_after_epochs, stop_after_batches;
    int epochs, batches, best_epoch;
    array weights[2];
} weights_copy;

static bool copy_weights(void *user, const glnn_report *report)
{
    weights_copy *k = user;
    if (report->event == GLNN_EVENT_BATCH)
        return ++k->batches != k->stop_after_batches;
    k->epochs++;
    if (report->best)
        k->best_epoch = report->epoch;
    if (report->epoch == k->epoch_wanted || (k->epoch_wanted == 0 && report->best))
        for (int l = 0; l < 2; ++l)
            k->weights[l] = weights_of(k->network, l);
    return k->epochs != k->stop_after_epochs;
}

static void expect_copied_weights(const weights_copy *k)
{
    for (int l = 0; l < 2; ++l)
        expect_same_bits(k->weights[l], weights_of(k->network, l), "layer %d", l);
}

static void training_stops_when_validation_gets_no_better(void **state)
{
    (void)state;
    const samples all = separable_samples(64);
    for (int restore_best = 0; restore_best < 2; ++restore_best) {
        weights_copy k = {.network = network_of(&small_net), .epoch_wanted = restore_best ? 1 : 4};
        const glnn_train_desc train = {.epochs = 50,
                                       .batch = 8,
                                       .schedule.rate = 0.2f,
                                       .validation = opposite_of(all),
                                       .patience = 3,
                                       .restore_best = restore_best == 1,
                                       .report = copy_weights,
                                       .user = &k};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(k.network, dataset_of(all), &train, &result));
        assert_true(result.stopped);
        assert_int_equal(result.epochs, 4);
        assert_int_equal(k.epochs, 4);
        assert_int_equal(result.best_epoch, 1);
        assert_int_equal(result.steps, 4 * 8);
        expect_copied_weights(&k);
    }
}

static void without_patience_training_goes_to_its_end(void **state)
{
    (void)state;
    const samples all = separable_samples(64);
    const glnn_train_desc train = {
        .epochs = 9, .batch = 8, .schedule.rate = 0.2f, .validation = opposite_of(all)};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_false(result.stopped);
    assert_int_equal(result.epochs, 9);
}

/* ---- Growing batches */

static void batches_follow_their_formula(void **state)
{
    (void)state;
    const glnn_batch_schedule doubled = {.factor = 2, .every = 3}, usual = {.factor = 1.5f},
                              limited = {.factor = 2, .every = 1, .most = 100};
    for (int e = 0; e < 25; ++e) {
        assert_int_equal(glnn_batch_schedule_get_batch(&doubled, 5, e), 5 << e / 3);
        assert_int_equal(glnn_batch_schedule_get_batch(&usual, 5, e), (int)(5 * pow(1.5, e / 10)));
        assert_int_equal(glnn_batch_schedule_get_batch(&limited, 7, e), e > 3 ? 100 : 7 << e);
    }
    assert_int_equal(glnn_batch_schedule_get_batch(&limited, 128, 9), 128);
    assert_int_equal(glnn_batch_schedule_get_batch(&(glnn_batch_schedule){0}, 7, 9), 7);
    assert_int_equal(glnn_batch_schedule_get_batch(NULL, 7, 9), 7);
    assert_int_equal(glnn_batch_schedule_get_batch(&doubled, 8, 3000), INT_MAX);
}

/* Numbers of the reports of epochs. */
typedef struct progress {
    int epochs, batches[8];
    uint64_t steps[8];
    float rates[8];
} progress;

static bool note_progress(void *user, const glnn_report *report)
{
    progress *to = user;
    if (report->event != GLNN_EVENT_EPOCH)
        return true;
    assert_int_equal(report->batch, report->batches);
    to->batches[to->epochs] = report->batches;
    to->steps[to->epochs] = report->step;
    to->rates[to->epochs++] = report->rate;
    return true;
}

/* 64 samples in batches of 6, 12, 24, 48 and 50, two of them a step: 6, 3, 2, 1 and 1 steps. */
static void a_growing_batch_makes_fewer_steps(void **state)
{
    static const int batches[] = {11, 6, 3, 2, 2}, steps[] = {6, 9, 11, 12, 13};
    (void)state;
    progress made = {0};
    const glnn_train_desc train = {.epochs = 5,
                                   .batch = 6,
                                   .accumulate = 2,
                                   .batch_schedule = {.factor = 2, .every = 1, .most = 50},
                                   .schedule = {.kind = GLNN_SCHEDULE_LINEAR, .rate = 0.5f},
                                   .report = note_progress,
                                   .user = &made};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(separable_samples(64)), &train,
                                 NULL));
    for (int e = 0; e < 5; ++e) {
        assert_int_equal(made.batches[e], batches[e]);
        assert_int_equal(made.steps[e], steps[e]);
        const double rate = 0.5 * (1 - (steps[e] - 1) / 13.0);
        assert_true(fabs((double)made.rates[e] - rate) < 1e-6);
    }
}

static void a_growing_batch_gives_the_bits_of_trainings_with_its_batches(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(separable_samples(64));
    glnn_network_desc desc = small_net;
    desc.capacity = 16; /* the last batch has two parts */
    glnn_learner *grown = network_of(&desc), *others = network_of(&desc);
    glnn_train_desc train = {
        .epochs = 3, .batch = 6, .keep_order = true, .batch_schedule = {.factor = 2, .every = 1}};
    expect_ok(glnn_learner_train(grown, data, &train, NULL));
    train.batch_schedule = (glnn_batch_schedule){0};
    train.epochs = 1;
    for (int e = 0; e < 3; ++e, train.batch *= 2)
        expect_ok(glnn_learner_train(others, data, &train, NULL));
    expect_same_networks(grown, others, "three trainings");
}

static void a_batch_that_cannot_grow_is_refused(void **state)
{
    (void)state;
    glnn_learner *network = network_of(&small_net);
    const glnn_dataset *data = dataset_of(separable_samples(64));
    glnn_train_desc train = {.batch_schedule.factor = 0.5f};
    expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_ARG,
                 "batch_schedule.factor is 0.5; it has to be a finite number above 1, or 0");
    train.batch_schedule = (glnn_batch_schedule){.every = 3};
    expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_ARG,
                 "changes every 3 epochs, but batch_schedule.factor is 0, so that it stays");
    train = (glnn_train_desc){.batch = GLNN_FULL_BATCH, .batch_schedule.factor = 2};
    expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_ARG,
                 "batch_schedule.factor is 2, but this network takes all samples in each step");
    train = (glnn_train_desc){.batch = 8, .batch_schedule = {.factor = 2, .most = 4}};
    expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_ARG,
                 "the batch is 8 and grows to batch_schedule.most, 4, which has to be at least");
}

/* ---- Ends */

static glnn_train_result train_until(float desired, int epochs, bool validates)
{
    const samples all = separable_samples(64);
    const glnn_train_desc train = {.epochs = epochs,
                                   .batch = 8,
                                   .schedule.rate = 0.2f,
                                   .validation = validates ? opposite_of(all) : NULL,
                                   .desired_loss = desired};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    return result;
}

static void training_stops_after_the_first_epoch_with_the_desired_loss(void **state)
{
    (void)state;
    const float desired = 2 * (float)train_until(0, 50, false).training.loss;
    const glnn_train_result reached = train_until(desired, 50, false);
    assert_true(reached.stopped);
    assert_in_range(reached.epochs, 2, 49);
    assert_true(reached.training.loss <= (double)desired);
    assert_true(train_until(0, reached.epochs - 1, false).training.loss > (double)desired);
    /* The loss of validation counts, which grows here. */
    assert_false(train_until(desired, 50, true).stopped);
}

static void training_stops_after_the_first_epoch_with_the_desired_error(void **state)
{
    (void)state;
    const samples all = separable_samples(64);
    glnn_train_desc train = {
        .epochs = 50, .batch = 8, .schedule.rate = 0.05f, .desired_error = 0.1f};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_true(result.stopped);
    assert_in_range(result.epochs, 2, 49);
    assert_true(result.training.accuracy >= 1 - 0.1);
    train.epochs = result.epochs - 1;
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_false(result.stopped);
    assert_true(result.training.accuracy < 1 - 0.1);
    /* The error of validation counts, which grows here. */
    train.epochs = 20;
    train.validation = opposite_of(all);
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_int_equal(result.epochs, 20);
}

static void a_desired_error_needs_classes(void **state)
{
    (void)state;
    const samples numbers = samples_random(20, 2, 2, false);
    glnn_network_desc desc = small_net;
    desc.loss = GLNN_LOSS_SQUARED;
    const glnn_train_desc train = {.desired_error = 0.1f};
    expect_error(glnn_learner_train(network_of(&desc), dataset_of(numbers), &train, NULL),
                 GLNN_E_ARG, "an error of 0.1 is desired, but the network learns no classes");
    glnn_learner *gmm;
    expect_ok(glnn_gmm_create(
        glnn_test_context(), &(glnn_gmm_desc){.features = 2, .components = 1, .classes = 2}, &gmm));
    learning_own_learner(gmm);
    expect_error(glnn_learner_train(gmm, dataset_of(separable_samples(20)), &train, NULL),
                 GLNN_E_ARG, "a mixture classifies no training samples");
}

static void a_small_improvement_does_not_count_where_more_is_asked_for(void **state)
{
    (void)state;
    const samples all = separable_samples(64);
    const glnn_train_desc train = {.epochs = 50,
                                   .batch = 8,
                                   .schedule.rate = 0.01f,
                                   .validation = dataset_of(all),
                                   .patience = 2,
                                   .min_improvement = 10};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_true(result.stopped);
    assert_int_equal(result.epochs, 3);
    assert_int_equal(result.best_epoch, 1);
}

/* The rate rises until it is far too high. */
static void the_best_weights_are_back_at_the_end(void **state)
{
    (void)state;
    for (int validates = 0; validates < 2; ++validates) {
        const samples all = samples_random(64, 2, 2, true);
        weights_copy k = {.network = network_of(&small_net)};
        const glnn_dataset *data = dataset_of(all);
        const glnn_dataset *validation = dataset_of(separable_samples(40));
        const glnn_train_desc train = {.epochs = 12,
                                       .batch = 8,
                                       .schedule = {GLNN_SCHEDULE_LINEAR, 0.1f, 30, 0, 0, {0}},
                                       .validation = validates ? validation : NULL,
                                       .restore_best = true,
                                       .report = copy_weights,
                                       .user = &k};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(k.network, data, &train, &result));
        assert_int_equal(result.epochs, 12);
        assert_int_equal(result.best_epoch, k.best_epoch);
        assert_true(k.best_epoch < 12);
        expect_copied_weights(&k);
    }
}

static void the_callback_ends_training_after_an_epoch(void **state)
{
    (void)state;
    weights_copy k = {.network = network_of(&small_net), .epoch_wanted = 2, .stop_after_epochs = 2};
    const glnn_train_desc train = {.epochs = 20, .batch = 8, .report = copy_weights, .user = &k};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(k.network, dataset_of(separable_samples(64)), &train, &result));
    assert_true(result.stopped);
    assert_int_equal(result.epochs, 2);
    assert_int_equal(result.steps, 16);
    expect_copied_weights(&k);
}

static void the_callback_ends_training_within_an_epoch(void **state)
{
    (void)state;
    weights_copy k = {.network = network_of(&small_net), .epoch_wanted = 1};
    glnn_train_desc train = {.epochs = 1,
                             .batch = 4,
                             .report_every = 1,
                             .restore_best = true,
                             .report = copy_weights,
                             .user = &k};
    const glnn_dataset *data = dataset_of(separable_samples(800));
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(k.network, data, &train, &result));
    assert_false(result.stopped);
    assert_true(k.batches >= 3); /* of 200 batches, the CPU is 64 ahead at most */
    k = (weights_copy){
        .network = network_of(&small_net), .epoch_wanted = 1, .stop_after_batches = 1};
    train.epochs = 4;
    expect_ok(glnn_learner_train(k.network, data, &train, &result));
    assert_true(result.stopped);
    assert_int_equal(result.epochs, 0);
    assert_int_equal(result.best_epoch, 0);
    assert_true(result.steps >= 1 && result.steps <= 65 + 1);
    assert_int_equal(glnn_network_get_steps(k.network), result.steps);
    assert_true(result.training.loss > 0);
    assert_int_equal(k.epochs, 0);
}

static bool stop_in_second_epoch(void *user, const glnn_report *report)
{
    weights_copy *k = user;
    if (report->event == GLNN_EVENT_EPOCH)
        return copy_weights(user, report);
    k->batches++;
    return report->epoch < 2;
}

static void weights_of_a_broken_off_epoch_give_way_to_the_best(void **state)
{
    (void)state;
    weights_copy k = {.network = network_of(&small_net), .epoch_wanted = 1};
    const glnn_train_desc train = {.epochs = 4,
                                   .batch = 4,
                                   .report_every = 1,
                                   .restore_best = true,
                                   .report = stop_in_second_epoch,
                                   .user = &k};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(k.network, dataset_of(separable_samples(800)), &train, &result));
    assert_true(result.stopped);
    assert_int_equal(result.epochs, 1);
    assert_true(result.steps > 200);
    expect_copied_weights(&k);
}

typedef struct reader {
    int epochs, last_epoch, last_batch, batch_reports;
    bool validates;
    double last_seconds, last_loss;
    glnn_schedule schedule;
} reader;

static bool read_report(void *user, const glnn_report *report)
{
    reader *r = user;
    assert_int_equal(report->epochs, 3);
    assert_int_equal(report->batches, 125);
    assert_true(isfinite(report->training.loss) && report->training.loss > 0);
    assert_true(report->training.accuracy >= 0 && report->training.accuracy <= 1);
    assert_true(report->samples_per_second > 0);
    assert_true(report->seconds >= r->last_seconds);
    r->last_seconds = report->seconds;
    if (report->epoch != r->last_epoch)
        r->last_batch = 0;
    assert_true(report->epoch == r->last_epoch || report->epoch == r->last_epoch + 1);
    r->last_epoch = report->epoch;
    assert_true(report->batch > r->last_batch && report->batch <= 125);
    r->last_batch = report->batch;
    if (report->event == GLNN_EVENT_BATCH) {
        assert_int_equal(report->batch % 5, 0);
        assert_true(report->batch < 125);
        assert_true(!report->has_validation && !report->best);
        r->batch_reports++;
        return true;
    }
    r->last_loss = report->training.loss;
    assert_int_equal(report->epoch, ++r->epochs);
    assert_int_equal(report->batch, 125);
    assert_int_equal(report->has_validation, r->validates);
    assert_true((report->validation.loss > 0) == r->validates);
    assert_true((report->validation.accuracy > 0) == r->validates);
    const uint64_t last = (uint64_t)report->epoch * 125 - 1;
    assert_true(report->rate == glnn_schedule_get_rate(&r->schedule, last, 375, report->epoch - 1));
    return true;
}

/* Trains three epochs and checks their reports; returns how many of them were of batches. */
static int train_with_reports(bool validates)
{
    const samples all = separable_samples(997);
    reader r = {.validates = validates,
                .schedule = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.1f, .final_rate = 0.01f}};
    const glnn_train_desc train = {.epochs = 3,
                                   .batch = 8,
                                   .schedule = r.schedule,
                                   .validation = validates ? dataset_of(all) : NULL,
                                   .report = read_report,
                                   .user = &r,
                                   .report_every = 5};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network_of(&small_net), dataset_of(all), &train, &result));
    assert_int_equal(r.epochs, 3);
    assert_true(result.training.loss == r.last_loss);
    assert_int_equal(result.steps, 375);
    assert_true(result.seconds >= result.train_seconds && result.train_seconds > 0);
    assert_true((result.validation.loss > 0) == validates);
    return r.batch_reports;
}

/* The last member came after the first version. */
static void results_have_the_size_of_an_older_header_too(void **state)
{
    (void)state;
    enum { OLDER = offsetof(glnn_train_result, resumed_former) };
    const glnn_dataset *data = dataset_of(samples_random(8, 2, 2, true));
    glnn_train_result result = {.size = OLDER, .resumed_former = true};
    expect_ok(glnn_learner_train(network_of(&small_net), data, NULL, &result));
    assert_true(result.size == OLDER && result.steps == 10 && result.resumed_former);
    result.size = OLDER - 1;
    expect_error(glnn_learner_train(network_of(&small_net), data, NULL, &result), GLNN_E_ARG,
                 "glnn_train_result.size is ");
}

static void reports_are_in_order_and_complete(void **state)
{
    (void)state;
    /* At least one in each of three epochs: the metrics of batch 5 are awaited at batch 70. */
    for (int validates = 0; validates < 2; ++validates)
        assert_true(train_with_reports(validates == 1) >= 3);
}

static void xor_is_learnt(void **state)
{
    (void)state;
    static const float inputs[] = {0, 0, 0, 1, 1, 0, 1, 1}, targets[] = {0, 1, 1, 0};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const glnn_network_desc desc = {
            .features = 2,
            .layers = {{.units = 4, .activation = GLNN_ACTIVATION_TANH},
                       {.units = 1, .activation = GLNN_ACTIVATION_SIGMOID}},
            .loss = GLNN_LOSS_SQUARED,
            .optimizer.momentum = 0.9f,
            .layout = layout,
            .seed = 1};
        glnn_learner *network = network_of(&desc);
        const samples all = {.inputs = array_new(4, 2), .targets = array_new(4, 1), .outputs = 1};
        for (int i = 0; i < 8; ++i)
            all.inputs.data[i] = (double)inputs[i];
        for (int i = 0; i < 4; ++i)
            all.targets.data[i] = (double)targets[i];
        const glnn_train_desc train = {.epochs = 400, .batch = GLNN_FULL_BATCH, .schedule.rate = 1};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(network, dataset_of(all), &train, &result));
        float outputs[4];
        expect_ok(glnn_learner_predict(network, 4, inputs, outputs, NULL));
        for (int i = 0; i < 4; ++i)
            if (!(fabsf(outputs[i] - targets[i]) < 0.2f))
                fail_at(__FILE__, __LINE__, "%s: sample %d gives %g after %d epochs, loss %g",
                        glnn_layout_name(layout), i, (double)outputs[i], result.epochs,
                        result.training.loss);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(rates_follow_their_formulas),
        LEARNING_TEST(training_stops_when_validation_gets_no_better),
        LEARNING_TEST(without_patience_training_goes_to_its_end),
        LEARNING_TEST(training_stops_after_the_first_epoch_with_the_desired_loss),
        LEARNING_TEST(a_small_improvement_does_not_count_where_more_is_asked_for),
        LEARNING_TEST(the_best_weights_are_back_at_the_end),
        LEARNING_TEST(the_callback_ends_training_after_an_epoch),
        LEARNING_TEST(the_callback_ends_training_within_an_epoch),
        LEARNING_TEST(weights_of_a_broken_off_epoch_give_way_to_the_best),
        LEARNING_TEST(results_have_the_size_of_an_older_header_too),
        LEARNING_TEST(reports_are_in_order_and_complete),
        LEARNING_TEST(xor_is_learnt),
        LEARNING_TEST(training_stops_after_the_first_epoch_with_the_desired_error),
        LEARNING_TEST(a_desired_error_needs_classes),
        LEARNING_TEST(batches_follow_their_formula),
        LEARNING_TEST(a_growing_batch_makes_fewer_steps),
        LEARNING_TEST(a_growing_batch_gives_the_bits_of_trainings_with_its_batches),
        LEARNING_TEST(a_batch_that_cannot_grow_is_refused),
    };
    return cmocka_run_group_tests_name("train", tests, test_group_setup, test_group_teardown);
}
