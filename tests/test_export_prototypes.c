/* Classifiers of prototypes as C files: compiled, they predict what the library predicts. */
#include "support/clusters.h"
#include "support/exports.h"
#include "support/prototypes.h"

enum { CLASSES = 3, FEATURES = 4 };

static glnn_learner *trained_lvq(glnn_lvq_kind kind, int rank, samples of)
{
    static const int counts[CLASSES + 1] = {2, 3, 1, 0};
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){
        .kind = kind,
        .features = FEATURES,
        .classes = CLASSES + (kind != GLNN_LVQ_RSLVQ),
        .prototypes_of = counts,
        .rank = rank,
        .seed = 7,
    });
    of.outputs = CLASSES + (kind != GLNN_LVQ_RSLVQ);
    expect_ok(
        glnn_learner_train(lvq, dataset_of(of), &(glnn_train_desc){.epochs = 3, .batch = 5}, NULL));
    return lvq;
}

static void expect_same_lvq(glnn_learner *lvq, const float *inputs, const char *what)
{
    const file_path path = path_of("lvq.c");
    expect_ok(glnn_learner_export_c(lvq, path.text, "lvq_2"));
    const exported of = export_open(path.text, "lvq_2");
    assert_int_equal(of.features, FEATURES);
    const predicted wanted = predicted_by_lvq(lvq, inputs);
    expect_same_outputs(&of, EXPORT_SAMPLES, inputs, wanted.outputs, wanted.classes, what);
}

static void every_kind_of_lvq_is_exported_with_its_metric(void **state)
{
    (void)state;
    for (int k = 0; k < GLNN_LVQ_KIND_COUNT; ++k) {
        const glnn_lvq_kind kind = (glnn_lvq_kind)k;
        for (int rank = 0; rank <= (kind == GLNN_LVQ_GMLVQ ? 2 : 0); rank += 2) {
            const samples of = samples_clustered(EXPORT_SAMPLES, FEATURES, CLASSES, 1.0, CLASSES);
            expect_same_lvq(trained_lvq(kind, rank, of), floats_of(of.inputs),
                            glnn_lvq_kind_name(kind));
            release_learning();
        }
    }
}

/* The library compares such samples relative to an offset. */
static void prototypes_far_from_zero_are_exported_exactly(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ};
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const samples of = samples_clustered(EXPORT_SAMPLES, FEATURES, CLASSES, 1.0, CLASSES);
        for (size_t i = 0; i < length_of(of.inputs); ++i)
            of.inputs.data[i] = (float)(of.inputs.data[i] + 60000);
        expect_same_lvq(trained_lvq(kinds[k], 0, of), floats_of(of.inputs),
                        glnn_lvq_kind_name(kinds[k]));
        release_learning();
    }
}

static void centres_are_exported_with_classes_and_without(void **state)
{
    (void)state;
    for (int classes = 0; classes <= CLASSES; classes += CLASSES) {
        const samples of = samples_clustered(EXPORT_SAMPLES, FEATURES, 6, 1.0, classes);
        const file_path path = path_of("kmeans.c");
        const float *inputs = floats_of(of.inputs);
        glnn_learner *kmeans =
            kmeans_of(&(glnn_kmeans_desc){.features = FEATURES, .centres = 2, .classes = classes});
        expect_ok(glnn_learner_train(kmeans, dataset_of(of), NULL, NULL));
        expect_ok(glnn_learner_export_c(kmeans, path.text, "K"));
        const exported code = export_open(path.text, "K");
        const predicted wanted = predicted_by_kmeans(kmeans, inputs);
        assert_int_equal(code.outputs, glnn_learner_get_outputs(kmeans));
        expect_same_outputs(&code, EXPORT_SAMPLES, inputs, wanted.outputs, wanted.classes,
                            "k-means");
        release_learning();
    }
}

static void a_sample_without_a_finite_distance_has_no_class(void **state)
{
    (void)state;
    const file_path path = path_of("far.c");
    const float centres[2 * FEATURES] = {0}, far[FEATURES] = {INFINITY};
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = FEATURES, .centres = 2});
    expect_ok(write_tensor(kmeans, "centres", centres));
    expect_ok(glnn_learner_export_c(kmeans, path.text, "far"));
    assert_int_equal(export_open(path.text, "far").classify(far), -1);
    assert_int_equal(export_open(path.text, "far").classify(centres), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(every_kind_of_lvq_is_exported_with_its_metric),
        EXPORT_TEST(prototypes_far_from_zero_are_exported_exactly),
        EXPORT_TEST(centres_are_exported_with_classes_and_without),
        EXPORT_TEST(a_sample_without_a_finite_distance_has_no_class),
    };
    return cmocka_run_group_tests_name("export of prototypes", tests, learner_files_setup,
                                       learner_files_teardown);
}
