#include "runs.h"

#include <glnn/safetensors.h>

enum { SIDE = 6 };

static const glnn_network_desc networks[] = {
    {.features = FEATURES,
     .layers = {{.units = 6}, {.units = CLASSES}},
     .optimizer = {.momentum = 0.9f},
     .capacity = 4,
     .seed = 4},
    {.features = FEATURES,
     .layers = {{.units = 6, .activation = GLNN_ACTIVATION_RELU},
                {.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f},
                {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY}},
     .loss = GLNN_LOSS_CROSS_ENTROPY,
     .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
     .capacity = 4,
     .seed = 5},
    {.features = FEATURES,
     .layers = {{.units = 7}, {.units = CLASSES}},
     .loss = GLNN_LOSS_SQUARED,
     .optimizer = {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.8f, .clip_norm = 0.1f},
     .precision = GLNN_PRECISION_MIXED,
     .capacity = 16,
     .seed = 6},
    {.features = FEATURES,
     .layers = {{.units = 5}, {.units = CLASSES}},
     .optimizer = {.weight_decay = 0.01f},
     .capacity = 8,
     .seed = 7},
    {.shape = {1, SIDE, SIDE},
     .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 3, .kernel = {3, 3}, .padding = {1, 1}},
                {.kind = GLNN_LAYER_BATCH_NORM},
                {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}, .stride = {2, 2}},
                {.kind = GLNN_LAYER_FLATTEN},
                {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY}},
     .loss = GLNN_LOSS_CROSS_ENTROPY,
     .label_smoothing = 0.1f,
     .optimizer = {.kind = GLNN_OPTIMIZER_RMSPROP,
                   .momentum = 0.5f,
                   .two_parts = true,
                   .gradient_noise = 0.01f},
     .capacity = 16,
     .seed = 8},
    {.features = FEATURES,
     .layers = {{.units = 5}, {.units = CLASSES}},
     .optimizer = {.kind = GLNN_OPTIMIZER_RPROP},
     .capacity = 64,
     .seed = 9},
};

enum { MOMENTUM, ADAM_DROPOUT, NESTEROV_MIXED, PLAIN, IMAGES, FULL_BATCH };

static subject make_network(int choice)
{
    return (subject){.kind = NETWORK, .learner = network_of(&networks[choice])};
}

static subject make_svm(int loss)
{
    return (subject){.kind = SVM,
                     .learner = svm_of(&(glnn_svm_desc){.features = FEATURES,
                                                        .classes = CLASSES,
                                                        .loss = (glnn_svm_loss)loss,
                                                        .lambda = 0.01f,
                                                        .momentum = 0.5f,
                                                        .capacity = 4})};
}

static subject make_lvq(int kind)
{
    return (subject){.kind = LVQ,
                     .learner = lvq_of(&(glnn_lvq_desc){.kind = (glnn_lvq_kind)kind,
                                                        .features = FEATURES,
                                                        .classes = CLASSES,
                                                        .prototypes = 2,
                                                        .capacity = 4,
                                                        .seed = 2})};
}

static subject make_fine_lvq(int kind)
{
    return (subject){.kind = LVQ,
                     .learner = lvq_of(&(glnn_lvq_desc){.kind = (glnn_lvq_kind)kind,
                                                        .features = FEATURES,
                                                        .classes = CLASSES,
                                                        .prototypes = 2,
                                                        .two_parts = true,
                                                        .capacity = 4,
                                                        .seed = 2})};
}

static subject make_kmeans(int classes)
{
    return (subject){.kind = KMEANS,
                     .learner = kmeans_of(&(glnn_kmeans_desc){.features = FEATURES,
                                                              .centres = 8,
                                                              .classes = classes,
                                                              .init = GLNN_KMEANS_INIT_SAMPLES,
                                                              .tolerance = -1,
                                                              .capacity = 4,
                                                              .seed = 3})};
}

/* Two runs, of two epochs each if there are four. */
static subject make_restarting_kmeans(int classes)
{
    return (subject){.kind = KMEANS,
                     .learner = kmeans_of(&(glnn_kmeans_desc){.features = FEATURES,
                                                              .centres = 3,
                                                              .classes = classes,
                                                              .restarts = 1,
                                                              .tolerance = -1,
                                                              .capacity = 8,
                                                              .seed = 7})};
}

/* Half of the centres are far from all samples, so that they are placed anew. */
static subject make_far_kmeans(int classes)
{
    const subject made = make_kmeans(classes);
    array centres = array_random(8, FEATURES, -4, 4);
    for (int i = 0; i < 4; ++i)
        *at(centres, i, 0) = 1000 + i;
    set_centres(made.learner, centres);
    return made;
}

static subject make_mixture(int covariance)
{
    return (subject){.kind = MIXTURE,
                     .learner = gmm_of(&(glnn_gmm_desc){
                         .features = FEATURES,
                         .components = 2,
                         .classes = covariance == GLNN_COVARIANCE_FULL ? 0 : CLASSES,
                         .covariance = (glnn_covariance)covariance,
                         .variance_floor = 0.1f,
                         .tolerance = 0.05f,
                         .capacity = 8,
                         .seed = 5})};
}

#define BEST   .seed = 9, .validation_split = 0.2f, .restore_best = true
#define LINEAR .schedule = {.kind = GLNN_SCHEDULE_LINEAR, .rate = 0.1f, .final_rate = 0.01f}

const run runs[] = {
    {"momentum", make_network, MOMENTUM, .how = {.epochs = 3, .batch = 8, LINEAR, BEST}},
    {"ADAM, dropout, accumulated", make_network, ADAM_DROPOUT,
     .how = {.epochs = 3, .batch = 6, .accumulate = 3, .seed = 1}},
    {"Nesterov, clipped, mixed", make_network, NESTEROV_MIXED, .is_valued = true,
     .how = {.epochs = 4,
             .batch = 8,
             .schedule = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.1f},
             .patience = 1,
             .min_improvement = 0.5f,
             BEST}},
    {"streamed", make_network, PLAIN, .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 3, .batch = 8, .seed = 2}},
    {"own order", make_network, PLAIN, .how = {.epochs = 3, .batch = 8, .keep_order = true}},
    {"GLVQ", make_lvq, GLNN_LVQ_GLVQ, .how = {.epochs = 3, .batch = 8, LINEAR, BEST}},
    {"GRLVQ", make_lvq, GLNN_LVQ_GRLVQ, .how = {.epochs = 3, .batch = 8, BEST}},
    {"GMLVQ", make_lvq, GLNN_LVQ_GMLVQ, .how = {.epochs = 3, .batch = 8, BEST}},
    {"RSLVQ", make_lvq, GLNN_LVQ_RSLVQ, .how = {.epochs = 3, .batch = 8, BEST}},
    {"LVQ1", make_lvq, GLNN_LVQ_LVQ1, .how = {.epochs = 3, .batch = 8, .seed = 3}},
    {"OLVQ1", make_lvq, GLNN_LVQ_OLVQ1, .how = {.epochs = 3, .batch = 8, BEST}},
    {"LVQ2.1", make_lvq, GLNN_LVQ_LVQ21, .how = {.epochs = 3, .batch = 4, .accumulate = 2}},
    {"LVQ3", make_lvq, GLNN_LVQ_LVQ3, .how = {.epochs = 3, .batch = 8}},
    {"LVQ1 in two parts", make_fine_lvq, GLNN_LVQ_LVQ1, .how = {.epochs = 3, .batch = 8, BEST}},
    {"mini-batches", make_kmeans, 0, .how = {.epochs = 3, .batch = 8, BEST}},
    {"Lloyd", make_kmeans, 0, .how = {.epochs = 3, BEST}},
    {"Lloyd with centres far away", make_far_kmeans, 0, .how = {.epochs = 4, .seed = 2}},
    {"Lloyd with a restart", make_restarting_kmeans, 0, .how = {.epochs = 4}},
    {"Lloyd within classes, streamed", make_kmeans, CLASSES, .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 3}},
    {"full mixture", make_mixture, GLNN_COVARIANCE_FULL, .how = {.epochs = 4, BEST}},
    {"mixtures of classes", make_mixture, GLNN_COVARIANCE_DIAGONAL, .how = {.epochs = 8, BEST}},
    {"mixtures of classes, streamed", make_mixture, GLNN_COVARIANCE_SPHERICAL,
     .budget = (size_t)2 * 48 * 16, .how = {.epochs = 8}},
    {"images, distorted", make_network, IMAGES, .features = SIDE * SIDE,
     .how = {.epochs = 3, .batch = 8, .distortion = {.shift = 1, .elastic = 10, .sigma = 2}, BEST}},
    {"emphasis", make_network, MOMENTUM,
     .how = {.epochs = 4, .batch = 8, .emphasis = 1, LINEAR, BEST}},
    {"growing batch, accumulated", make_network, MOMENTUM,
     .how = {.epochs = 4,
             .batch = 3,
             .accumulate = 2,
             .batch_schedule = {.factor = 1.7f, .every = 1},
             LINEAR,
             BEST}},
    {"growing batch, streamed", make_lvq, GLNN_LVQ_GLVQ, .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 4, .batch = 4, .batch_schedule = {2, 2, 8, {0}}, .seed = 3}},
    {"emphasis, streamed", make_lvq, GLNN_LVQ_GLVQ, .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 4, .batch = 8, .emphasis = 1, BEST}},
    {"emphasis by weight", make_network, MOMENTUM,
     .how = {.epochs = 4,
             .batch = 8,
             .emphasis = 1,
             .emphasis_kind = GLNN_EMPHASIS_WEIGHT,
             LINEAR,
             BEST}},
    {"emphasis by weight, streamed", make_lvq, GLNN_LVQ_RSLVQ, .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 4, .batch = 8, .emphasis = 2, .emphasis_kind = GLNN_EMPHASIS_WEIGHT}},
    {"iRprop, full batch", make_network, FULL_BATCH,
     .how = {.epochs = 16, .batch = GLNN_FULL_BATCH, BEST}},
    {"hinge", make_svm, GLNN_SVM_HINGE, .how = {.epochs = 3, .batch = 8, LINEAR, BEST}},
    {"squared hinge, accumulated, streamed", make_svm, GLNN_SVM_SQUARED_HINGE,
     .budget = (size_t)2 * 48 * 16,
     .how = {.epochs = 3, .batch = 6, .accumulate = 3, .schedule.rate = 0.01f, .seed = 4}},
};

const int run_count = (int)COUNT_OF(runs);

glnn_dataset *data_of(const run *of)
{
    random_seed(7);
    const int features = of->features ? of->features : FEATURES;
    const samples made = of->is_valued ? samples_random(SAMPLES, features, CLASSES, false)
                                       : samples_clustered(SAMPLES, features, CLASSES, 2, CLASSES);
    glnn_dataset *data = dataset_within(made, of->budget);
    assert_int_equal(glnn_dataset_is_streamed(data), of->budget > 0);
    return data;
}

glnn_trainer *start_run(const run *of, const glnn_train_desc *how)
{
    glnn_dataset *data = data_of(of);
    const subject made = of->make(of->choice);
    return trainer_of(&made, data, how);
}

void advance(glnn_trainer *trainer, uint64_t steps, bool ends_epoch)
{
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    bool has_ended = false;
    while (!glnn_trainer_is_finished(trainer) && (has_ended || result->steps < steps)) {
        const int left = (int)(steps - result->steps);
        if (has_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
        if (has_ended && (glnn_trainer_is_finished(trainer) || left == 0))
            return;
        expect_ok(glnn_trainer_step(trainer, left, 0, NULL, &has_ended));
        if (result->steps == steps && !ends_epoch)
            return;
    }
}

void finish(glnn_trainer *trainer)
{
    while (!glnn_trainer_is_finished(trainer)) {
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
    }
}

/* ---- Comparing */

static const char *const keys[] = {"format", "version", "learner",   "training",
                                   "data",   "device",  "validation"};

/* Compares line by line; those with a time or a speed may differ. */
static void expect_same_numbers(const char *left, const char *right, const char *what)
{
    while (*left || *right) {
        const size_t length = strcspn(left, "\n");
        const char *second = strstr(left, "second");
        const bool is_time = second && second < left + length;
        if (!is_time && (strcspn(right, "\n") != length || strncmp(left, right, length) != 0))
            fail_at(__FILE__, __LINE__, "%s: %.*s became %.*s", what, (int)length, left,
                    (int)strcspn(right, "\n"), right);
        left += length + 1;
        right += strcspn(right, "\n") + 1;
    }
}

static void expect_same_arrays(const glnn_safetensors *left, const glnn_safetensors *right,
                               const char *what)
{
    const int count = glnn_safetensors_get_count(left);
    assert_true(count > 0);
    assert_int_equal(glnn_safetensors_get_count(right), count);
    for (int i = 0; i < count; ++i) {
        const glnn_tensor *of = glnn_safetensors_get_tensor(left, i);
        const glnn_tensor *found = glnn_safetensors_find_tensor(right, of->name);
        size_t length = 1;
        assert_non_null(found);
        for (int d = 0; d < of->dimensions; ++d) {
            assert_int_equal(of->shape[d], found->shape[d]);
            length *= of->shape[d];
        }
        for (size_t j = 0; j < length; ++j)
            if (memcmp(&of->data[j], &found->data[j], sizeof *of->data) != 0)
                fail_at(__FILE__, __LINE__, "%s: element %zu of %s is %.9g, not %.9g", what, j,
                        of->name, (double)found->data[j], (double)of->data[j]);
    }
}

void expect_same_checkpoints(const char *left, const char *right, const char *what)
{
    glnn_safetensors *a, *b;
    expect_ok(glnn_safetensors_read(left, &a));
    expect_ok(glnn_safetensors_read(right, &b));
    for (size_t i = 0; i < COUNT_OF(keys); ++i)
        assert_string_equal(glnn_safetensors_get_metadata(a, keys[i]),
                            glnn_safetensors_get_metadata(b, keys[i]));
    expect_same_numbers(glnn_safetensors_get_metadata(a, "numbers"),
                        glnn_safetensors_get_metadata(b, "numbers"), what);
    expect_same_arrays(a, b, what);
    glnn_safetensors_free(a);
    glnn_safetensors_free(b);
}
