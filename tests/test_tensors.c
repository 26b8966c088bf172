/* Tensors of learners by their names: what there is, reading, setting, and using them as operands.
 * */
#include "support/clusters.h"
#include "support/learner_files.h"
#include "support/prototypes.h"
#include "support/svms.h"

#include <glnn/trainer.h>

#include <math.h>
#include <string.h>

enum { FEATURES = 6, CLASSES = 3, SAMPLES = 30 };

static const glnn_network_desc network_desc = {
    .shape = {1, 2, 3},
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 4,
                .kernel = {2, 2},
                .activation = GLNN_ACTIVATION_RELU},
               {.kind = GLNN_LAYER_BATCH_NORM},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = CLASSES}},
    .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .two_parts = true},
    .seed = 3,
};

static samples some_samples(void)
{
    return samples_random(SAMPLES, FEATURES, CLASSES, true);
}

/* One of each kind, and of each kind of classifier with tensors of its own; NULL after the last. */
static glnn_learner *learner_number(int number)
{
    static const glnn_lvq_kind lvqs[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ,
                                         GLNN_LVQ_OLVQ1};
    if (number < 4)
        return lvq_of(&(glnn_lvq_desc){.kind = lvqs[number],
                                       .features = FEATURES,
                                       .classes = CLASSES,
                                       .prototypes = 2,
                                       .rank = 2,
                                       .two_parts = number % 2});
    if (number < 4 + GLNN_COVARIANCE_COUNT)
        return gmm_of(&(glnn_gmm_desc){.features = FEATURES,
                                       .components = 2,
                                       .classes = CLASSES,
                                       .covariance = (glnn_covariance)(number - 4)});
    switch (number - 4 - GLNN_COVARIANCE_COUNT) {
    case 0:
        return network_of(&network_desc);
    case 1:
        return kmeans_of(&(glnn_kmeans_desc){.features = FEATURES, .centres = 4});
    case 2:
        return svm_of(&(glnn_svm_desc){.features = FEATURES, .classes = CLASSES, .momentum = 0.5f});
    default:
        return NULL;
    }
}

static void expect_tensor_of_file(const glnn_learner *learner, int number,
                                  const glnn_safetensors *file)
{
    glnn_tensor_info info = {.size = sizeof info}, found = {.size = sizeof found};
    expect_ok(glnn_learner_get_tensor_info(learner, number, &info));
    expect_ok(glnn_learner_find_tensor(learner, info.name, &found));
    assert_memory_equal(&info, &found, sizeof info);
    const glnn_tensor *tensor = glnn_safetensors_find_tensor(file, info.name);
    assert_non_null(tensor);
    assert_int_equal(info.dimensions, tensor->dimensions);
    assert_memory_equal(info.shape, tensor->shape, sizeof info.shape);
    float *values = floats_new(info.count);
    expect_ok(glnn_learner_get_tensor(learner, info.name, info.count, values));
    assert_memory_equal(values, tensor->data, info.count * sizeof *values);
}

static void tensors_are_those_of_files(void **state)
{
    (void)state;
    const glnn_learner *learner;
    for (int n = 0; (learner = learner_number(n)) != NULL; ++n) {
        const file_path path = path_of("tensors");
        glnn_safetensors *file;
        expect_ok(glnn_learner_train((glnn_learner *)learner, dataset_of(some_samples()),
                                     &(glnn_train_desc){.epochs = 1}, NULL));
        expect_ok(glnn_learner_save(learner, path.text));
        expect_ok(glnn_safetensors_read(path.text, &file));
        const int count = glnn_learner_get_tensor_count(learner);
        assert_int_equal(count, glnn_safetensors_get_count(file));
        for (int i = 0; i < count; ++i)
            expect_tensor_of_file(learner, i, file);
        glnn_safetensors_free(file);
        release_learning();
    }
}

static void tensors_carry_all_that_a_learner_predicts_by(void **state)
{
    (void)state;
    glnn_learner *from, *to;
    for (int n = 0; (from = learner_number(n)) != NULL; ++n) {
        const array inputs = array_random(SAMPLES, FEATURES, -1.0, 1.0);
        float outputs[2][SAMPLES * 8];
        to = learner_number(n);
        expect_ok(glnn_learner_train(from, dataset_of(some_samples()),
                                     &(glnn_train_desc){.epochs = 1}, NULL));
        for (int i = 0; i < glnn_learner_get_tensor_count(from); ++i) {
            glnn_tensor_info info = {.size = sizeof info};
            expect_ok(glnn_learner_get_tensor_info(from, i, &info));
            float *values = floats_new(info.count);
            expect_ok(glnn_learner_get_tensor(from, info.name, info.count, values));
            expect_ok(glnn_learner_set_tensor(to, info.name, info.count, values));
        }
        expect_ok(glnn_learner_predict(from, SAMPLES, floats_of(inputs), outputs[0], NULL));
        expect_ok(glnn_learner_predict(to, SAMPLES, floats_of(inputs), outputs[1], NULL));
        assert_memory_equal(outputs[0], outputs[1],
                            SAMPLES * (size_t)glnn_learner_get_outputs(to) * sizeof(float));
        release_learning();
    }
}

static void the_names_roles_and_layers_of_a_network_are_those_of_its_header(void **state)
{
    (void)state;
    static const struct {
        const char *name, *role;
        int layer, dimensions;
        size_t shape[4];
    } wanted[] = {
        {"0.weight", "parameter", 0, 4, {4, 1, 2, 2}},
        {"0.bias", "parameter", 0, 1, {4}},
        {"glnn.0.state.0", "state", 0, 2, {17, 4}},
        {"glnn.0.state.1", "state", 0, 2, {17, 4}},
        {"glnn.0.state.2", "state", 0, 2, {17, 4}},
        {"2.weight", "parameter", 1, 1, {4}},
        {"2.bias", "parameter", 1, 1, {4}},
        {"2.running_mean", "statistic", 1, 1, {4}},
        {"2.running_var", "statistic", 1, 1, {4}},
        {"glnn.2.state.0", "state", 1, 2, {2, 4}},
        {"glnn.2.state.1", "state", 1, 2, {2, 4}},
        {"glnn.2.state.2", "state", 1, 2, {2, 4}},
        {"5.weight", "parameter", 3, 2, {3, 8}},
        {"5.bias", "parameter", 3, 1, {3}},
        {"glnn.5.state.0", "state", 3, 2, {9, 3}},
        {"glnn.5.state.1", "state", 3, 2, {9, 3}},
        {"glnn.5.state.2", "state", 3, 2, {9, 3}},
    };
    const glnn_learner *network = network_of(&network_desc);
    assert_int_equal(glnn_learner_get_tensor_count(network), COUNT_OF(wanted));
    for (size_t i = 0; i < COUNT_OF(wanted); ++i) {
        glnn_tensor_info info = {.size = sizeof info};
        expect_ok(glnn_learner_get_tensor_info(network, (int)i, &info));
        assert_string_equal(info.name, wanted[i].name);
        assert_string_equal(info.role, wanted[i].role);
        assert_int_equal(info.layer, wanted[i].layer);
        assert_int_equal(info.dimensions, wanted[i].dimensions);
        assert_memory_equal(info.shape, wanted[i].shape, sizeof info.shape);
    }
}

static void tensors_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 2, .classes = 2});
    glnn_tensor_info info = {.size = sizeof info};
    float values[4] = {0};
    expect_error(glnn_learner_get_tensor_info(svm, 2, &info), GLNN_E_ARG,
                 "glnn_learner_get_tensor_info: tensor 2 of a support vector machine that has 2");
    expect_error(glnn_learner_get_tensor_info(svm, -1, &info), GLNN_E_ARG, "tensor -1");
    expect_error(glnn_learner_find_tensor(svm, "weights", &info), GLNN_E_ARG,
                 "glnn_learner_find_tensor: the support vector machine has no tensor 'weights'; "
                 "did you mean 'weight'?");
    expect_error(glnn_learner_get_tensor(svm, "prototypes", 4, values), GLNN_E_ARG,
                 "has no tensor 'prototypes'; glnn_learner_get_tensor_info() lists those it has");
    expect_error(glnn_learner_set_tensor(svm, "velocity", 4, values), GLNN_E_ARG, "'velocity'");
    info.size = 0;
    expect_error(glnn_learner_get_tensor_info(svm, 0, &info), GLNN_E_ARG, "glnn_tensor_info.size");
    expect_error(glnn_learner_find_tensor(svm, "bias", &info), GLNN_E_ARG, "glnn_tensor_info.size");
}

static void a_wrong_count_is_refused_by_the_shape(void **state)
{
    (void)state;
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 2, .classes = 3});
    float values[8] = {0};
    expect_error(glnn_learner_get_tensor(svm, "weight", 8, values), GLNN_E_SHAPE,
                 "glnn_learner_get_tensor: `weight` is 3 x 2 and has 6 numbers, not 8");
    expect_error(glnn_learner_set_tensor(svm, "bias", 0, values), GLNN_E_SHAPE,
                 "glnn_learner_set_tensor: `bias` has 3 numbers, not 0");
}

static void states_that_no_training_makes_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_optimizer optimizer;
        const char *name, *sentence;
    } cases[] = {
        {{.kind = GLNN_OPTIMIZER_ADAM}, "glnn.0.state.1", "has a mean of squares of -1 in place 3"},
        {{.kind = GLNN_OPTIMIZER_RMSPROP},
         "glnn.0.state.0",
         "has a mean of squares of -1 in place 3"},
        {{.kind = GLNN_OPTIMIZER_RPROP},
         "glnn.0.state.1",
         "has a step of -1 in place 3; it has to be in [1e-06, 50], or 0 before the first update"},
    };
    const float values[6] = {0, 1e-6f, 50, -1, 0, 0};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_learner *network = network_of(&(glnn_network_desc){
            .features = 2, .layers = {{.units = 2}}, .optimizer = cases[i].optimizer});
        expect_error(glnn_learner_set_tensor(network, cases[i].name, 6, values), GLNN_E_ARG,
                     cases[i].sentence);
    }
}

static void classes_leave_rslvq_a_prototype_of_each(void **state)
{
    (void)state;
    glnn_learner *lvq =
        lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_RSLVQ, .features = 1, .classes = CLASSES});
    const float classes[CLASSES] = {2, 0, 2};
    expect_error(glnn_learner_set_tensor(lvq, "classes", CLASSES, classes), GLNN_E_ARG,
                 "`classes` has no prototype of class 1; rslvq needs one of each");
}

static void weights_and_covariances_make_a_mixture(void **state)
{
    (void)state;
    glnn_learner *gmm = gmm_of(
        &(glnn_gmm_desc){.features = 1, .components = 2, .covariance = GLNN_COVARIANCE_SPHERICAL});
    float means[2] = {7, 7}, variances[2] = {1, 1}, density;
    expect_ok(glnn_learner_set_tensor(gmm, "covariances", 2, variances));
    expect_error(glnn_learner_get_tensor(gmm, "means", 2, means), GLNN_E_STATE,
                 "no parameters yet");
    expect_ok(glnn_learner_set_tensor(gmm, "weights", 2, (float[]){1, 3}));
    expect_ok(glnn_learner_get_tensor(gmm, "means", 2, means));
    assert_true(means[0] == 0 && means[1] == 0);
    expect_ok(glnn_gmm_compute_densities(gmm, 1, (float[]){0}, &density, NULL));
    assert_true(fabs((double)density + log(2 * acos(-1)) / 2) < 1e-6);
}

static void matrices_of_tensors_have_their_numbers(void **state)
{
    (void)state;
    const glnn_matrix *matrix = NULL;
    const float prototypes[CLASSES] = {1, 2, 4}, classes[CLASSES] = {2, 0, 1};
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 1, .classes = CLASSES});
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 1, .components = 2});
    expect_ok(glnn_learner_set_tensor(lvq, "prototypes", CLASSES, prototypes));
    expect_ok(glnn_learner_set_tensor(lvq, "classes", CLASSES, classes));
    expect_ok(glnn_learner_get_tensor_matrix(lvq, "prototypes", &matrix));
    expect_equal(matrix, array_of_floats(CLASSES, 1, prototypes), "prototypes");
    expect_ok(glnn_learner_get_tensor_matrix(lvq, "classes", &matrix));
    expect_equal(matrix, array_of_floats(1, CLASSES, classes), "classes");
    expect_error(glnn_learner_get_tensor_matrix(gmm, "means", &matrix), GLNN_E_UNSUPPORTED,
                 "`means` of a mixture is in main memory and has no matrix");
    assert_null(matrix);
}

/* A training under way goes on from the numbers that were set. */
static void a_tensor_can_be_set_between_two_steps(void **state)
{
    (void)state;
    const glnn_train_desc how = {.epochs = 4, .batch = SAMPLES, .keep_order = true};
    const glnn_dataset *data = dataset_of(some_samples());
    const array drawn = array_random(1, CLASSES, -1.0, 1.0);
    glnn_learner *network = network_of(&network_desc), *other = network_of(&network_desc);
    glnn_trainer *trainer;
    expect_ok(glnn_trainer_create(network, data, &how, &trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    expect_ok(glnn_learner_set_tensor(network, "5.bias", CLASSES, floats_of(drawn)));
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        glnn_tensor_info info = {.size = sizeof info};
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        float *values = floats_new(info.count);
        expect_ok(read_tensor(network, info.name, values));
        expect_ok(write_tensor(other, info.name, values));
    }
    expect_ok(glnn_network_set_steps(other, 1));
    expect_ok(glnn_trainer_end_epoch(trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_trainer_destroy(trainer);
    expect_ok(glnn_learner_train(
        other, data, &(glnn_train_desc){.epochs = 1, .batch = SAMPLES, .keep_order = true}, NULL));
    expect_same_networks(network, other, "after a step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(tensors_are_those_of_files),
        LEARNING_TEST(tensors_carry_all_that_a_learner_predicts_by),
        LEARNING_TEST(the_names_roles_and_layers_of_a_network_are_those_of_its_header),
        LEARNING_TEST(tensors_that_do_not_exist_are_refused),
        LEARNING_TEST(states_that_no_training_makes_are_refused),
        LEARNING_TEST(classes_leave_rslvq_a_prototype_of_each),
        LEARNING_TEST(a_wrong_count_is_refused_by_the_shape),
        LEARNING_TEST(weights_and_covariances_make_a_mixture),
        LEARNING_TEST(matrices_of_tensors_have_their_numbers),
        LEARNING_TEST(a_tensor_can_be_set_between_two_steps),
    };
    return cmocka_run_group_tests_name("tensors", tests, learner_files_setup,
                                       learner_files_teardown);
}
