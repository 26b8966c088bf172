/* Support vector machines: outputs, losses and steps against a reference in double precision, the
 * descriptions and data that are refused, files, and exports. */
#include "support/exports.h"
#include "support/svms.h"

#include <glnn/trainer.h>

#include <float.h>
#include <limits.h>

enum { FEATURES = 7, CLASSES = 5, COUNT = 19 };

static samples some_samples(void)
{
    return samples_random(COUNT, FEATURES, CLASSES, true);
}

/* A machine with random hyperplanes. */
static glnn_learner *random_svm(const glnn_svm_desc *desc)
{
    glnn_learner *svm = svm_of(desc);
    set_hyperplanes(svm, array_random(desc->classes, desc->features + 1, -1, 1));
    return svm;
}

/* ---- The reference */

static bounded exactly(double value)
{
    return (bounded){value, 0};
}

/* z, samples x classes. */
static expected reference_outputs(array hyperplanes, array inputs)
{
    expected out = expected_new(inputs.rows, hyperplanes.rows);
    for (int i = 0; i < inputs.rows; ++i)
        for (int c = 0; c < hyperplanes.rows; ++c) {
            product_sum sum = {0};
            for (int j = 0; j < inputs.columns; ++j)
                add_product(&sum, exactly(*at(inputs, i, j)), exactly(*at(hyperplanes, c, j)));
            add_product(&sum, exactly(1), exactly(*at(hyperplanes, c, inputs.columns)));
            set_bounded(&out, i, c, finish_sum(&sum, inputs.columns + 1));
        }
    return out;
}

static double sign_of(const samples *of, int sample, int class)
{
    return *at(of->labels, sample, 0) == class ? 1 : -1;
}

/* max(0, 1 - t z): the difference adds one rounding. No sample may be at the margin, where float32
 * may see the other side. */
static bounded slack_of(const expected *z, const samples *of, int sample, int class)
{
    const bounded output = get_bounded(z, sample, class);
    const double value = 1 - sign_of(of, sample, class) * output.value;
    const double bound = output.bound + EPS * (fabs(value) + output.bound);
    assert_true(fabs(value) > bound);
    return value > 0 ? (bounded){value, bound} : exactly(0);
}

static bounded slope_at(bounded slack, glnn_svm_loss loss, double sign)
{
    if (loss == GLNN_SVM_SQUARED_HINGE)
        return (bounded){-sign * 2 * slack.value, 2 * slack.bound};
    return exactly(slack.value > 0 ? -sign : 0);
}

/* The mean loss; squares and sums of float32 numbers add a rounding for each term. */
static bounded reference_loss(array hyperplanes, samples of, glnn_svm_loss loss)
{
    const expected z = reference_outputs(hyperplanes, of.inputs);
    product_sum sum = {0};
    for (int i = 0; i < of.inputs.rows; ++i)
        for (int c = 0; c < hyperplanes.rows; ++c) {
            const bounded slack = slack_of(&z, &of, i, c);
            add_product(&sum, slack, loss == GLNN_SVM_SQUARED_HINGE ? slack : exactly(1));
        }
    const bounded total = finish_sum(&sum, of.inputs.rows * hyperplanes.rows);
    return multiply(total, (bounded){1.0 / of.inputs.rows, EPS / of.inputs.rows});
}

/* The mean slopes, classes x (features + 1). */
static expected reference_gradient(array hyperplanes, samples of, glnn_svm_loss loss)
{
    const expected z = reference_outputs(hyperplanes, of.inputs);
    expected out = expected_new(hyperplanes.rows, hyperplanes.columns);
    const int count = of.inputs.rows;
    for (int c = 0; c < hyperplanes.rows; ++c)
        for (int j = 0; j < hyperplanes.columns; ++j) {
            product_sum sum = {0};
            for (int i = 0; i < count; ++i)
                add_product(&sum, slope_at(slack_of(&z, &of, i, c), loss, sign_of(&of, i, c)),
                            exactly(j < of.inputs.columns ? *at(of.inputs, i, j) : 1));
            set_bounded(&out, c, j,
                        multiply(finish_sum(&sum, count), (bounded){1.0 / count, EPS / count}));
        }
    return out;
}

/* ---- Outputs and losses */

static void outputs_and_classes_agree_with_the_reference_in_all_layouts(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 2}, {FEATURES, CLASSES}, {20, 70}, {33, 8}};
    random_seed(1);
    for (size_t s = 0; s < COUNT_OF(sizes) * RENDERED_COUNT; ++s) {
        const int features = sizes[s / RENDERED_COUNT][0], classes = sizes[s / RENDERED_COUNT][1];
        glnn_learner *svm = random_svm(&(glnn_svm_desc){
            .features = features, .classes = classes, .layout = rendered_layout(s), .capacity = 8});
        const array inputs = array_random(COUNT, features, -2, 2);
        const expected want = reference_outputs(hyperplanes_of(svm), inputs);
        float *outputs = floats_new((size_t)COUNT * (size_t)classes);
        int found[COUNT];
        expect_ok(glnn_learner_predict(svm, COUNT, floats_of(inputs), outputs, found));
        for (int i = 0; i < COUNT; ++i) {
            const float *z = outputs + (size_t)i * (size_t)classes;
            for (int c = 0; c < classes; ++c) {
                assert_true(fabs((double)z[c] - *at(want.value, i, c)) <= *at(want.bound, i, c));
                assert_true(c < found[i] ? z[c] < z[found[i]] : z[c] <= z[found[i]]);
            }
        }
        release_learning();
    }
}

static void losses_and_accuracies_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(2);
    for (size_t s = 0; s < (size_t)GLNN_SVM_LOSS_COUNT * RENDERED_COUNT; ++s) {
        const glnn_svm_loss loss = (glnn_svm_loss)(s / RENDERED_COUNT);
        glnn_learner *svm = random_svm(&(glnn_svm_desc){.features = FEATURES,
                                                        .classes = CLASSES,
                                                        .loss = loss,
                                                        .layout = rendered_layout(s),
                                                        .capacity = 8});
        const samples all = some_samples();
        const bounded want = reference_loss(hyperplanes_of(svm), all, loss);
        glnn_metrics metrics;
        int classes[COUNT], right = 0;
        expect_ok(glnn_learner_evaluate(svm, dataset_of(all), &metrics, NULL));
        assert_true(fabs(metrics.loss - want.value) <= want.bound);
        expect_ok(glnn_learner_predict(svm, COUNT, floats_of(all.inputs), NULL, classes));
        for (int i = 0; i < COUNT; ++i)
            right += classes[i] == (int)all.labels.data[i];
        assert_true(fabs(metrics.accuracy - (double)right / COUNT) < 1e-6);
        release_learning();
    }
}

/* ---- Steps */

/* u = momentum u + g, w = (1 - rate lambda) w - rate u, and for biases without the lambda. */
static void expect_step(const glnn_svm_desc *desc, float rate, array before, const expected *first,
                        const expected *second, array after)
{
    for (int c = 0; c < before.rows; ++c)
        for (int j = 0; j < before.columns; ++j) {
            const bounded g = get_bounded(first, c, j), h = get_bounded(second, c, j);
            const double momentum = (double)desc->momentum, r = (double)rate;
            const double kept = j < desc->features ? 1 - r * (double)desc->lambda : 1;
            const double w = *at(before, c, j), once = kept * w - r * g.value;
            const double want = kept * once - r * (momentum * g.value + h.value);
            /* Each step rounds kept, both products and their sum. */
            const double size = fabs(w) + 2 * r * (fabs(g.value) + fabs(h.value));
            const double bound = r * ((1 + momentum) * g.bound + h.bound) + 12 * EPS * size;
            const double got = *at(after, c, j);
            if (!(fabs(got - want) <= bound))
                fail_at(__FILE__, __LINE__, "%s, %s: class %d, number %d is %.9g, not %.9g +- %.2g",
                        glnn_svm_loss_name(desc->loss), glnn_layout_name(desc->layout), c, j, got,
                        want, bound);
        }
}

/* A machine that has made one step of all samples. */
static void step_once(glnn_learner *svm, const glnn_dataset *data, float rate)
{
    expect_ok(glnn_learner_train(
        svm, data,
        &(glnn_train_desc){
            .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = rate, .keep_order = true},
        NULL));
}

/* The second step knows the velocity of the first one. */
static void two_steps_agree_with_the_reference_in_all_layouts(void **state)
{
    (void)state;
    static const int capacities[] = {64, 8};
    const float rate = 0.125f;
    random_seed(3);
    for (size_t s = 0; s < (size_t)2 * GLNN_SVM_LOSS_COUNT * RENDERED_COUNT; ++s) {
        const glnn_svm_desc desc = {.features = FEATURES,
                                    .classes = CLASSES,
                                    .loss = (glnn_svm_loss)(s / RENDERED_COUNT % 2),
                                    .lambda = 0.5f,
                                    .momentum = 0.75f,
                                    .layout = rendered_layout(s),
                                    .capacity = capacities[s / RENDERED_COUNT / 2]};
        glnn_learner *svm = random_svm(&desc);
        const samples all = some_samples();
        const glnn_dataset *data = dataset_of(all);
        const array before = hyperplanes_of(svm);
        const expected first = reference_gradient(before, all, desc.loss);
        step_once(svm, data, rate);
        const array between = hyperplanes_of(svm);
        /* From the library's own numbers, so that only the rounding of one step is between. */
        const expected second = reference_gradient(between, all, desc.loss);
        step_once(svm, data, rate);
        expect_step(&desc, rate, before, &first, &second, hyperplanes_of(svm));
        release_learning();
    }
}

static void the_penalty_takes_weights_and_spares_biases(void **state)
{
    (void)state;
    const float weights[] = {8, -8}, biases[] = {0.5f, 0.25f}, inputs[] = {1, -1};
    const int labels[] = {0, 1};
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 1, .classes = 2, .lambda = 0.5f});
    glnn_dataset *data;
    float got[2], got_biases[2];
    expect_ok(glnn_dataset_create(
        glnn_test_context(),
        &(glnn_dataset_desc){
            .samples = 2, .features = 1, .inputs = inputs, .labels = labels, .classes = 2},
        &data));
    expect_ok(svm_write(svm, weights, biases));
    step_once(svm, data, 0.5f);
    expect_ok(svm_read(svm, got, got_biases));
    assert_true(got[0] == 6 && got[1] == -6);
    assert_memory_equal(got_biases, biases, sizeof biases);
    glnn_dataset_destroy(data);
}

/* The squared hinge has a slope everywhere, and between its kinks central differences are exact but
 * for rounding. A kink within h of a sample is off by at most h x^2 of that sample. */
static void slopes_of_the_squared_hinge_are_differences_of_the_loss(void **state)
{
    (void)state;
    const glnn_svm_desc desc = {.features = FEATURES,
                                .classes = CLASSES,
                                .loss = GLNN_SVM_SQUARED_HINGE,
                                .lambda = FLT_MIN};
    const double h = 0x1p-13;
    const float rate = 0.25f;
    random_seed(4);
    glnn_learner *svm = random_svm(&desc);
    const samples all = some_samples();
    const array before = hyperplanes_of(svm);
    step_once(svm, dataset_of(all), rate);
    const array after = hyperplanes_of(svm);
    for (int c = 0; c < CLASSES; ++c)
        for (int j = 0; j <= FEATURES; ++j) {
            const array low = array_copy(before), high = array_copy(before);
            *at(low, c, j) -= h;
            *at(high, c, j) += h;
            const double difference = (reference_loss(high, all, desc.loss).value -
                                       reference_loss(low, all, desc.loss).value) /
                                      (2 * h);
            const double slope = (*at(before, c, j) - *at(after, c, j)) / (double)rate;
            assert_true(fabs(slope - difference) <=
                        h + 64 * EPS * (1 + fabs(slope)) / (double)rate);
        }
}

static void two_trainings_give_the_same_bits(void **state)
{
    (void)state;
    const glnn_svm_desc desc = {
        .features = FEATURES, .classes = CLASSES, .momentum = 0.5f, .capacity = 8};
    const glnn_train_desc how = {.epochs = 3, .batch = 6, .seed = 5};
    random_seed(5);
    const glnn_dataset *data = dataset_of(some_samples());
    glnn_learner *first = svm_of(&desc), *second = svm_of(&desc);
    expect_ok(glnn_learner_train(first, data, &how, NULL));
    expect_ok(glnn_learner_train(second, data, &how, NULL));
    expect_same_bits(hyperplanes_of(first), hyperplanes_of(second), "two trainings");
}

static void zeros_in_the_descriptions_separate_classes(void **state)
{
    (void)state;
    enum { MANY = 600 };
    random_seed(6);
    samples all = samples_random(MANY, FEATURES, CLASSES, true);
    for (int i = 0; i < MANY; ++i)
        *at(all.inputs, i, (int)all.labels.data[i]) += 2.5;
    for (int loss = 0; loss < GLNN_SVM_LOSS_COUNT; ++loss) {
        glnn_learner *svm = svm_of(&(glnn_svm_desc){
            .features = FEATURES, .classes = CLASSES, .loss = (glnn_svm_loss)loss});
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(svm, dataset_of(all), NULL, &result));
        assert_true(result.training.accuracy > 0.95);
        assert_true(glnn_svm_get_desc(svm)->lambda == 1e-4f);
        assert_int_equal(glnn_svm_get_desc(svm)->capacity, 1024);
        assert_int_equal(glnn_learner_get_outputs(svm), CLASSES);
    }
}

static glnn_status train_with(void *learner, const glnn_dataset *data, const glnn_train_desc *desc)
{
    return glnn_learner_train(learner, data, desc, NULL);
}

static void a_step_takes_as_many_passes_as_the_header_says(void **state)
{
    (void)state;
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = FEATURES, .classes = CLASSES});
    assert_int_equal(
        passes_per_step(svm, train_with, samples_random(16, FEATURES, CLASSES, true), 4), 5);
}

/* ---- Errors */

static void descriptions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_svm_desc desc;
        glnn_status status;
        const char *part;
    } wrong[] = {
        {{.features = 0, .classes = 2},
         GLNN_E_ARG,
         "glnn_svm_create: features is 0; it has to be an integer from 1 on"},
        {{.features = 3, .classes = 1},
         GLNN_E_ARG,
         "classes is 1; it has to be an integer from 2 on"},
        {{.features = INT_MAX, .classes = 2}, GLNN_E_LIMIT, "2147483647 features"},
        {{.features = 2, .classes = INT_MAX}, GLNN_E_LIMIT, "2147483647 classes"},
        {{.features = 3, .classes = 2, .loss = GLNN_SVM_LOSS_COUNT},
         GLNN_E_ARG,
         "loss is 2; it has to be one of hinge, squared_hinge"},
        {{.features = 3, .classes = 2, .lambda = -1},
         GLNN_E_ARG,
         "lambda is -1; it has to be a finite number above 0, or 0 for 0.0001"},
        {{.features = 3, .classes = 2, .lambda = INFINITY}, GLNN_E_ARG, "lambda is inf"},
        {{.features = 3, .classes = 2, .momentum = 1},
         GLNN_E_ARG,
         "momentum is 1; it has to be a number in [0, 1)"},
        {{.features = 3, .classes = 2, .momentum = NAN}, GLNN_E_ARG, "momentum is nan"},
        {{.features = 3, .classes = 2, .layout = GLNN_LAYOUT_PAGED}, GLNN_E_ARG, "paged"},
        {{.features = 3, .classes = 2, .capacity = -1},
         GLNN_E_ARG,
         "capacity is -1; it has to be an integer from 1 on, or 0 for 1024"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_learner *svm = (glnn_learner *)state;
        expect_error(glnn_svm_create(glnn_test_context(), &wrong[i].desc, &svm), wrong[i].status,
                     wrong[i].part);
        assert_null(svm);
    }
}

static void numbers_and_rates_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const glnn_svm_desc desc = {.features = 2, .classes = 2, .lambda = 0.5f, .momentum = 0.5f};
    glnn_learner *svm = svm_of(&desc);
    const float weights[] = {1, 2, 3, 4}, biases[] = {5, 6};
    float odd[] = {1, 2, 3, NAN}, odd_biases[] = {0, INFINITY}, got[4], got_biases[2];
    expect_ok(svm_write(svm, weights, biases));
    expect_error(svm_write(svm, odd, biases), GLNN_E_ARG,
                 "glnn_learner_set_tensor: `weight`: number 3 is nan; it has to be finite");
    expect_error(svm_write(svm, weights, odd_biases), GLNN_E_ARG,
                 "glnn_learner_set_tensor: `bias`: number 1 is inf");
    expect_ok(svm_read(svm, got, got_biases));
    assert_memory_equal(got, weights, sizeof weights);
    assert_memory_equal(got_biases, biases, sizeof biases);
    const glnn_dataset *data = dataset_of(samples_random(8, 2, 2, true));
    expect_error(glnn_learner_train(svm, data, &(glnn_train_desc){.schedule.rate = 2}, NULL),
                 GLNN_E_ARG, "a rate of 2; for this support vector machine it has to be below 2");
    expect_error(glnn_learner_initialise(svm, data), GLNN_E_UNSUPPORTED,
                 "a support vector machine has its first parameters from the start");
}

static glnn_status train_call_of(void *learner, const glnn_dataset *data)
{
    return glnn_learner_train(learner, data, NULL, NULL);
}

static glnn_status evaluate_call_of(void *learner, const glnn_dataset *data)
{
    glnn_metrics metrics;
    return glnn_learner_evaluate(learner, data, &metrics, NULL);
}

static void data_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const data_call calls[] = {train_call_of, evaluate_call_of};
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 3, .classes = 2});
    expect_unfit_data_refused(svm, calls, COUNT_OF(calls), "4 features", "7 ");
}

static void outputs_that_are_not_finite_are_named(void **state)
{
    (void)state;
    const float weights[] = {3e38f, 0, 0, 0}, biases[] = {3e38f, 0}, input[] = {1, 0};
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 2, .classes = 2});
    float outputs[2];
    int class;
    expect_ok(svm_write(svm, weights, biases));
    expect_error(glnn_learner_predict(svm, 1, input, outputs, NULL), GLNN_E_DIVERGED,
                 "output 0 of sample 0 is inf");
    expect_error(glnn_learner_predict(svm, 1, input, NULL, &class), GLNN_E_DIVERGED,
                 "output 0 of sample 0 is inf");
}

/* ---- Files */

static glnn_learner *trained(float momentum)
{
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = FEATURES,
                                                .classes = CLASSES,
                                                .loss = GLNN_SVM_SQUARED_HINGE,
                                                .lambda = 0.01f,
                                                .momentum = momentum,
                                                .capacity = 8});
    random_seed(7);
    expect_ok(glnn_learner_train(svm, dataset_of(some_samples()),
                                 &(glnn_train_desc){.epochs = 2, .batch = 6, .seed = 8}, NULL));
    return svm;
}

static glnn_status writer(const char *path)
{
    return glnn_learner_save(trained(0.5f), path);
}

static glnn_status reader(const char *path)
{
    glnn_learner *svm;
    const glnn_status status =
        glnn_learner_load(glnn_test_context(), path,
                          &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 8}, &svm);
    if (status)
        assert_null(svm);
    glnn_learner_destroy(svm);
    return status;
}

static const file_format format = {reader, writer};

static const char *const keys[] = {"format", "version", "features", "classes",
                                   "loss",   "lambda",  "momentum"};

static learner_file write_file(void)
{
    const learner_file file = {path_of("machine"), keys, COUNT_OF(keys)};
    expect_ok(writer(file.path.text));
    return file;
}

static void loaded_machines_train_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int has_momentum = 0; has_momentum < 2; ++has_momentum) {
        glnn_learner *svm = trained(0.5f * (float)has_momentum), *loaded;
        const file_path path = path_of("machine");
        const glnn_dataset *data = dataset_of(some_samples());
        expect_ok(glnn_learner_save(svm, path.text));
        expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                    &(glnn_load_desc){.layout = GLNN_LAYOUT_AUTO, .capacity = 8},
                                    &loaded));
        learning_own_learner(loaded);
        const glnn_svm_desc *left = glnn_svm_get_desc(svm), *right = glnn_svm_get_desc(loaded);
        assert_memory_equal(left, right, sizeof *left);
        for (int i = 0; i < 2; ++i) {
            expect_same_bits(hyperplanes_of(svm), hyperplanes_of(loaded), "loaded");
            step_once(svm, data, 0.01f);
            step_once(loaded, data, 0.01f);
        }
        expect_ok(glnn_learner_load_parameters(svm, path.text));
        expect_ok(glnn_learner_load_parameters(loaded, path.text));
        expect_same_bits(hyperplanes_of(svm), hyperplanes_of(loaded), "loaded into");
        release_learning();
    }
}

static void files_that_do_not_fit_change_nothing(void **state)
{
    (void)state;
    const learner_file file = write_file();
    glnn_learner *plain = trained(0);
    glnn_learner *other = svm_of(&(glnn_svm_desc){.features = 3, .classes = CLASSES});
    const array before = hyperplanes_of(plain);
    assert_fails(glnn_learner_load_parameters(plain, file.path.text), GLNN_E_SHAPE,
                 "without momentum");
    assert_fails(glnn_learner_load_parameters(other, file.path.text), GLNN_E_SHAPE, "3 features");
    expect_same_bits(before, hyperplanes_of(plain), "after a refused file");
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const float zeros[CLASSES * FEATURES], odd[CLASSES] = {0, NAN};
    static const damage damages[] = {
        {{.key = "features", .value = "8"}, GLNN_E_SHAPE, "'weight'"},
        {{.key = "classes", .value = "4"}, GLNN_E_SHAPE, "'weight'"},
        {{.key = "momentum", .value = "1"}, GLNN_E_FORMAT, "momentum"},
        {{.array = "weight"}, GLNN_E_FORMAT, "weight"},
        {{.array = "velocity"}, GLNN_E_FORMAT, "velocity"},
        {{.array = "bias", .tensor = {"bias", 1, {CLASSES}, odd}}, GLNN_E_FORMAT, "not finite"},
        {{.array = "weight", .tensor = {"weight", 2, {FEATURES, CLASSES}, zeros}},
         GLNN_E_SHAPE,
         "weight"},
    };
    static const glnn_metadata wrong[] = {
        {"features", "0"}, {"classes", "1"}, {"loss", "log"}, {"lambda", "-1"}, {"momentum", "2"}};
    const learner_file file = write_file();
    assert_damage_fails(reader, &file, damages, COUNT_OF(damages));
    assert_odd_texts_fail(reader, &file, wrong, COUNT_OF(wrong));
    assert_true(refused_flips(reader, file.path.text) > 500);
}

/* ---- Exports */

static void an_export_predicts_what_the_library_predicts(void **state)
{
    (void)state;
    const samples of = samples_random(EXPORT_SAMPLES, FEATURES, CLASSES, true);
    const float *inputs = floats_of(of.inputs);
    const file_path path = path_of("machine.c");
    float outputs[EXPORT_SAMPLES * CLASSES];
    int classes[EXPORT_SAMPLES];
    for (int is_scaled = 0; is_scaled < 2; ++is_scaled) {
        glnn_learner *svm = trained(0.5f);
        float factors[FEATURES], offsets[FEATURES], *prepared = floats_of(of.inputs);
        for (int j = 0; j < FEATURES; ++j) {
            factors[j] = 0.5f;
            offsets[j] = (float)j / 4;
        }
        const glnn_preparation preparation = {
            .columns.features = FEATURES,
            .scale = {.features = FEATURES, .offset = offsets, .factor = factors}};
        if (is_scaled) {
            expect_ok(glnn_learner_set_preparation(svm, &preparation));
            for (int i = 0; i < EXPORT_SAMPLES * FEATURES; ++i)
                prepared[i] = (prepared[i] - offsets[i % FEATURES]) * 0.5f;
        }
        expect_ok(glnn_learner_export_c(svm, path.text, "machine"));
        const exported code = export_open(path.text, "machine");
        assert_int_equal(code.features, FEATURES);
        assert_int_equal(code.outputs, CLASSES);
        expect_ok(glnn_learner_predict(svm, EXPORT_SAMPLES, prepared, outputs, classes));
        expect_same_outputs(&code, EXPORT_SAMPLES, inputs, outputs, classes, "machine");
        release_exports();
    }
}

static void the_default_rate_stays_below_the_limit(void **state)
{
    (void)state;
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 3, .classes = 2, .lambda = 25});
    const glnn_dataset *data = dataset_of(samples_random(20, 3, 2, true));
    glnn_trainer *trainer;
    expect_ok(glnn_trainer_create(svm, data, NULL, &trainer));
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    assert_true(glnn_trainer_get_report(trainer)->rate == 0.02f);
    glnn_trainer_destroy(trainer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(outputs_and_classes_agree_with_the_reference_in_all_layouts),
        LEARNING_TEST(losses_and_accuracies_agree_with_the_reference),
        LEARNING_TEST(two_steps_agree_with_the_reference_in_all_layouts),
        LEARNING_TEST(the_penalty_takes_weights_and_spares_biases),
        LEARNING_TEST(slopes_of_the_squared_hinge_are_differences_of_the_loss),
        LEARNING_TEST(two_trainings_give_the_same_bits),
        LEARNING_TEST(zeros_in_the_descriptions_separate_classes),
        LEARNING_TEST(a_step_takes_as_many_passes_as_the_header_says),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(numbers_and_rates_that_cannot_be_are_refused),
        LEARNING_TEST(the_default_rate_stays_below_the_limit),
        LEARNING_TEST(data_that_do_not_fit_are_refused),
        LEARNING_TEST(outputs_that_are_not_finite_are_named),
        LEARNING_TEST(loaded_machines_train_on_to_the_same_bits),
        LEARNING_TEST(files_that_do_not_fit_change_nothing),
        LEARNING_TEST(damaged_files_are_refused),
        EXPORT_TEST(an_export_predicts_what_the_library_predicts),
        LEARNER_FILE_TESTS(format),
    };
    return cmocka_run_group_tests_name("svm", tests, learner_files_setup, learner_files_teardown);
}
