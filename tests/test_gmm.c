/* Mixtures of Gaussians against the reference in double precision: densities, iterations and the
 * classifier, with every kind of covariance in every layout. */
#include "support/clusters.h"
#include "support/reference.h"

#include "mixtures/covariance.h"

typedef struct shape {
    int samples, features, clusters, components, classes;
} shape;

static const shape shapes[] = {
    {3, 1, 1, 1, 0}, {40, 3, 3, 3, 0}, {33, 8, 2, 2, 0}, {90, 5, 4, 2, 2}, {130, 9, 6, 2, 3},
};

/* With a shrinkage of its own for each kind of covariance. */
static glnn_learner *gmm_in(const shape *of, glnn_covariance covariance, glnn_layout layout,
                            int capacity)
{
    static const float shrinkages[GLNN_COVARIANCE_COUNT] = {
        [GLNN_COVARIANCE_FULL] = 0.5f, [GLNN_COVARIANCE_DIAGONAL] = 3};
    return gmm_of(&(glnn_gmm_desc){.features = of->features,
                                   .components = of->components,
                                   .classes = of->classes,
                                   .covariance = covariance,
                                   .shrinkage = of->samples % 2 ? -1 : shrinkages[covariance],
                                   .tolerance = -1,
                                   .layout = layout,
                                   .capacity = capacity,
                                   .seed = 2});
}

static samples draw(const shape *of)
{
    return samples_clustered(of->samples, of->features, of->clusters, 1.0, of->classes);
}

/* Any weights and means, and covariances A A' + I. */
static void set_random(glnn_learner *gmm)
{
    const glnn_gmm_desc *desc = glnn_gmm_get_desc(gmm);
    const int n = desc->features, count = tensor_rows(gmm, "weights");
    const int size = covariance_size(gmm);
    array covariances = array_random(count, size, 0.5, 2.0);
    for (int j = 0; desc->covariance == GLNN_COVARIANCE_FULL && j < count; ++j) {
        const array a = array_random(n, n, -1.0, 1.0);
        for (int f = 0; f < n; ++f)
            for (int g = 0; g < n; ++g) {
                *at(covariances, j, f * n + g) = f == g;
                for (int k = 0; k < n; ++k)
                    *at(covariances, j, f * n + g) += *at(a, f, k) * *at(a, g, k);
            }
    }
    expect_ok(gmm_write(gmm, floats_of(array_random(count, 1, 0.1, 1.0)),
                        floats_of(array_random(count, n, -4.0, 4.0)), floats_of(covariances)));
}

/* Differences of logarithms and their exponentials are off by what the densities are, and by what
 * exp and log are (glnn/map.h). */
static void check_predictions(glnn_learner *gmm, array inputs)
{
    const gmm_reference reference = gmm_reference_of(gmm);
    const expected densities = gmm_reference_densities(&reference, inputs);
    const int count = reference.count;
    float *log_densities = floats_new((size_t)inputs.rows);
    float *shares = floats_new((size_t)inputs.rows * (size_t)count);
    expect_ok(
        glnn_gmm_compute_densities(gmm, inputs.rows, floats_of(inputs), log_densities, shares));
    for (int i = 0; i < inputs.rows; ++i) {
        const double want = log_sum(densities.value, i, 0, count);
        double bound = 0;
        for (int j = 0; j < count; ++j)
            bound = fmax(bound, *at(densities.bound, i, j));
        bound += 128 * EPS * (1 + fabs(want));
        if (!(fabs((double)log_densities[i] - want) <= bound))
            fail_at(__FILE__, __LINE__, "log density %d: %.9g, reference %.9g, bound %g", i,
                    (double)log_densities[i], want, bound);
        for (int j = 0; j < count; ++j) {
            const double share = exp(*at(densities.value, i, j) - want);
            const double got = (double)shares[(size_t)i * (size_t)count + (size_t)j];
            if (!(fabs(got - share) <= 2 * bound * share + EPS))
                fail_at(__FILE__, __LINE__, "responsibility %d, %d: %.9g, reference %.9g", i, j,
                        got, share);
        }
    }
}

static void densities_agree_with_the_reference_in_every_layout(void **state)
{
    (void)state;
    random_seed(41);
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                if (case_is_left_out((int)i + c + (int)layout))
                    continue;
                glnn_learner *gmm = gmm_in(&shapes[i], (glnn_covariance)c, layout, 16);
                set_random(gmm);
                check_predictions(gmm, array_random(21, shapes[i].features, -5.0, 5.0));
                release_learning();
            }
}

static void expect_near(array got, array want, double scale, const char *what, int step)
{
    for (size_t i = 0; i < length_of(got); ++i)
        if (!(fabs(got.data[i] - want.data[i]) <= scale * 2e-6 * (1 + fabs(want.data[i]))))
            fail_at(__FILE__, __LINE__, "step %d, %s %zu: %.9g, reference %.9g", step, what, i,
                    got.data[i], want.data[i]);
}

/* Each iteration starts from the library's own parameters. The squares of numbers up to 5 are
 * summed, which is what variances are differences of. */
static void check_iterations(const shape *of, glnn_covariance covariance, glnn_layout layout,
                             int capacity)
{
    const samples all = draw(of);
    const glnn_dataset *data = dataset_of(all);
    glnn_learner *gmm = gmm_in(of, covariance, layout, capacity);
    for (int t = 0; t < 3; ++t) {
        const glnn_train_desc training = {.epochs = 1};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(gmm, data, &training, &result));
        gmm_reference reference = gmm_reference_of(gmm);
        const double want = gmm_reference_iterate(&reference, all);
        expect_ok(glnn_learner_train(gmm, data, &training, &result));
        const gmm_reference got = gmm_reference_of(gmm);
        if (!(fabs(result.training.loss + want) <= 1e-5 * (1 + fabs(want))))
            fail_at(__FILE__, __LINE__, "step %d: log-likelihood %.9g, reference %.9g", t,
                    -result.training.loss, want);
        expect_near(got.weights, reference.weights, 1, "weight", t);
        expect_near(got.means, reference.means, 4, "mean", t);
        expect_near(got.covariances, reference.covariances, 16, "covariance", t);
    }
    release_learning();
}

static void iterations_agree_with_the_reference_in_every_layout(void **state)
{
    (void)state;
    random_seed(42);
    for (size_t i = 1; i < COUNT_OF(shapes); ++i)
        for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
                if (!case_is_left_out((int)i + c + (int)layout))
                    check_iterations(&shapes[i], (glnn_covariance)c, layout, 0);
}

static void more_samples_than_the_capacity_make_the_same_iteration(void **state)
{
    (void)state;
    random_seed(43);
    for (size_t i = 1; i < COUNT_OF(shapes); ++i)
        for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c)
            check_iterations(&shapes[i], (glnn_covariance)c, rendered_layout(i), 16);
}

/* Of 200 samples one component gets 2e-3, which is enough to move it. */
static void a_component_of_weight_1e_5_takes_part(void **state)
{
    (void)state;
    random_seed(47);
    const shape of = {200, 3, 2, 2, 0};
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        const samples all = draw(&of);
        glnn_learner *gmm = gmm_in(&of, (glnn_covariance)c, GLNN_LAYOUT_TILED, 0);
        array covariances = array_new(2, covariance_size(gmm));
        for (int j = 0; j < 2; ++j)
            for (int e = 0; e < covariances.columns; ++e)
                *at(covariances, j, e) = c != GLNN_COVARIANCE_FULL || e % 4 == 0 ? 9 : 0;
        const array means = array_random(2, 3, -0.5, 0.5);
        expect_ok(
            gmm_write(gmm, (float[]){1 - 1e-5f, 1e-5f}, floats_of(means), floats_of(covariances)));
        check_predictions(gmm, all.inputs);
        gmm_reference reference = gmm_reference_of(gmm);
        gmm_reference_iterate(&reference, all);
        expect_ok(glnn_learner_train(gmm, dataset_of(all), &(glnn_train_desc){.epochs = 1}, NULL));
        const gmm_reference got = gmm_reference_of(gmm);
        const double weight = got.weights.data[1] / reference.weights.data[1];
        assert_true(reference.weights.data[1] < 2e-5 && fabs(weight - 1) < 1e-4);
        expect_near(got.means, reference.means, 4, "mean", c);
        expect_near(got.covariances, reference.covariances, 16, "covariance", c);
        release_learning();
    }
}

/* The first iteration is one of the mixture that k-means makes: its sizes, its centres, and its
 * error shared out among the features as every variance. */
static void the_first_covariances_are_what_k_means_leaves(void **state)
{
    (void)state;
    random_seed(48);
    const shape of = {150, 3, 4, 3, 0};
    const samples all = draw(&of);
    const glnn_dataset *data = dataset_of(all);
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = of.features, .centres = 3, .seed = 2});
    glnn_train_result clustered = {.size = sizeof clustered};
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 20}, &clustered));
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_learner *gmm = gmm_in(&of, (glnn_covariance)c, GLNN_LAYOUT_TILED, 0);
        expect_ok(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 1}, NULL));
        const gmm_reference got = gmm_reference_of(gmm);
        gmm_reference reference = got;
        reference.weights = array_new(3, 1);
        reference.means = centres_of(kmeans);
        reference.covariances = array_new(3, got.covariances.columns);
        for (int j = 0; j < 3; ++j) {
            reference.weights.data[j] = sizes_of(kmeans).data[j] / of.samples;
            for (int e = 0; e < got.covariances.columns; ++e)
                if (c != GLNN_COVARIANCE_FULL || e % 4 == 0)
                    *at(reference.covariances, j, e) = clustered.training.loss / of.features;
        }
        gmm_reference_iterate(&reference, all);
        expect_near(got.weights, reference.weights, 2, "weight", c);
        expect_near(got.means, reference.means, 8, "mean", c);
        expect_near(got.covariances, reference.covariances, 32, "covariance", c);
    }
}

static void expect_no_fall(const glnn_gmm_desc *desc, samples all, double rounding,
                           const char *what)
{
    loss_curve c = {.epochs = 0};
    const glnn_train_desc training = {.epochs = 30, .report = record_losses, .user = &c};
    expect_ok(glnn_learner_train(gmm_of(desc), dataset_of(all), &training, NULL));
    for (int e = 1; e < c.epochs; ++e)
        if (c.losses[e] > c.losses[e - 1] + rounding * (1 + fabs(c.losses[e])))
            fail_at(__FILE__, __LINE__, "%s, %s: log-likelihood %.9g after %.9g in epoch %d", what,
                    glnn_covariance_name(desc->covariance), -c.losses[e], -c.losses[e - 1], e);
    assert_int_equal(c.epochs, 30);
}

/* The floor must not cost anything either: features that are constant or depend on others, samples
 * that occur many times, and more components than there are different samples. There, a variance is
 * 1e-4 of the squares that diagonal covariances have summed. */
static void the_log_likelihood_never_falls(void **state)
{
    (void)state;
    random_seed(44);
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        const glnn_gmm_desc desc = {.features = 6,
                                    .components = 5,
                                    .covariance = (glnn_covariance)c,
                                    .shrinkage = -1,
                                    .tolerance = -1,
                                    .capacity = 64};
        samples all = samples_clustered(200, 6, 4, 1.5, 0);
        expect_no_fall(&desc, all, 1e-5, "plain");
        for (int i = 0; i < 200; ++i) {
            *at(all.inputs, i, 1) = 3;
            *at(all.inputs, i, 4) = *at(all.inputs, i, 0);
        }
        /* Along the difference of the equal features the inverse factor of a full covariance is
         * some 10^2, and the products that cancel there are rounded by 10^2 2^-24 each. */
        expect_no_fall(&desc, all, c == GLNN_COVARIANCE_FULL ? 1e-4 : 1e-5,
                       "constant and equal features");
        for (int i = 0; i < 200; ++i)
            for (int f = 0; f < 6; ++f)
                *at(all.inputs, i, f) = *at(all.inputs, i % 4, f);
        expect_no_fall(&desc, all, c == GLNN_COVARIANCE_FULL ? 1e-5 : 1e-3,
                       "four different samples");
        release_learning();
    }
}

/* Two broad clouds of a class on either side of one of another. */
static samples draw_classes(int count)
{
    samples made = {
        .inputs = array_random(count, 2, -1.0, 1.0), .labels = array_new(count, 1), .outputs = 2};
    for (int i = 0; i < count; ++i) {
        *at(made.inputs, i, 0) += i % 3 * 3;
        made.labels.data[i] = i % 3 == 1;
        for (int f = 0; f < 2; ++f)
            *at(made.inputs, i, f) = (double)(float)*at(made.inputs, i, f);
    }
    return made;
}

static void mixtures_of_classes_classify_by_the_greatest_posterior(void **state)
{
    (void)state;
    random_seed(45);
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        const samples all = draw_classes(300);
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2,
                                                    .components = 2,
                                                    .classes = 2,
                                                    .covariance = (glnn_covariance)c,
                                                    .capacity = 64});
        const glnn_dataset *data = dataset_of(all);
        glnn_metrics metrics;
        int classes[300];
        int64_t confusion[4];
        float posteriors[600];
        expect_ok(glnn_learner_train(gmm, data, NULL, NULL));
        expect_ok(glnn_learner_evaluate(gmm, data, &metrics, confusion));
        expect_ok(glnn_learner_predict(gmm, 300, floats_of(all.inputs), posteriors, classes));
        assert_true(metrics.accuracy > 0.98);
        int right = 0;
        for (int i = 0; i < 300; ++i) {
            right += classes[i] == (int)all.labels.data[i];
            assert_true(fabsf(posteriors[2 * i] + posteriors[2 * i + 1] - 1) < 1e-5f);
            assert_true(posteriors[2 * i + classes[i]] >= 0.5f - 1e-5f);
        }
        assert_int_equal(confusion[0] + confusion[3], right);
        assert_true(fabs(right / 300.0 - metrics.accuracy) < 1e-6);
        release_learning();
    }
}

/* Every class has the components of every other. */
static void of_identical_classes_the_lowest_is_named(void **state)
{
    (void)state;
    random_seed(49);
    const shape of = {30, 3, 3, 2, 3};
    const float part[] = {0, 1, 2, -1, 0, 1};
    float means[18], weights[6], posteriors[90];
    int classes[30];
    int64_t confusion[9];
    glnn_metrics metrics;
    for (int i = 0; i < 18; ++i)
        means[i] = part[i % 6];
    for (int j = 0; j < 6; ++j)
        weights[j] = j % 2 ? 0.25f : 0.125f;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const samples all = draw(&of);
        glnn_learner *gmm = gmm_in(&of, GLNN_COVARIANCE_SPHERICAL, layout, 0);
        expect_ok(gmm_write(gmm, weights, means, (float[]){2, 3, 2, 3, 2, 3}));
        expect_ok(glnn_learner_predict(gmm, 30, floats_of(all.inputs), posteriors, classes));
        expect_ok(glnn_learner_evaluate(gmm, dataset_of(all), &metrics, confusion));
        for (int i = 0; i < 30; ++i)
            assert_int_equal(classes[i], 0);
        for (int i = 0; i < 90; ++i)
            assert_true(fabsf(posteriors[i] - 1.0f / 3) < 1e-6f);
        assert_true(fabs(metrics.accuracy - 1.0 / 3) < 1e-6);
        assert_true(confusion[0] == 10 && confusion[3] == 10 && confusion[6] == 10);
        release_learning();
    }
}

static void a_mixture_finds_what_samples_were_drawn_from(void **state)
{
    (void)state;
    samples all = {.inputs = array_new(4000, 2)};
    const array normal = reference_normal(9, 0, 1, 4000, 2).value;
    for (int i = 0; i < 4000; ++i) {
        const double x = *at(normal, i, 0), y = *at(normal, i, 1);
        *at(all.inputs, i, 0) = (double)(float)(i % 4 ? 1 + x : -6 + 0.5 * x);
        *at(all.inputs, i, 1) = (double)(float)(i % 4 ? 2 + 0.8 * x + 0.6 * y : 3 * y);
    }
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2, .components = 2, .seed = 1});
    expect_ok(glnn_learner_train(gmm, dataset_of(all), NULL, NULL));
    const gmm_reference got = gmm_reference_of(gmm);
    const int a = got.weights.data[0] > 0.5 ? 0 : 1, b = 1 - a;
    assert_true(fabs(got.weights.data[a] - 0.75) < 0.02);
    assert_true(fabs(*at(got.means, a, 0) - 1) < 0.1 && fabs(*at(got.means, a, 1) - 2) < 0.1);
    assert_true(fabs(*at(got.means, b, 0) + 6) < 0.1 && fabs(*at(got.means, b, 1)) < 0.3);
    assert_true(fabs(*at(got.covariances, a, 1) - 0.8) < 0.1);
    assert_true(fabs(*at(got.covariances, b, 0) - 0.25) < 0.05);
}

static glnn_learner *train_seeded(glnn_covariance covariance, uint64_t seed)
{
    random_seed(46);
    const samples all = samples_clustered(300, 7, 9, 1.5, 0);
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){
        .features = 7, .components = 6, .covariance = covariance, .capacity = 64, .seed = seed});
    expect_ok(glnn_learner_train(gmm, dataset_of(all), &(glnn_train_desc){.epochs = 4}, NULL));
    return gmm;
}

static void equal_seeds_give_equal_bits(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        const gmm_reference first = gmm_reference_of(train_seeded((glnn_covariance)c, 1));
        const gmm_reference again = gmm_reference_of(train_seeded((glnn_covariance)c, 1));
        const gmm_reference other = gmm_reference_of(train_seeded((glnn_covariance)c, 2));
        expect_same_bits(first.weights, again.weights, "weights");
        expect_same_bits(first.means, again.means, "means");
        expect_same_bits(first.covariances, again.covariances, "covariances");
        assert_true(memcmp(first.means.data, other.means.data,
                           length_of(first.means) * sizeof(double)) != 0);
        release_learning();
    }
}

/* Eigenvalues 4, 1e-3 and 0 in a basis that is turned. */
static void eigenvalues_below_the_floor_are_raised_to_it_alone(void **state)
{
    (void)state;
    const double basis[3][3] = {{0.6, 0.8, 0}, {-0.64, 0.48, 0.6}, {0.48, -0.36, 0.8}};
    const double values[3] = {4, 1e-3, 0};
    double matrix[9] = {0}, scratch[30], lower[9], inverse[9];
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 9; ++i)
            matrix[i] += values[k] * basis[k][i / 3] * basis[k][i % 3];
    assert_int_equal(glnn__eigenvalue_scratch(3), 30);
    glnn__raise_eigenvalues(3, 0.01, matrix, scratch);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            double product = 0;
            for (int j = 0; j < 3; ++j)
                product += matrix[3 * i + j] * basis[k][j];
            assert_true(fabs(product - fmax(values[k], 0.01) * basis[k][i]) < 1e-12);
        }
    assert_true(glnn__cholesky(3, matrix, lower));
    glnn__invert_lower(3, lower, inverse);
    for (int i = 0; i < 9; ++i) {
        double product = 0;
        for (int k = 0; k < 3; ++k)
            product += lower[i / 3 * 3 + k] * inverse[3 * k + i % 3];
        assert_true(fabs(product - (i % 4 == 0)) < 1e-12);
    }
    assert_false(glnn__cholesky(2, (double[]){1, 0, 2, 1}, lower));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(densities_agree_with_the_reference_in_every_layout),
        LEARNING_TEST(iterations_agree_with_the_reference_in_every_layout),
        LEARNING_TEST(more_samples_than_the_capacity_make_the_same_iteration),
        LEARNING_TEST(a_component_of_weight_1e_5_takes_part),
        LEARNING_TEST(the_first_covariances_are_what_k_means_leaves),
        LEARNING_TEST(the_log_likelihood_never_falls),
        LEARNING_TEST(mixtures_of_classes_classify_by_the_greatest_posterior),
        LEARNING_TEST(of_identical_classes_the_lowest_is_named),
        LEARNING_TEST(a_mixture_finds_what_samples_were_drawn_from),
        LEARNING_TEST(equal_seeds_give_equal_bits),
        LEARNING_TEST(eigenvalues_below_the_floor_are_raised_to_it_alone),
    };
    return cmocka_run_group_tests_name("mixtures", tests, test_group_setup, test_group_teardown);
}
