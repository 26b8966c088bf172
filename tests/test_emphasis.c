/* Presentation of samples by their recent losses. */
#include "support/streams.h"

#include "data/emphasis.h"
#include "data/list.h"
#include "gl/gl.h"
#include "train/training.h"

#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/trainer.h>

/* ---- Drawing an order */

/* An order and its emphasis, for samples of which the first `count` of the order are trained on. */
typedef struct drawing {
    glnn__order order;
    glnn__emphasis emphasis;
    float *places; /* of the order, after a draw */
} drawing;

static drawing drawing_new(int all, int count, float exponent, uint64_t seed)
{
    drawing d;
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn__order_create(all, seed, &d.order));
    if (count < all)
        glnn__order_shuffle(&d.order, all);
    expect_ok(glnn__order_upload(ctx, &d.order));
    expect_ok(glnn__emphasis_create(ctx, exponent, seed, &d.order, count, &d.emphasis));
    d.places = floats_new((size_t)all);
    return d;
}

static void drawing_free(drawing *d)
{
    glnn__emphasis_destroy(&d->emphasis);
    glnn__order_destroy(&d->order);
}

static void draw(drawing *d, int epoch)
{
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn__gl_enter(ctx));
    const glnn_status status = glnn__emphasis_draw(ctx, &d->emphasis, epoch, d->order.matrix);
    expect_ok(glnn__gl_leave(ctx, status));
    expect_ok(glnn_matrix_download(ctx, d->order.matrix, NULL, d->places, 0));
}

/* The number of presentations of each sample in the latest draw. */
static int *counts_of(const drawing *d)
{
    int *counts = calloc((size_t)d->order.samples, sizeof *counts);
    assert_non_null(counts);
    for (int i = 0; i < d->emphasis.count; ++i) {
        const int drawn = (int)d->places[i];
        assert_true((float)drawn == d->places[i] && drawn >= 0 && drawn < d->order.samples);
        counts[drawn]++;
    }
    return counts;
}

static void expect_each_once(const drawing *d)
{
    int *counts = counts_of(d);
    for (int i = 0; i < d->emphasis.count; ++i)
        if (counts[d->order.entries[i]] != 1)
            fail_msg("%d of %d: sample %d is drawn %d times", d->emphasis.count, d->order.samples,
                     d->order.entries[i], counts[d->order.entries[i]]);
    for (int i = d->emphasis.count; i < d->order.samples; ++i)
        assert_true((int)d->places[i] == d->order.entries[i]);
    free(counts);
}

static void samples_of_equal_losses_are_drawn_once_each(void **state)
{
    (void)state;
    static const struct {
        int samples, count;
    } sizes[] = {{1, 1},       {2, 1},       {3, 3},        {63, 63},     {64, 64},
                 {65, 65},     {100, 77},    {1024, 1024},  {1025, 1023}, {4096, 4096},
                 {4097, 4097}, {9001, 6301}, {40000, 39000}};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        drawing d = drawing_new(sizes[i].samples, sizes[i].count, 1.5f, 3 + i);
        for (int epoch = 0; epoch < 3; ++epoch) {
            draw(&d, epoch);
            expect_each_once(&d);
        }
        drawing_free(&d);
    }
}

/* Recent losses of all samples: -1 for those that are not trained on. */
static void set_losses(const drawing *d, const double *losses)
{
    const glnn_matrix *recent = d->emphasis.recent;
    const size_t places = (size_t)recent->rows * GLNN__LIST_COLUMNS;
    float *numbers = floats_new(places);
    for (size_t i = 0; i < places; ++i)
        numbers[i] = -1;
    for (int i = 0; i < d->emphasis.count; ++i)
        numbers[d->order.entries[i]] = (float)losses[d->order.entries[i]];
    expect_ok(glnn_matrix_upload(glnn_test_context(), d->emphasis.recent, NULL, numbers, 0));
}

/* The expected presentations of each sample in an epoch, in double precision. */
static double *expected_counts(const drawing *d, const double *losses)
{
    const int count = d->emphasis.count;
    double *want = calloc((size_t)d->order.samples, sizeof *want), sum = 0, all = 0;
    assert_non_null(want);
    for (int i = 0; i < count; ++i)
        sum += pow(losses[d->order.entries[i]] + 0x1p-20, (double)d->emphasis.exponent);
    for (int i = 0; i < count; ++i) {
        const int of = d->order.entries[i];
        const double power = pow(losses[of] + 0x1p-20, (double)d->emphasis.exponent);
        want[of] = 1 + round(power * count / sum * 1024) / 1024;
        all += want[of];
    }
    for (int i = 0; i < d->order.samples; ++i)
        want[i] *= count / all;
    return want;
}

/* Systematic sampling rounds up or down. The quotients of weights are rounded to 2^-10, and sums of
 * weights have an error of at most 64 2^-24 for each level of the tree. */
static void expect_rounded(const int *counts, const double *want, int all)
{
    for (int i = 0; i < all; ++i)
        if (fabs(counts[i] - want[i]) >= 1 + 0x1p-10 * (1 + want[i]))
            fail_msg("sample %d of %d: drawn %d times instead of %g", i, all, counts[i], want[i]);
}

/* The mean over E epochs of a count that is rounded up or down: its standard deviation is at most
 * 1 / 2 sqrt(E). Exceeding six of them has a probability of 2e-9 for a sample. */
static void expect_means(const double *sums, const double *want, int all, int epochs)
{
    for (int i = 0; i < all; ++i)
        if (fabs(sums[i] / epochs - want[i]) > 3 / sqrt(epochs) + 0x1p-10 * (1 + want[i]))
            fail_msg("sample %d of %d: drawn %g times on average instead of %g", i, all,
                     sums[i] / epochs, want[i]);
}

static void check_distribution(int all, int count, float exponent, const double *losses)
{
    enum { EPOCHS = 60 };
    drawing d = drawing_new(all, count, exponent, 11);
    double *sums = calloc((size_t)all, sizeof *sums);
    set_losses(&d, losses);
    double *want = expected_counts(&d, losses);
    for (int epoch = 0; epoch < EPOCHS; ++epoch) {
        draw(&d, epoch);
        int *counts = counts_of(&d);
        expect_rounded(counts, want, all);
        for (int i = 0; i < all; ++i)
            sums[i] += counts[i];
        free(counts);
    }
    expect_means(sums, want, all, EPOCHS);
    free(sums);
    free(want);
    drawing_free(&d);
}

/* Losses from 1e-6 to 10, and one of 1e4. */
static void samples_are_drawn_as_often_as_their_losses_say(void **state)
{
    (void)state;
    static const int sizes[][2] = {{7, 7}, {130, 101}, {2500, 2500}, {5000, 4001}};
    static const float exponents[] = {0.25f, 1, 2, 4};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        const array random = array_random(sizes[i][0], 1, -6, 1);
        for (int j = 0; j < sizes[i][0]; ++j)
            random.data[j] = (double)(float)pow(10, random.data[j]);
        random.data[5] = 1e4;
        for (size_t e = 0; e < COUNT_OF(exponents); ++e)
            check_distribution(sizes[i][0], sizes[i][1], exponents[e], random.data);
    }
}

/* The places of each tenth of the samples in the order, 20 epochs: chi squared with 81 degrees of
 * freedom exceeds 150 for one seed in 100 000. */
static void the_order_of_presentations_is_random(void **state)
{
    enum { SIZE = 1000, PARTS = 10, EPOCHS = 20 };
    (void)state;
    double counts[PARTS][PARTS] = {{0}}, chi_squared = 0;
    drawing d = drawing_new(SIZE, SIZE, 1, 5);
    for (int epoch = 0; epoch < EPOCHS; ++epoch) {
        draw(&d, epoch);
        for (int place = 0; place < SIZE; ++place)
            counts[place * PARTS / SIZE][(int)d.places[place] * PARTS / SIZE]++;
    }
    const double mean = (double)SIZE * EPOCHS / (PARTS * PARTS);
    for (int i = 0; i < PARTS; ++i)
        for (int j = 0; j < PARTS; ++j)
            chi_squared += (counts[i][j] - mean) * (counts[i][j] - mean) / mean;
    if (chi_squared > 150)
        fail_msg("chi squared is %g", chi_squared);
    drawing_free(&d);
}

static void an_order_follows_its_seed_and_its_epoch(void **state)
{
    enum { SIZE = 300 };
    (void)state;
    drawing a = drawing_new(SIZE, SIZE, 1, 5), b = drawing_new(SIZE, SIZE, 1, 5);
    drawing c = drawing_new(SIZE, SIZE, 1, 6);
    draw(&a, 0);
    draw(&a, 4);
    draw(&b, 4);
    draw(&c, 4);
    assert_memory_equal(a.places, b.places, SIZE * sizeof(float));
    assert_memory_not_equal(a.places, c.places, SIZE * sizeof(float));
    draw(&b, 5);
    assert_memory_not_equal(a.places, b.places, SIZE * sizeof(float));
    drawing_free(&a);
    drawing_free(&b);
    drawing_free(&c);
}

/* ---- Recent losses */

/* Sample 5 is presented more than 64 times, always with the same loss. */
static void losses_of_an_epoch_become_recent_ones(void **state)
{
    enum { SIZE = 1500, COUNT = 1300, HARD = 5 };
    (void)state;
    drawing d = drawing_new(SIZE, COUNT, 1, 8);
    double losses[SIZE], sums[SIZE] = {0};
    for (int i = 0; i < SIZE; ++i)
        losses[i] = i == d.order.entries[HARD] ? 300 : (double)(i % 7) / 2;
    set_losses(&d, losses);
    draw(&d, 2);
    int *counts = counts_of(&d);
    assert_true(counts[d.order.entries[HARD]] > 64);
    float *presented = floats_new((size_t)d.emphasis.presented->rows * GLNN__LIST_COLUMNS);
    for (int i = 0; i < COUNT; ++i) {
        const int drawn = (int)d.places[i];
        presented[i] = drawn == d.order.entries[HARD] ? 17 : i % 100 == 3 ? -1 : (float)i;
        sums[drawn] += fmax((double)presented[i], 0);
    }
    expect_ok(glnn_matrix_upload(glnn_test_context(), d.emphasis.presented, NULL, presented, 0));
    expect_ok(glnn__emphasis_end(glnn_test_context(), &d.emphasis, 2));
    const array recent = values_of(d.emphasis.recent);
    for (int i = 0; i < COUNT; ++i) {
        const int of = d.order.entries[i];
        const double want = counts[of] ? sums[of] / counts[of] : losses[of];
        if (fabs(recent.data[of] - want) > 8 * EPS * want)
            fail_msg("sample %d has the loss %g instead of %g", of, recent.data[of], want);
    }
    for (int i = COUNT; i < SIZE; ++i)
        assert_true(recent.data[d.order.entries[i]] == -1);
    free(counts);
    drawing_free(&d);
}

/* ---- Training */

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

static glnn_network *network_for(const kind *of, glnn_layout layout)
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

static glnn_trainer *trainer_of(glnn_network *network, const glnn_dataset *data,
                                const glnn_train_desc *desc)
{
    glnn_trainer *trainer;
    expect_ok(glnn_network_trainer_create(network, data, desc, &trainer));
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
            glnn_network *network = network_for(&kinds[k], layout);
            const glnn_train_desc desc = {.epochs = 2,
                                          .batch = 20,
                                          .accumulate = kinds[k].accumulate,
                                          .schedule.rate = 1e-30f,
                                          .emphasis = 1};
            glnn_trainer *trainer = trainer_of(network, dataset_of(all), &desc);
            expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
            expect_ok(glnn_trainer_end_epoch(trainer));
            const array recent = values_of(trainer->emphasis.recent);
            glnn_trainer_destroy(trainer);
            for (int i = 0; i < COUNT; i += 9) {
                glnn_metrics metrics;
                expect_ok(glnn_network_evaluate(network, dataset_of(samples_part(all, i, 1)),
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
        glnn_network *networks[2];
        for (int i = 0; i < 2; ++i) {
            networks[i] = network_for(&kinds[k], GLNN_LAYOUT_AUTO);
            expect_ok(glnn_network_train(networks[i], data, &desc, NULL));
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
        const array order = values_of(trainer->samples.order.matrix);
        const int *entries = trainer->samples.order.entries;
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
        expect_ok(glnn_network_train(network_for(&kinds[k], GLNN_LAYOUT_AUTO),
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
    glnn_network *network = network_of(
        &(glnn_network_desc){.features = 2,
                             .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .seed = 3});
    const glnn_train_desc desc = {
        .epochs = 25, .batch = 50, .schedule.rate = 0.01f, .emphasis = emphasis};
    glnn_metrics metrics;
    expect_ok(glnn_network_train(network, dataset_of(with_hard_samples(false)), &desc, NULL));
    expect_ok(glnn_network_evaluate(network, dataset_of(with_hard_samples(true)), &metrics, NULL));
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
    glnn_network *network = new_network(true, 32);
    const glnn_dataset *data = dataset_of(of);
    expect_error(glnn_network_train(network, data, &(glnn_train_desc){.emphasis = -1}, NULL),
                 GLNN_E_ARG, "glnn_network_train: an emphasis of -1; it has to be in [0, 4]");
    expect_error(glnn_network_train(network, data, &(glnn_train_desc){.emphasis = NAN}, NULL),
                 GLNN_E_ARG, "an emphasis of nan");
    expect_error(glnn_network_train(network, data, &(glnn_train_desc){.emphasis = 4.5f}, NULL),
                 GLNN_E_ARG, "an emphasis of 4.5; it has to be in [0, 4]");
    const glnn_train_desc kept = {.emphasis = 1, .keep_order = true};
    expect_error(glnn_network_train(network, data, &kept, NULL), GLNN_E_ARG,
                 "an emphasis of 1 and keep_order exclude each other");
    glnn_network *compares =
        network_of(&(glnn_network_desc){.features = FEATURES,
                                        .layers = {{.units = CLASSES}},
                                        .optimizer = {.kind = GLNN_OPTIMIZER_RPROP}});
    const glnn_train_desc full = {.batch = GLNN_FULL_BATCH, .emphasis = 1};
    expect_error(glnn_network_train(compares, data, &full, NULL), GLNN_E_ARG,
                 "an emphasis of 1 and rprop exclude each other");
    glnn_dataset *stream = streamed(of, budget_of(64));
    const glnn_train_desc plain = {.batch = 32, .emphasis = 1};
    expect_error(glnn_network_train(network, stream, &plain, NULL), GLNN_E_UNSUPPORTED,
                 "the data set streams; emphasis needs a resident one");
    glnn_dataset_destroy(stream);
    glnn_lvq *lvq;
    const glnn_lvq_desc desc = {.features = FEATURES, .classes = CLASSES};
    expect_ok(glnn_lvq_create(glnn_test_context(), &desc, &lvq));
    expect_error(glnn_lvq_train(lvq, data, &(glnn_train_desc){.emphasis = 1}, NULL),
                 GLNN_E_UNSUPPORTED,
                 "glnn_lvq_train: an emphasis of 1, but only networks are trained with emphasis");
    glnn_lvq_destroy(lvq);
    glnn_kmeans *kmeans;
    expect_ok(glnn_kmeans_create(glnn_test_context(),
                                 &(glnn_kmeans_desc){.features = FEATURES, .centres = 2}, &kmeans));
    expect_error(glnn_kmeans_train(kmeans, data, &(glnn_train_desc){.emphasis = 1}, NULL),
                 GLNN_E_UNSUPPORTED, "only networks are trained with emphasis");
    glnn_kmeans_destroy(kmeans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_of_equal_losses_are_drawn_once_each),
        TEST(samples_are_drawn_as_often_as_their_losses_say),
        TEST(the_order_of_presentations_is_random),
        TEST(an_order_follows_its_seed_and_its_epoch),
        TEST(losses_of_an_epoch_become_recent_ones),
        LEARNING_TEST(an_epoch_records_the_loss_of_each_sample),
        LEARNING_TEST(the_same_seed_trains_the_same_bits),
        LEARNING_TEST(a_split_keeps_its_samples_apart),
        LEARNING_TEST(steady_epochs_make_and_read_nothing),
        LEARNING_TEST(emphasis_lowers_the_loss_of_hard_samples),
        LEARNING_TEST(emphasis_is_refused_where_it_cannot_be),
    };
    return cmocka_run_group_tests_name("emphasis", tests, streams_setup, streams_teardown);
}
