/* Class numbers that LVQ, k-means and mixtures leave in matrices. */
#include "support/subjects.h"

/* The learner of a kind, trained; the last one is a mixture without classes. */
enum { LEARNERS = KINDS + 1 };

static subject trained(int kind)
{
    subject made = {.kind = MIXTURE};
    samples all = some_samples();
    if (kind < KINDS) {
        made = subject_of((learner_kind)kind);
    } else {
        made.learner =
            gmm_of(&(glnn_gmm_desc){.features = FEATURES, .components = 3, .capacity = 12});
        all = samples_clustered(SAMPLES, FEATURES, CLASSES, 2, 0);
    }
    expect_ok(
        train_subject(&made, dataset_of(all), &(glnn_train_desc){.epochs = 2, .seed = 3}, NULL));
    return made;
}

static array classes_of(const subject *of, array inputs)
{
    int *classes = malloc((size_t)inputs.rows * sizeof *classes);
    assert_non_null(classes);
    expect_ok(glnn_learner_predict(of->learner, inputs.rows, floats_of(inputs), NULL, classes));
    array found = array_new(inputs.rows, 1);
    for (int i = 0; i < inputs.rows; ++i)
        found.data[i] = classes[i];
    free(classes);
    return found;
}

static void every_number_of_samples_has_the_classes_of_predictions_in_arrays(void **state)
{
    (void)state;
    static const int counts[] = {1, 3, 4, 5, 31};
    for (int kind = LVQ; kind < LEARNERS; ++kind) {
        const subject of = trained(kind);
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            const array inputs = array_random(counts[i], FEATURES, -4.0, 4.0);
            glnn_matrix *classes =
                matrix_of(array_numbered(counts[i], 1), rendered_layout(i + (size_t)kind));
            expect_ok(glnn_learner_predict_matrix(
                of.learner, matrix_of(inputs, (glnn_layout)(1 + i % 4)), classes));
            expect_equal(classes, classes_of(&of, inputs), "learner %d, %d samples", kind,
                         counts[i]);
        }
        release_learning();
    }
}

static void a_sample_that_is_not_a_number_has_the_class_minus_one(void **state)
{
    (void)state;
    for (int kind = LVQ; kind <= LLOYD; ++kind) {
        const subject of = trained(kind);
        array inputs = array_random(4, FEATURES, -1.0, 1.0), want = classes_of(&of, inputs);
        glnn_matrix *classes = matrix_zero(4, 1, GLNN_LAYOUT_TILED);
        *at(inputs, 2, 1) = NAN;
        want.data[2] = -1;
        expect_ok(glnn_learner_predict_matrix(of.learner, matrix_of(inputs, GLNN_LAYOUT_PACKED),
                                              classes));
        expect_equal(classes, want, "not a number");
        release_learning();
    }
}

static void later_calls_create_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    for (int kind = LVQ; kind < LEARNERS; ++kind) {
        const subject of = trained(kind);
        glnn_matrix *inputs = matrix_zero(31, FEATURES, GLNN_LAYOUT_TILED);
        glnn_matrix *classes = matrix_zero(31, 1, GLNN_LAYOUT_TILED);
        expect_ok(glnn_learner_predict_matrix(of.learner, inputs, classes));
        glnn_context_reset_counters(glnn_test_context());
        expect_ok(glnn_learner_predict_matrix(of.learner, inputs, classes));
        const glnn_counters made = counters_of(glnn_test_context());
        assert_int_equal(made.textures_created + made.waits + made.bytes_downloaded, 0);
        release_learning();
    }
}

/* Centres far from 0 are kept relative to an offset. */
static void predictions_follow_centres_that_are_set(void **state)
{
    (void)state;
    const subject of = trained(LLOYD);
    const int count = tensor_rows(of.learner, "centres");
    array values = array_random(4, FEATURES, -1.0, 1.0);
    glnn_matrix *inputs = matrix_of(values, GLNN_LAYOUT_TILED);
    glnn_matrix *classes = matrix_zero(4, 1, GLNN_LAYOUT_TILED);
    static const double places[] = {0, 100, 0};
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        array centres = array_random(count, FEATURES, -1.0, 1.0);
        for (int j = 0; j < count * FEATURES; ++j)
            centres.data[j] += places[i];
        for (int j = 0; j < 4 * FEATURES; ++j)
            values.data[j] += places[i] - (i > 0 ? places[i - 1] : 0);
        expect_ok(write_tensor(of.learner, "centres", floats_of(centres)));
        expect_ok(glnn_matrix_upload(glnn_test_context(), inputs, NULL, floats_of(values), 0));
        expect_ok(glnn_learner_predict_matrix(of.learner, inputs, classes));
        expect_equal(classes, classes_of(&of, values), "centres at %g", places[i]);
    }
    release_learning();
}

static void matrices_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (int kind = LVQ; kind < LEARNERS; ++kind) {
        const subject of = trained(kind);
        glnn_matrix *inputs = matrix_zero(6, FEATURES, GLNN_LAYOUT_TILED);
        glnn_matrix *narrow = matrix_zero(6, FEATURES - 1, GLNN_LAYOUT_TILED);
        glnn_matrix *classes = matrix_zero(6, 1, GLNN_LAYOUT_TILED);
        expect_error(
            glnn_learner_predict_matrix(of.learner, inputs, matrix_zero(6, 1, GLNN_LAYOUT_PAGED)),
            GLNN_E_ARG, "`predictions` (matrix) is paged");
        expect_error(
            glnn_learner_predict_matrix(of.learner, inputs, matrix_zero(6, 2, GLNN_LAYOUT_TILED)),
            GLNN_E_SHAPE, "`predictions` (matrix) is 6 x 2; it must be 6 x 1");
        expect_error(glnn_learner_predict_matrix(of.learner, narrow, classes), GLNN_E_SHAPE,
                     "`inputs` (matrix) is 6 x 4; it must be 6 x 5");
        release_learning();
    }
    const subject fresh = {
        .learner = gmm_of(&(glnn_gmm_desc){.features = FEATURES, .components = 3, .capacity = 12})};
    expect_error(glnn_learner_predict_matrix(fresh.learner,
                                             matrix_zero(6, FEATURES, GLNN_LAYOUT_TILED),
                                             matrix_zero(6, 1, GLNN_LAYOUT_TILED)),
                 GLNN_E_STATE, "glnn_learner_predict_matrix: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_number_of_samples_has_the_classes_of_predictions_in_arrays),
        LEARNING_TEST(a_sample_that_is_not_a_number_has_the_class_minus_one),
        LEARNING_TEST(predictions_follow_centres_that_are_set),
        LEARNING_TEST(later_calls_create_nothing_and_wait_for_nothing),
        LEARNING_TEST(matrices_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("classes_matrices", tests, test_group_setup,
                                       test_group_teardown);
}
