/* Prototypes whose gradients a program asks for itself: that of the samples, and updates. */
#include "support/lvq_reference.h"

#include <glnn/train.h>
#include <glnn/trainer.h>

enum { CLASSES = 3, CAPACITY = 160 };

static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ,
                                      GLNN_LVQ_RSLVQ};

/* Samples and features: few samples have distances in place of scores, many have links in
 * segments, and an odd size leaves padding. */
static const struct {
    int count, features, prototypes;
} cases[] = {{1, 5, 1}, {3, 1, 2}, {7, 6, 2}, {150, 5, 3}, {20, 37, 2}};

/* A classifier with a metric that is not the one at the start, after 3 epochs in which xi has
 * grown. */
static glnn_learner *classifier(glnn_lvq_desc desc, float centre)
{
    desc.classes = CLASSES;
    desc.scale = 0.7f;
    desc.sigma = 0.8f;
    desc.xi = 2;
    desc.xi_growth = 0.25f;
    desc.metric_rate = 2;
    desc.capacity = CAPACITY;
    desc.rank = desc.kind == GLNN_LVQ_GMLVQ ? (desc.features + 1) / 2 : 0;
    glnn_learner *lvq = lvq_of(&desc);
    array prototypes = array_random(tensor_rows(lvq, "prototypes"), desc.features, -1.0, 1.0);
    for (size_t i = 0; i < length_of(prototypes); ++i)
        prototypes.data[i] = (double)((float)prototypes.data[i] + centre);
    expect_ok(lvq_write(lvq, floats_of(prototypes), NULL));
    if (desc.kind == GLNN_LVQ_GRLVQ)
        expect_ok(
            write_tensor(lvq, "relevances", floats_of(array_random(1, desc.features, 0.1, 1.0))));
    expect_ok(glnn_lvq_set_epochs(lvq, 3));
    return lvq;
}

static void copy_tensors(const glnn_learner *from, glnn_learner *to)
{
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(from); ++i) {
        expect_ok(glnn_learner_get_tensor_info(from, i, &info));
        float *values = floats_new(info.count);
        expect_ok(glnn_learner_get_tensor(from, info.name, info.count, values));
        expect_ok(glnn_learner_set_tensor(to, info.name, info.count, values));
    }
}

static glnn_learner *twin_of(const glnn_learner *lvq)
{
    glnn_learner *twin = lvq_of(glnn_lvq_get_desc(lvq));
    copy_tensors(lvq, twin);
    expect_ok(glnn_lvq_set_epochs(twin, glnn_lvq_get_epochs(lvq)));
    return twin;
}

static samples samples_of(int count, int features)
{
    return samples_random(count, features, CLASSES, true);
}

static array backward(glnn_learner *lvq, samples of, glnn_layout layout, glnn_layout to)
{
    glnn_matrix *gradient = matrix_of(array_new(of.inputs.rows, of.inputs.columns), to);
    expect_ok(glnn_lvq_backward(lvq, matrix_of(of.inputs, layout),
                                matrix_of(of.labels, rendered_layout(layout)), gradient));
    return values_of(gradient);
}

/* ---- Gradients of inputs */

/* Adds a (x - m) to a row, under the metric; `size` is what float32 rounds. A factor carries the
 * errors of distances, which are those of 2 norms for each of D features. */
static void add_difference(const lvq_reference *lvq, array inputs, int row, int prototype,
                           bounded a, expected *to)
{
    const double error = 8 * (inputs.columns + 8) * EPS * fabs(a.value) + a.bound;
    const array m = lvq->prototypes.value, omega = lvq->omega.value;
    for (int j = 0; j < inputs.columns; ++j)
        for (int k = 0; k < (omega.data ? inputs.columns : 1); ++k) {
            const int i = omega.data ? k : j;
            double map = omega.data ? 0 : *at(lvq->relevances.value, 0, j), size = map;
            for (int r = 0; omega.data && r < omega.rows; ++r) {
                map += *at(omega, r, j) * *at(omega, r, i);
                size += fabs(*at(omega, r, j) * *at(omega, r, i));
            }
            *at(to->value, row, j) += a.value * map * (*at(inputs, row, i) - *at(m, prototype, i));
            *at(to->bound, row, j) +=
                error * size * (fabs(*at(inputs, row, i)) + fabs(*at(m, prototype, i)));
        }
}

static void add_margin(const lvq_reference *lvq, samples of, int row, expected *to)
{
    int own = -1, other = -1;
    double least[2] = {INFINITY, INFINITY}, bound;
    for (int p = 0; p < lvq->classes.rows; ++p) {
        const bool is_own = lvq->classes.data[p] == of.labels.data[row];
        const double d = lvq_reference_distance(lvq, of.inputs, row, p, &bound);
        if (d < least[is_own]) {
            least[is_own] = d;
            *(is_own ? &own : &other) = p;
        }
    }
    const double xi = (double)lvq->desc.xi + (double)lvq->desc.xi_growth * lvq->epochs;
    const double sum = least[0] + least[1];
    const double l = 1 / (1 + exp(-xi * (least[1] - least[0]) / sum));
    const double slope = 4 * xi * l * (1 - l) / (of.inputs.rows * sum * sum);
    add_difference(lvq, of.inputs, row, own, (bounded){slope * least[0], 0}, to);
    add_difference(lvq, of.inputs, row, other, (bounded){-slope * least[1], 0}, to);
}

static void add_shares(const lvq_reference *lvq, samples of, int row, expected *to)
{
    const double sigma = (double)lvq->desc.sigma, scale = 1 / (of.inputs.rows * sigma * sigma);
    for (int p = 0; p < lvq->classes.rows; ++p) {
        const bounded share = lvq_reference_share(lvq, of.inputs, row, (int)of.labels.data[row], p);
        add_difference(lvq, of.inputs, row, p, (bounded){scale * share.value, scale * share.bound},
                       to);
    }
}

/* The derivative of the mean loss by the inputs, by the formula of the header. */
static expected input_gradient_of(const lvq_reference *lvq, samples of)
{
    expected gradient = expected_new(of.inputs.rows, of.inputs.columns);
    for (int row = 0; row < of.inputs.rows; ++row)
        (lvq->desc.kind == GLNN_LVQ_RSLVQ ? add_shares : add_margin)(lvq, of, row, &gradient);
    return gradient;
}

/* A difference over 2 h of a smooth loss is off by h^2 and by 1e-16 / h. */
static double slope_of_loss(const lvq_reference *lvq, samples of, size_t i)
{
    const double h = 1e-5, x = of.inputs.data[i];
    of.inputs.data[i] = x + h;
    const double above = lvq_reference_measure(lvq, of).loss;
    of.inputs.data[i] = x - h;
    const double below = lvq_reference_measure(lvq, of).loss;
    of.inputs.data[i] = x;
    return (above - below) / (2 * h);
}

static void expect_gradient(const lvq_reference *lvq, samples of, array got, const char *name)
{
    const expected want = input_gradient_of(lvq, of);
    for (size_t i = 0; i < length_of(got); ++i) {
        if (!(fabs(got.data[i] - want.value.data[i]) <= want.bound.data[i] + 1e-9))
            fail_at(__FILE__, __LINE__, "%s, %d samples, number %zu: %.9g, expected %.9g", name,
                    of.inputs.rows, i, got.data[i], want.value.data[i]);
        if (i % 7 == 0)
            assert_true(fabs(slope_of_loss(lvq, of, i) - want.value.data[i]) <= 1e-7);
    }
}

static void gradients_of_inputs_are_those_of_the_loss(void **state)
{
    (void)state;
    random_seed(3);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            for (size_t c = 0; c < COUNT_OF(cases); ++c) {
                if (case_is_left_out((int)(k + c) + (int)layout))
                    continue;
                glnn_learner *lvq = classifier((glnn_lvq_desc){.kind = kinds[k],
                                                               .features = cases[c].features,
                                                               .prototypes = cases[c].prototypes,
                                                               .layout = layout},
                                               0);
                const samples of = samples_of(cases[c].count, cases[c].features);
                const lvq_reference reference = lvq_reference_of(lvq);
                const array got =
                    backward(lvq, of, rendered_layout(layout + c + 1), rendered_layout(layout + k));
                expect_gradient(&reference, of, got, glnn_lvq_kind_name(kinds[k]));
                release_learning();
                release_all();
            }
}

/* Differences from an offset keep the digits that float32 has of the samples. */
static void samples_far_from_zero_keep_their_digits(void **state)
{
    (void)state;
    random_seed(5);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_lvq_desc desc = {.kind = kinds[k], .features = 5, .prototypes = 2};
        glnn_learner *lvq = classifier(desc, 4096);
        samples of = samples_of(7, 5);
        for (size_t i = 0; i < length_of(of.inputs); ++i)
            of.inputs.data[i] = (double)((float)of.inputs.data[i] + 4096);
        const lvq_reference reference = lvq_reference_of(lvq);
        const array got = backward(lvq, of, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_TILED);
        const expected want = input_gradient_of(&reference, of);
        for (size_t i = 0; i < length_of(got); ++i)
            assert_true(fabs(got.data[i] - want.value.data[i]) <= 1e-4);
        release_learning();
    }
}

/* ---- Updates */

/* Two classifiers have learnt the same, up to rounding. */
static void expect_near(const glnn_learner *left, const glnn_learner *right, const char *name)
{
    const array pairs[][2] = {{prototypes_of(left), prototypes_of(right)},
                              {relevances_of(left), relevances_of(right)}};
    for (size_t t = 0; t < COUNT_OF(pairs); ++t)
        for (size_t i = 0; i < length_of(pairs[t][0]); ++i)
            if (!(fabs(pairs[t][0].data[i] - pairs[t][1].data[i]) <= 4e-6))
                fail_at(__FILE__, __LINE__, "%s, tensor %zu, number %zu: %.9g and %.9g", name, t, i,
                        pairs[t][0].data[i], pairs[t][1].data[i]);
}

static void train(glnn_learner *lvq, samples of, float rate)
{
    const glnn_train_desc desc = {
        .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = rate, .keep_order = true};
    expect_ok(glnn_learner_train(lvq, dataset_of(of), &desc, NULL));
}

/* Also where many samples push a prototype, where the metric goes by a mean of samples, and with
 * low digits. A training also counts epochs. */
static void an_update_is_the_step_of_a_training(void **state)
{
    (void)state;
    static const int counts[] = {1, 7, 150};
    random_seed(7);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (size_t c = 0; c < COUNT_OF(counts); ++c)
            for (float rate = 0.02f; rate < 1; rate *= 20) {
                const glnn_lvq_desc desc = {.kind = kinds[k],
                                            .features = 5,
                                            .prototypes = 2,
                                            .layout = rendered_layout(k),
                                            .two_parts = c == 1};
                glnn_learner *own = classifier(desc, 0), *trained = twin_of(own);
                for (int step = 0; step < 2; ++step) {
                    const samples of = samples_of(counts[c], 5);
                    backward(own, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
                    expect_ok(glnn_lvq_update(own, rate));
                    train(trained, of, rate);
                    expect_near(own, trained, glnn_lvq_kind_name(kinds[k]));
                    expect_ok(glnn_lvq_set_epochs(trained, 3));
                }
                release_learning();
            }
}

static void gradients_add_up_until_an_update(void **state)
{
    (void)state;
    random_seed(9);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_lvq_desc desc = {.kind = kinds[k], .features = 5, .prototypes = 2};
        glnn_learner *parts = classifier(desc, 0), *whole = twin_of(parts);
        const samples of = samples_of(100, 5);
        backward(whole, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        backward(parts, samples_part(of, 0, 10), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        backward(parts, samples_part(of, 10, 70), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        backward(parts, samples_part(of, 80, 20), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        expect_ok(glnn_lvq_update(parts, 0.01f));
        expect_ok(glnn_lvq_update(whole, 0.01f));
        expect_near(parts, whole, glnn_lvq_kind_name(kinds[k]));
        release_learning();
    }
}

static void a_gradient_is_dropped_when_prototypes_are_set_or_trained(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_GRLVQ, .features = 5, .prototypes = 2};
    glnn_learner *used = classifier(desc, 0), *fresh = twin_of(used);
    const samples of = samples_of(7, 5);
    backward(used, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
    train(used, of, 0.01f);
    train(fresh, of, 0.01f);
    expect_same_classifiers(used, fresh, "after own passes");
    expect_error(glnn_lvq_update(used, 0.1f), GLNN_E_STATE, "there is no gradient");
    backward(used, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
    copy_tensors(fresh, used);
    expect_error(glnn_lvq_update(used, 0.1f), GLNN_E_STATE, "there is no gradient");
    backward(used, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
    expect_ok(glnn_learner_initialise(used, dataset_of(of)));
    expect_error(glnn_lvq_update(used, 0.1f), GLNN_E_STATE, "there is no gradient");
}

/* ---- Metrics, steady steps and errors */

static void metrics_are_those_of_an_evaluation(void **state)
{
    (void)state;
    random_seed(13);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_lvq_desc desc = {.kind = kinds[k], .features = 5, .prototypes = 2};
        glnn_learner *lvq = classifier(desc, 0);
        const samples of = samples_of(60, 5);
        glnn_metrics own, evaluated;
        train(lvq, of, 0.01f); /* leaves sums of its own */
        backward(lvq, samples_part(of, 0, 25), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        backward(lvq, samples_part(of, 25, 35), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        expect_ok(glnn_learner_evaluate(lvq, dataset_of(of), &evaluated, NULL));
        expect_ok(glnn_lvq_take_metrics(lvq, &own));
        assert_true(fabs(own.loss - evaluated.loss) <= 1e-6 * (1 + evaluated.loss));
        assert_true(own.accuracy == evaluated.accuracy);
        expect_error(glnn_lvq_take_metrics(lvq, &own), GLNN_E_STATE, "there are no samples");
        backward(lvq, samples_part(of, 0, 1), GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        expect_ok(glnn_lvq_take_metrics(lvq, &own));
        assert_true(own.accuracy == 0 || own.accuracy == 1);
        release_learning();
    }
}

static void steady_steps_make_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_lvq_desc desc = {.kind = kinds[k], .features = 5, .prototypes = 2};
        glnn_learner *lvq = classifier(desc, 0);
        const samples of = samples_of(20, 5);
        glnn_matrix *const inputs = matrix_of(of.inputs, GLNN_LAYOUT_TILED);
        glnn_matrix *const classes = matrix_of(of.labels, GLNN_LAYOUT_TILED);
        glnn_matrix *const back = matrix_of(of.inputs, GLNN_LAYOUT_TILED);
        glnn_counters before = {0};
        for (int step = 0; step < 6; ++step) {
            if (step == 3)
                before = counters_of(glnn_test_context());
            expect_ok(glnn_lvq_backward(lvq, inputs, classes, back));
            expect_ok(glnn_lvq_backward(lvq, inputs, classes, NULL));
            expect_ok(glnn_lvq_update(lvq, 0.01f * (float)(step + 1)));
        }
        const glnn_counters after = counters_of(glnn_test_context());
        assert_int_equal(after.textures_created, before.textures_created);
        assert_int_equal(after.programs_compiled, before.programs_compiled);
        assert_int_equal(after.waits, before.waits);
        release_learning();
    }
}

static void a_gradient_can_take_the_place_of_the_samples(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_lvq_desc desc = {.kind = kinds[k], .features = 5, .prototypes = 2};
        glnn_learner *lvq = classifier(desc, 0);
        const samples of = samples_of(20, 5);
        glnn_matrix *both = matrix_of(of.inputs, GLNN_LAYOUT_TILED);
        const array want = backward(lvq, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        expect_ok(glnn_lvq_backward(lvq, both, matrix_of(of.labels, GLNN_LAYOUT_TILED), both));
        const array got = values_of(both);
        assert_memory_equal(got.data, want.data, length_of(got) * sizeof *got.data);
        release_learning();
    }
}

/* The class 7 has no prototypes, so that samples of it have no margin. */
static void a_number_of_no_class_is_one_without_prototypes(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_GLVQ, .features = 5, .prototypes = 2};
    glnn_learner *lvq = classifier(desc, 0);
    samples of = samples_of(3, 5);
    of.labels.data[1] = 7;
    const array gradient = backward(lvq, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED);
    for (int j = 0; j < 5; ++j) {
        assert_true(*at(gradient, 0, j) != 0 && *at(gradient, 2, j) != 0);
        assert_true(*at(gradient, 1, j) == 0);
    }
}

static void calls_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_GLVQ, .features = 5, .prototypes = 2};
    glnn_learner *lvq = classifier(desc, 0);
    glnn_metrics metrics;
    glnn_matrix *const inputs = matrix_zero(6, 5, GLNN_LAYOUT_TILED);
    glnn_matrix *const many = matrix_zero(CAPACITY + 1, 5, GLNN_LAYOUT_TILED);
    glnn_matrix *const many_classes = matrix_zero(CAPACITY + 1, 1, GLNN_LAYOUT_TILED);
    glnn_matrix *const wide = matrix_zero(6, 4, GLNN_LAYOUT_TILED);
    glnn_matrix *const classes = matrix_zero(6, 1, GLNN_LAYOUT_TILED);
    expect_error(glnn_lvq_backward(NULL, inputs, classes, NULL), GLNN_E_ARG, "learner");
    expect_error(glnn_lvq_backward(lvq, NULL, classes, NULL), GLNN_E_ARG, "inputs");
    expect_error(glnn_lvq_backward(lvq, inputs, NULL, NULL), GLNN_E_ARG, "classes");
    expect_error(glnn_lvq_backward(lvq, wide, classes, NULL), GLNN_E_SHAPE, "inputs");
    expect_error(glnn_lvq_backward(lvq, inputs, wide, NULL), GLNN_E_SHAPE, "classes");
    expect_error(glnn_lvq_backward(lvq, inputs, classes, wide), GLNN_E_SHAPE, "input_gradient");
    expect_error(glnn_lvq_backward(lvq, many, many_classes, NULL), GLNN_E_LIMIT,
                 "inputs has 161 samples; the capacity of the classifier is 160");
    expect_error(glnn_lvq_update(lvq, 0.1f), GLNN_E_STATE, "there is no gradient");
    expect_error(glnn_lvq_update(lvq, -1), GLNN_E_ARG, "rate is -1");
    expect_error(glnn_lvq_take_metrics(lvq, NULL), GLNN_E_ARG, "out");
    expect_ok(glnn_lvq_backward(lvq, inputs, classes, NULL));
    expect_ok(glnn_lvq_update(lvq, 0));
    expect_error(glnn_lvq_update(lvq, 0), GLNN_E_STATE, "there is no gradient");
    expect_ok(glnn_lvq_take_metrics(lvq, &metrics));
}

static void a_classifier_that_cannot_tell_its_gradient_is_refused(void **state)
{
    (void)state;
    static const glnn_lvq_kind rules[] = {GLNN_LVQ_LVQ1, GLNN_LVQ_OLVQ1, GLNN_LVQ_LVQ21,
                                          GLNN_LVQ_LVQ3};
    glnn_metrics metrics;
    glnn_matrix *const inputs = matrix_zero(6, 5, GLNN_LAYOUT_TILED);
    glnn_matrix *const classes = matrix_zero(6, 1, GLNN_LAYOUT_TILED);
    for (size_t i = 0; i < COUNT_OF(rules); ++i) {
        glnn_learner *rule =
            lvq_of(&(glnn_lvq_desc){.kind = rules[i], .features = 5, .classes = 2});
        expect_error(glnn_lvq_backward(rule, inputs, classes, NULL), GLNN_E_UNSUPPORTED,
                     "follows a rule and has no gradient");
        expect_error(glnn_lvq_update(rule, 0), GLNN_E_UNSUPPORTED, glnn_lvq_kind_name(rules[i]));
        expect_error(glnn_lvq_take_metrics(rule, &metrics), GLNN_E_UNSUPPORTED, "no gradient");
    }
    glnn_lvq_desc desc = {.features = 5, .classes = 2};
    for (int i = 0; i < 2; ++i) {
        desc.kind = i == 0 ? GLNN_LVQ_GLVQ : GLNN_LVQ_RSLVQ;
        glnn_learner *lvq = lvq_of(&desc);
        expect_error(glnn_lvq_backward(lvq, inputs, classes, NULL), GLNN_E_STATE,
                     "has no prototypes yet");
        expect_ok(lvq_write(lvq, floats_of(array_random(2, 5, -1.0, 1.0)), NULL));
        expect_error(glnn_lvq_backward(lvq, inputs, classes, NULL), GLNN_E_STATE,
                     i == 0 ? "the scale is not known yet" : "the sigma is not known yet");
    }
}

static void a_classifier_under_training_is_refused(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_GLVQ, .features = 5, .prototypes = 2};
    glnn_learner *lvq = classifier(desc, 0);
    glnn_trainer *trainer;
    glnn_metrics metrics;
    const samples of = samples_of(6, 5);
    glnn_matrix *const inputs = matrix_of(of.inputs, GLNN_LAYOUT_TILED);
    glnn_matrix *const classes = matrix_of(of.labels, GLNN_LAYOUT_TILED);
    const glnn_train_desc with = {.epochs = 1, .batch = 6};
    expect_ok(glnn_trainer_create(lvq, dataset_of(of), &with, &trainer));
    expect_error(glnn_lvq_backward(lvq, inputs, classes, NULL), GLNN_E_STATE, "is being trained");
    expect_error(glnn_lvq_update(lvq, 0), GLNN_E_STATE, "is being trained");
    expect_error(glnn_lvq_take_metrics(lvq, &metrics), GLNN_E_STATE, "is being trained");
    glnn_trainer_destroy(trainer);
    expect_ok(glnn_lvq_backward(lvq, inputs, classes, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(gradients_of_inputs_are_those_of_the_loss),
        LEARNING_TEST(samples_far_from_zero_keep_their_digits),
        LEARNING_TEST(an_update_is_the_step_of_a_training),
        LEARNING_TEST(gradients_add_up_until_an_update),
        LEARNING_TEST(a_gradient_is_dropped_when_prototypes_are_set_or_trained),
        LEARNING_TEST(metrics_are_those_of_an_evaluation),
        LEARNING_TEST(steady_steps_make_nothing_and_wait_for_nothing),
        LEARNING_TEST(a_gradient_can_take_the_place_of_the_samples),
        LEARNING_TEST(a_number_of_no_class_is_one_without_prototypes),
        LEARNING_TEST(calls_that_do_not_fit_are_refused),
        LEARNING_TEST(a_classifier_that_cannot_tell_its_gradient_is_refused),
        LEARNING_TEST(a_classifier_under_training_is_refused),
    };
    return cmocka_run_group_tests_name("lvq ends", tests, test_group_setup, test_group_teardown);
}
