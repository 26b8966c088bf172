/* Orders by emphasis: samples are drawn by their recent losses, or their losses have factors. */
#include "support/support.h"

#include "data/emphasis.h"
#include "data/sequence.h"
#include "gl/gl.h"

/* ---- Drawing an order */

/* An order and its emphasis, for samples of which the first `count` of the order are trained on. */
typedef struct drawing {
    glnn__order order;
    glnn__emphasis emphasis;
    float *places; /* of the order, after a draw */
} drawing;

static drawing emphasis_new(glnn_emphasis_kind kind, int all, int count, float exponent,
                            uint64_t seed)
{
    drawing d;
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn__order_create(all, seed, &d.order));
    if (count < all)
        glnn__order_shuffle(&d.order, all);
    expect_ok(glnn__order_upload(ctx, &d.order));
    expect_ok(glnn__emphasis_create(ctx, exponent, kind, seed, &d.order, count, &d.emphasis));
    d.places = floats_new((size_t)all);
    return d;
}

static drawing drawing_new(int all, int count, float exponent, uint64_t seed)
{
    return emphasis_new(GLNN_EMPHASIS_FREQUENCY, all, count, exponent, seed);
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
    const glnn_status status = glnn__emphasis_begin(ctx, &d->emphasis, epoch, &d->order);
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
    const size_t places = (size_t)recent->rows * GLNN__SEQUENCE_COLUMNS;
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

/* Losses from 1e-6 to 10, and one of 1e4. The ways share the exponents of a size. */
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
            if (!case_is_left_out((int)(i + e)))
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
    float *presented = floats_new((size_t)d.emphasis.presented->rows * GLNN__SEQUENCE_COLUMNS);
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

/* ---- Factors */

/* n p_i, for any order; recent losses go to the samples that were at their places. */
static void factors_follow_the_losses_of_the_samples_at_their_places(void **state)
{
    enum { SIZE = 1500, COUNT = 1300 };
    (void)state;
    drawing d = emphasis_new(GLNN_EMPHASIS_WEIGHT, SIZE, COUNT, 1.5f, 8);
    float *presented = floats_new((size_t)d.emphasis.presented->rows * GLNN__SEQUENCE_COLUMNS);
    double losses[SIZE], sum = 0, mean = 0;
    for (int i = 0; i < SIZE; ++i)
        losses[i] = (double)(i % 7) / 2;
    set_losses(&d, losses);
    glnn__order_shuffle(&d.order, COUNT);
    expect_ok(glnn__order_upload(glnn_test_context(), &d.order));
    draw(&d, 0);
    const array factors = values_of(d.emphasis.factors);
    for (int i = 0; i < COUNT; ++i)
        mean += pow(losses[d.order.entries[i]] + 0x1p-20, 1.5) / COUNT;
    for (int i = 0; i < COUNT; ++i) {
        const double want = (1 + pow(losses[d.order.entries[i]] + 0x1p-20, 1.5) / mean) / 2;
        assert_true((int)d.places[i] == d.order.entries[i]);
        assert_true(fabs(factors.data[i] - want) <= 0x1p-11);
        sum += factors.data[i];
        presented[i] = i % 100 == 3 ? -1 : (float)i;
    }
    assert_true(fabs(sum / COUNT - 1) <= 0x1p-11);
    expect_ok(glnn_matrix_upload(glnn_test_context(), d.emphasis.presented, NULL, presented, 0));
    expect_ok(glnn__emphasis_end(glnn_test_context(), &d.emphasis, 0));
    const array recent = values_of(d.emphasis.recent);
    for (int i = 0; i < SIZE; ++i)
        assert_true(recent.data[d.order.entries[i]] ==
                    (i >= COUNT ? -1 : fmax((double)presented[i], 0)));
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_of_equal_losses_are_drawn_once_each),
        TEST(samples_are_drawn_as_often_as_their_losses_say),
        TEST(the_order_of_presentations_is_random),
        TEST(an_order_follows_its_seed_and_its_epoch),
        TEST(losses_of_an_epoch_become_recent_ones),
        TEST(factors_follow_the_losses_of_the_samples_at_their_places),
    };
    return cmocka_run_group_tests_name("emphasis", tests, test_group_setup, test_group_teardown);
}
