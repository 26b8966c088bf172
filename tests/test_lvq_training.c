/* Training of prototypes as a whole: what a step costs once all is warm, that it repeats, and what
 * callbacks and early stopping may do. */
#include "support/lvq_reference.h"

static glnn_lvq_desc describe(glnn_lvq_kind kind, int features, int classes, int prototypes)
{
    return (glnn_lvq_desc){
        .kind = kind, .features = features, .classes = classes, .prototypes = prototypes};
}

/* Samples of each class around a centre of its own; centres are up to `apart` from the origin. */
static samples clouds_apart(int count, int features, int classes, double apart)
{
    samples made = samples_random(count, features, classes, true);
    const array centres = array_random(classes, features, -apart, apart);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < features; ++j)
            *at(made.inputs, i, j) =
                (double)(float)(*at(made.inputs, i, j) + *at(centres, (int)made.labels.data[i], j));
    return made;
}

static samples clouds(int count, int features, int classes)
{
    return clouds_apart(count, features, classes, 4);
}

static glnn_status train_with(void *lvq, const glnn_dataset *data, const glnn_train_desc *desc)
{
    return glnn_learner_train(lvq, data, desc, NULL);
}

static int passes_of_step(const glnn_lvq_desc *desc, int batch)
{
    glnn_learner *lvq = lvq_of(desc);
    const samples all = clouds(4 * batch, desc->features, desc->classes);
    expect_ok(glnn_learner_initialise(lvq, dataset_of(all)));
    expect_ok(glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 1}, NULL));
    return passes_per_step(lvq, train_with, all, batch);
}

static void a_step_takes_as_many_passes_as_documented(void **state)
{
    (void)state;
    static const struct {
        glnn_lvq_kind kind;
        int single, few, batch; /* passes for one sample, for 3, and for 32 */
    } kinds[] = {
        {GLNN_LVQ_GLVQ, 2, 5, 9},  {GLNN_LVQ_GRLVQ, 12, 12, 16}, {GLNN_LVQ_GMLVQ, 18, 18, 22},
        {GLNN_LVQ_RSLVQ, 8, 8, 8}, {GLNN_LVQ_LVQ1, 2, 5, 9},     {GLNN_LVQ_OLVQ1, 7, 7, 11},
        {GLNN_LVQ_LVQ21, 2, 5, 9}, {GLNN_LVQ_LVQ3, 2, 5, 9},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const glnn_lvq_desc desc = describe(kinds[i].kind, 20, 5, 2);
        const int single = passes_of_step(&desc, 1), few = passes_of_step(&desc, 3),
                  batch = passes_of_step(&desc, 32);
        if (single != kinds[i].single || few != kinds[i].few || batch != kinds[i].batch)
            fail_at(__FILE__, __LINE__, "%s takes %d, %d and %d passes, expected %d, %d and %d",
                    glnn_lvq_kind_name(desc.kind), single, few, batch, kinds[i].single,
                    kinds[i].few, kinds[i].batch);
        release_learning();
    }
}

static void steps_make_no_texture_or_program_and_do_not_wait(void **state)
{
    (void)state;
    static const struct {
        int capacity, batch;
        bool validates;
    } ways[] = {{0, 16, false}, {8, 40, true}, {8, 1, true}};
    for (size_t i = 0; i < GLNN_LVQ_KIND_COUNT * COUNT_OF(ways); ++i) {
        const size_t way = i % COUNT_OF(ways);
        glnn_lvq_desc desc = describe((glnn_lvq_kind)(i / COUNT_OF(ways)), 20, 5, 2);
        desc.capacity = ways[way].capacity;
        desc.layout = rendered_layout(i);
        const bool reads_prototypes = desc.kind >= GLNN_LVQ_LVQ1;
        epoch_watch w = {.most_waits = 1u + reads_prototypes + ways[way].validates};
        const glnn_train_desc train = {
            .epochs = 5,
            .batch = ways[way].batch,
            .validation = ways[way].validates ? dataset_of(clouds(23, 20, 5)) : NULL,
            .restore_best = ways[way].validates,
            .report_every = 1,
            .report = watch_steady_epoch,
            .user = &w,
        };
        glnn_learner *lvq = lvq_of(&desc);
        const glnn_dataset *data = dataset_of(clouds(100, 20, 5));
        expect_ok(glnn_learner_initialise(lvq, data));
        expect_ok(glnn_learner_train(lvq, data, &train, NULL));
        assert_int_equal(w.epochs, 3);
        release_learning();
    }
}

static glnn_learner *trained(const glnn_lvq_desc *desc, const glnn_dataset *data, int batch)
{
    const glnn_train_desc train = {.epochs = 3, .batch = batch, .seed = 5};
    glnn_learner *lvq = lvq_of(desc);
    expect_ok(glnn_learner_initialise(lvq, data));
    expect_ok(glnn_learner_train(lvq, data, &train, NULL));
    return lvq;
}

/* Searches by tiles take the general passes; AUTO takes those for one sample. */
static void train_samples_singly(glnn_lvq_desc desc, const samples *all, glnn_search search,
                                 array *prototypes, glnn_train_result *result)
{
    desc.search = search;
    glnn_learner *lvq = lvq_of(&desc);
    *result = (glnn_train_result){.size = sizeof *result};
    expect_ok(glnn_learner_initialise(lvq, dataset_of(*all)));
    expect_ok(glnn_learner_train(
        lvq, dataset_of(*all),
        &(glnn_train_desc){.epochs = 1, .batch = 1, .schedule.rate = 0.02f, .seed = 3}, result));
    *prototypes = prototypes_of(lvq);
}

static void steps_of_one_sample_end_like_those_of_the_general_search(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_LVQ1, GLNN_LVQ_LVQ21,
                                          GLNN_LVQ_LVQ3};
    static const int shapes[][3] = {{3, 2, 1}, {13, 5, 2}, {7, 3, 100}, {160, 4, 2}};
    for (size_t i = 0; i < 2 * COUNT_OF(kinds); ++i) {
        const int *shape = shapes[(i + i / COUNT_OF(kinds)) % COUNT_OF(shapes)];
        glnn_lvq_desc desc = describe(kinds[i % COUNT_OF(kinds)], shape[0], shape[1], shape[2]);
        desc.layout = rendered_layout(i);
        const samples all = clouds(40 + shape[1] * shape[2], shape[0], shape[1]);
        array prototypes[2];
        glnn_train_result results[2];
        train_samples_singly(desc, &all, GLNN_SEARCH_AUTO, &prototypes[0], &results[0]);
        train_samples_singly(desc, &all, GLNN_SEARCH_TILES, &prototypes[1], &results[1]);
        for (size_t j = 0; j < length_of(prototypes[0]); ++j)
            if (!(fabs(prototypes[0].data[j] - prototypes[1].data[j]) <= 1e-4))
                fail_at(__FILE__, __LINE__, "%s: number %zu of the prototypes is %g, expected %g",
                        glnn_lvq_kind_name(desc.kind), j, prototypes[0].data[j],
                        prototypes[1].data[j]);
        assert_true(fabs(results[0].training.loss - results[1].training.loss) <=
                    1e-4 * results[1].training.loss);
        assert_true(results[0].training.accuracy == results[1].training.accuracy);
        release_learning();
    }
}

static void a_sample_that_is_no_number_ends_training_with_single_steps(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = describe(GLNN_LVQ_GLVQ, 5, 3, 2);
    samples all = clouds(60, 5, 3);
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(glnn_learner_initialise(lvq, dataset_of(all)));
    for (int i = 0; i < 60; ++i)
        *at(all.inputs, i, 2) = 3e38;
    expect_error(
        glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 1, .batch = 1}, NULL),
        GLNN_E_DIVERGED, "not finite");
}

static void equal_seeds_give_equal_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < GLNN_LVQ_KIND_COUNT * RENDERED_COUNT; ++i) {
        glnn_lvq_desc desc = describe((glnn_lvq_kind)(i / RENDERED_COUNT), 7, 3, 3);
        desc.layout = rendered_layout(i);
        desc.rank = desc.kind == GLNN_LVQ_GMLVQ ? 4 : 0;
        const glnn_dataset *data = dataset_of(clouds(90, 7, 3));
        expect_same_classifiers(trained(&desc, data, 8), trained(&desc, data, 8), "two runs");
        release_learning();
    }
}

typedef struct curve {
    double accuracies[40];
} curve;

static bool record(void *user, const glnn_report *report)
{
    curve *c = user;
    if (report->event == GLNN_EVENT_EPOCH)
        c->accuracies[report->epoch - 1] = report->validation.accuracy;
    return true;
}

/* Clouds that overlap, so that errors remain: 0.1 of a hundred is two of the 2000 samples. The rate
 * is low enough for steps to bring classifiers together: at high ones any rounding grows from epoch
 * to epoch, in whatever precision. */
static void check_curve(glnn_lvq_kind kind)
{
    enum { SAMPLES = 2000, BATCH = 100 };
    const float rate = 0.001f;
    const glnn_lvq_desc desc = describe(kind, 6, 4, 2);
    const samples all = clouds_apart(SAMPLES, 6, 4, 1.0);
    glnn_learner *lvq = lvq_of(&desc);
    const glnn_dataset *data = dataset_of(all);
    curve got = {{0}};
    expect_ok(glnn_learner_initialise(lvq, data));
    lvq_reference want = lvq_reference_of(lvq);
    expect_ok(glnn_learner_train(lvq, data,
                                 &(glnn_train_desc){.epochs = (int)COUNT_OF(got.accuracies),
                                                    .batch = BATCH,
                                                    .schedule.rate = rate,
                                                    .keep_order = true,
                                                    .validation = data,
                                                    .report = record,
                                                    .user = &got},
                                 NULL));
    for (size_t e = 0; e < COUNT_OF(got.accuracies); ++e) {
        for (int first = 0; first < SAMPLES; first += BATCH)
            lvq_reference_step(&want, samples_part(all, first, BATCH), (double)rate);
        const double right = lvq_reference_measure(&want, all).right;
        if (!(fabs(got.accuracies[e] - right / SAMPLES) <= 0.001 + 1e-9))
            fail_at(__FILE__, __LINE__, "%s, epoch %d: accuracy %.4f, in double precision %.4f",
                    glnn_lvq_kind_name(kind), (int)e + 1, got.accuracies[e], right / SAMPLES);
    }
    assert_true(got.accuracies[39] > 0.5 && got.accuracies[39] < 0.995);
    release_learning();
}

static void error_curves_of_forty_epochs_are_those_of_double_precision(void **state)
{
    (void)state;
    random_seed(77);
    check_curve(GLNN_LVQ_GLVQ);
    check_curve(GLNN_LVQ_LVQ1);
    check_curve(GLNN_LVQ_LVQ21);
}

static void every_kind_learns_to_tell_clouds_apart(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = describe(kind, 6, 4, 2);
        const glnn_dataset *data = dataset_of(clouds(400, 6, 4));
        const glnn_train_desc train = {
            .epochs = 15, .batch = 16, .schedule.kind = GLNN_SCHEDULE_LINEAR};
        glnn_learner *lvq = lvq_of(&desc);
        glnn_metrics metrics;
        expect_ok(glnn_learner_initialise(lvq, data));
        expect_ok(glnn_learner_train(lvq, data, &train, NULL));
        expect_ok(glnn_learner_evaluate(lvq, data, &metrics, NULL));
        if (metrics.accuracy < 0.97)
            fail_at(__FILE__, __LINE__, "%s classifies %g right", glnn_lvq_kind_name(kind),
                    metrics.accuracy);
        release_learning();
    }
}

static void expect_same_predictions(glnn_learner *left, glnn_learner *right, const char *what)
{
    enum { SAMPLES = 40 };
    const int features = glnn_lvq_get_desc(left)->features;
    const array inputs = array_random(SAMPLES, features, -4.0, 4.0);
    glnn_learner *const both[] = {left, right};
    float distances[2][SAMPLES], scores[2][SAMPLES * 4];
    int winners[2][SAMPLES];
    for (int i = 0; i < 2; ++i) {
        expect_ok(glnn_learner_find_nearest(both[i], SAMPLES, floats_of(inputs), 1, winners[i],
                                            distances[i]));
        expect_ok(glnn_learner_predict(both[i], SAMPLES, floats_of(inputs), scores[i], NULL));
    }
    if (memcmp(winners[0], winners[1], sizeof winners[0]) != 0 ||
        memcmp(distances[0], distances[1], sizeof distances[0]) != 0 ||
        memcmp(scores[0], scores[1], sizeof scores[0]) != 0)
        fail_at(__FILE__, __LINE__, "%s: equal classifiers predict differently", what);
}

static void the_best_epoch_comes_back_with_its_metric_rates_and_predictions(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = describe(kind, 6, 4, 2);
        const samples all = clouds_apart(170, 6, 4, 1.0);
        const glnn_dataset *data = dataset_of(samples_part(all, 0, 120));
        const glnn_dataset *validation = dataset_of(samples_part(all, 120, 50));
        const glnn_train_desc train = {.epochs = 6,
                                       .batch = 4,
                                       .schedule.rate = 0.8f,
                                       .validation = validation,
                                       .restore_best = true,
                                       .patience = 2};
        glnn_learner *lvq = lvq_of(&desc), *again = lvq_of(&desc);
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_initialise(lvq, data));
        expect_ok(glnn_learner_initialise(again, data));
        expect_ok(glnn_learner_train(lvq, data, &train, &result));
        assert_true(result.best_epoch >= 1 && result.best_epoch <= result.epochs);
        if (kind == GLNN_LVQ_GRLVQ || kind == GLNN_LVQ_GMLVQ)
            assert_true(result.best_epoch < result.epochs); /* so that something is taken back */
        const glnn_train_desc shorter = {
            .epochs = result.best_epoch, .batch = 4, .schedule.rate = 0.8f};
        expect_ok(glnn_learner_train(again, data, &shorter, NULL));
        expect_ok(glnn_lvq_set_epochs(again, glnn_lvq_get_epochs(lvq)));
        expect_same_predictions(lvq, again, glnn_lvq_kind_name(kind));
        expect_same_classifiers(lvq, again, glnn_lvq_kind_name(kind));
        release_learning();
    }
}

/* A callback that uses the classifier at every report, with more and fewer samples than a batch. */
typedef struct curious {
    glnn_learner *lvq;
    const glnn_dataset *data;
    float *inputs;
    int reports;
} curious;

static bool look_around(void *user, const glnn_report *report)
{
    curious *c = user;
    glnn_metrics metrics;
    int winners[64];
    int64_t confusion[25];
    (void)report;
    if (c->data != NULL) {
        expect_ok(glnn_learner_evaluate(c->lvq, c->data, &metrics, confusion));
        expect_ok(glnn_learner_predict(c->lvq, c->reports % 2 ? 1 : 64, c->inputs, NULL, winners));
    }
    c->reports++;
    return true;
}

static void a_callback_may_use_the_classifier_without_a_change_of_what_it_learns(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = describe(kind, 6, 5, 2);
        const glnn_dataset *data = dataset_of(clouds(70, 6, 5));
        glnn_learner *lvqs[2];
        for (int i = 0; i < 2; ++i) {
            lvqs[i] = lvq_of(&desc);
            curious c = {lvqs[i], i == 0 ? data : NULL, floats_of(array_random(64, 6, -1.0, 1.0)),
                         0};
            const glnn_train_desc train = {
                .epochs = 2, .batch = 16, .report_every = 1, .report = look_around, .user = &c};
            expect_ok(glnn_learner_initialise(lvqs[i], data));
            expect_ok(glnn_learner_train(lvqs[i], data, &train, NULL));
            assert_true(c.reports >= 2);
        }
        expect_same_classifiers(lvqs[0], lvqs[1], glnn_lvq_kind_name(kind));
        release_learning();
    }
}

static void a_loss_that_is_no_number_ends_training_and_names_the_step(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = describe(kind, 2, 2, 1);
        const samples all = samples_random(8, 2, 2, true);
        const float far[4] = {3e38f, 3e38f, -3e38f, -3e38f};
        glnn_learner *lvq = lvq_of(&desc);
        expect_ok(lvq_write(lvq, far, NULL));
        expect_error(
            glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 1}, NULL),
            GLNN_E_DIVERGED, "epoch 1");
        release_learning();
    }
}

/* Numbers of prototypes between 1 and 2 change only by moves above 2^-24. */
static array prototypes_after(glnn_lvq_kind kind, bool two_parts, int steps, float rate,
                              const float *start, samples all)
{
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.kind = kind,
                                                .features = all.inputs.columns,
                                                .classes = all.outputs,
                                                .metric_rate = 1e-7f,
                                                .sigma = 1,
                                                .scale = 1,
                                                .two_parts = two_parts});
    const glnn_train_desc how = {.epochs = steps, .batch = GLNN_FULL_BATCH, .schedule.rate = rate};
    expect_ok(write_tensor(lvq, "prototypes", start));
    expect_ok(glnn_learner_train(lvq, dataset_of(all), &how, NULL));
    const array high = prototypes_of(lvq);
    float *low = floats_new(length_of(high));
    if (two_parts)
        expect_ok(read_tensor(lvq, "low", low));
    for (size_t i = 0; i < length_of(high); ++i)
        high.data[i] += (double)low[i] - (double)start[i];
    return high;
}

/* As far as 64 times a step that is large enough for float32. */
static void prototypes_of_two_parts_learn_where_float32_stalls(void **state)
{
    enum { STEPS = 64, CLASS_COUNT = 3, FEATURE_COUNT = 4, LENGTH = CLASS_COUNT * FEATURE_COUNT };
    (void)state;
    const float small = 0x1p-31f, large = 0x1p-11f;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        random_seed(3);
        samples all = samples_random(16, FEATURE_COUNT, CLASS_COUNT, true);
        const array start = array_random(CLASS_COUNT, FEATURE_COUNT, 1.1, 1.9);
        for (size_t i = 0; i < length_of(all.inputs); ++i)
            all.inputs.data[i] = 1.5 + 0.5 * all.inputs.data[i];
        const float *from = floats_of(start);
        const array one = prototypes_after(kind, false, 1, large, from, all);
        const array fine = prototypes_after(kind, true, STEPS, small, from, all);
        const array coarse = prototypes_after(kind, false, STEPS, small, from, all);
        const double times = STEPS * (double)small / (double)large;
        double most = 0;
        for (int i = 0; i < LENGTH; ++i)
            most = fmax(most, times * fabs(one.data[i]));
        assert_true(most > 0x1p-27);
        for (int i = 0; i < LENGTH; ++i) {
            assert_true(coarse.data[i] == 0);
            if (fabs(fine.data[i] - times * one.data[i]) > 0.01 * most)
                fail_msg("%s: number %d moves by %g instead of %g", glnn_lvq_kind_name(kind), i,
                         fine.data[i], times * one.data[i]);
        }
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_step_takes_as_many_passes_as_documented),
        LEARNING_TEST(steps_make_no_texture_or_program_and_do_not_wait),
        LEARNING_TEST(steps_of_one_sample_end_like_those_of_the_general_search),
        LEARNING_TEST(a_sample_that_is_no_number_ends_training_with_single_steps),
        LEARNING_TEST(equal_seeds_give_equal_bits),
        LEARNING_TEST(every_kind_learns_to_tell_clouds_apart),
        LEARNING_TEST(the_best_epoch_comes_back_with_its_metric_rates_and_predictions),
        LEARNING_TEST(a_callback_may_use_the_classifier_without_a_change_of_what_it_learns),
        LEARNING_TEST(a_loss_that_is_no_number_ends_training_and_names_the_step),
        LEARNING_TEST(error_curves_of_forty_epochs_are_those_of_double_precision),
        LEARNING_TEST(prototypes_of_two_parts_learn_where_float32_stalls),
    };
    return cmocka_run_group_tests_name("lvq training", tests, test_group_setup,
                                       test_group_teardown);
}
