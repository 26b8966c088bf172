/* Prototypes of data sets that stream: the same bits as those of resident ones. */
#include "support/prototypes.h"
#include "support/streams.h"

static void check_start_and_training(glnn_lvq_kind kind, glnn_lvq_init init)
{
    const glnn_lvq_desc desc = {.kind = kind,
                                .features = FEATURES,
                                .classes = CLASSES,
                                .prototypes = 3,
                                .init = init,
                                .capacity = 16};
    const glnn_train_desc train = {.epochs = 3, .batch = 24, .seed = 2};
    const samples all = some_samples(true);
    glnn_dataset *sets[2] = {dataset_of(all), streamed(all, budget_of(64))};
    glnn_learner *lvqs[2];
    glnn_metrics metrics[2];
    int64_t confusion[2][CLASSES * CLASSES];
    for (int i = 0; i < 2; ++i) {
        lvqs[i] = lvq_of(&desc);
        expect_ok(glnn_learner_initialise(lvqs[i], sets[i]));
        expect_ok(glnn_learner_train(lvqs[i], sets[i], &train, NULL));
        expect_ok(glnn_learner_evaluate(lvqs[i], sets[i], &metrics[i], confusion[i]));
    }
    expect_same_classifiers(lvqs[0], lvqs[1], glnn_lvq_kind_name(kind));
    assert_true(metrics[0].loss == metrics[1].loss && metrics[0].accuracy == metrics[1].accuracy);
    assert_memory_equal(confusion[0], confusion[1], sizeof confusion[0]);
    glnn_dataset_destroy(sets[1]);
    release_learning();
}

static void every_kind_learns_the_same_bits_from_a_stream(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind)
        check_start_and_training(kind, GLNN_LVQ_INIT_AUTO);
}

static void every_start_is_the_same_bits_from_a_stream(void **state)
{
    (void)state;
    for (glnn_lvq_init init = 0; init < GLNN_LVQ_INIT_COUNT; ++init)
        check_start_and_training(GLNN_LVQ_GLVQ, init);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_kind_learns_the_same_bits_from_a_stream),
        LEARNING_TEST(every_start_is_the_same_bits_from_a_stream),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("lvq stream", tests, learner_files_setup,
                                       learner_files_teardown);
}
