/* trainings - seeded trainings of every learner, and a hash of the bits that each ends with.
 *
 * A line for each training: its name, the 64-bit FNV-1a hash of the final parameters, the final
 * loss and, with --times, the seconds. Equal lines of two builds mean that they compute the same
 * bits. The tuning is off, so that plans do not depend on measured speeds.
 * $GLNN_STAGE chooses the stage. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <glnn/glnn.h>

#include "base/clock.h"
#include "common/arrays.h"
#include "common/check.h"
#include "common/options.h"

/* Sizes that are not multiples of a block, and batches that do not divide the samples. */
enum { SAMPLES = 517, CLASSES = 10 };

typedef struct settings {
    int device;
    bool times;
    bool given[2];
} settings;

static const option_row rows[] = {
    {"device", OPTION_INTEGER, offsetof(settings, device), "N", "0", "EGL device", .high = 64},
    {"times", OPTION_FLAG, offsetof(settings, times),
     .help = "print the seconds of each training, too"},
};

/* The result of a training. */
typedef struct outcome {
    uint64_t hash;
    double loss;
} outcome;

static const uint64_t fnv_start = 14695981039346656037u, fnv_prime = 1099511628211u;

static void hash_floats(outcome *end, const float *values, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < count * sizeof *values; ++i)
        end->hash = (end->hash ^ bytes[i]) * fnv_prime;
}

/* ---- Samples */

typedef struct samples {
    int features, classes;
    float *inputs;
    int labels[SAMPLES];
    glnn_dataset *labelled, *copied; /* copied: the targets are the inputs */
} samples;

/* Classes of equal size around random centres; neighbours overlap. */
static samples samples_new(glnn_context *ctx, int features, int classes)
{
    samples s = {.features = features, .classes = classes};
    float *centres = random_floats((size_t)(classes * features), 0, 2);
    s.inputs = random_floats((size_t)SAMPLES * (size_t)features, -2.5f, 2.5f);
    for (int i = 0; i < SAMPLES; ++i) {
        s.labels[i] = i % classes;
        for (int j = 0; j < features; ++j)
            s.inputs[i * features + j] += centres[s.labels[i] * features + j];
    }
    free(centres);
    glnn_dataset_desc desc = {.samples = SAMPLES, .features = features, .inputs = s.inputs};
    desc.targets = s.inputs;
    desc.outputs = features;
    CHECK(glnn_dataset_create(ctx, &desc, &s.copied));
    desc.targets = NULL;
    desc.outputs = 0;
    desc.labels = s.labels;
    desc.classes = classes;
    CHECK(glnn_dataset_create(ctx, &desc, &s.labelled));
    return s;
}

static void samples_free(samples *s)
{
    glnn_dataset_destroy(s->labelled);
    glnn_dataset_destroy(s->copied);
    free(s->inputs);
}

/* ---- Networks */

typedef struct network_training {
    int hidden;             /* layers of `desc` */
    glnn_network_desc desc; /* the last layer is left out */
    glnn_train_desc how;
} network_training;

/* The matrix of weights and biases of each layer, and the states of the optimizer. */
static void hash_network(glnn_context *ctx, outcome *end, const glnn_learner *network)
{
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        const glnn_matrix *matrix;
        CHECK(glnn_learner_get_tensor_info(network, i, &info));
        if (info.dimensions == 1) /* biases, which the matrix of the weights has */
            continue;
        CHECK(glnn_learner_get_tensor_matrix(network, info.name, &matrix));
        const size_t all =
            (size_t)glnn_matrix_get_rows(matrix) * (size_t)glnn_matrix_get_columns(matrix);
        float *values = allocate(all, sizeof *values);
        CHECK(glnn_matrix_download(ctx, matrix, NULL, values, 0));
        hash_floats(end, values, all);
        free(values);
    }
}

static void train_network(glnn_context *ctx, glnn_layout layout, const samples *s,
                          const void *chosen, outcome *end)
{
    const network_training *with = chosen;
    glnn_network_desc desc = with->desc;
    glnn_learner *network;
    glnn_train_result result = {.size = sizeof result};
    const bool classifies = desc.loss == GLNN_LOSS_CROSS_ENTROPY;
    desc.features = s->features;
    desc.layers[with->hidden].units = classifies ? s->classes : s->features;
    desc.layout = layout;
    CHECK(glnn_network_create(ctx, &desc, &network));
    CHECK(glnn_learner_train(network, classifies ? s->labelled : s->copied, &with->how, &result));
    end->loss = result.training.loss;
    hash_network(ctx, end, network);
    glnn_learner_destroy(network);
}

/* ---- Learning vector quantisation */

typedef struct quantiser {
    glnn_lvq_desc desc;
    glnn_train_desc how;
} quantiser;

/* The caller frees the numbers. */
static float *take_tensor(const glnn_learner *learner, const char *name, glnn_tensor_info *info)
{
    *info = (glnn_tensor_info){.size = sizeof *info};
    CHECK(glnn_learner_find_tensor(learner, name, info));
    float *values = allocate(info->count, sizeof *values);
    CHECK(glnn_learner_get_tensor(learner, name, info->count, values));
    return values;
}

static void hash_tensor(outcome *end, const glnn_learner *learner, const char *name)
{
    glnn_tensor_info info;
    float *values = take_tensor(learner, name, &info);
    hash_floats(end, values, info.count);
    free(values);
}

/* The squares of each column of Omega are summed, which are the relevances. */
static void hash_omega(outcome *end, const glnn_learner *lvq)
{
    glnn_tensor_info info;
    float *omega = take_tensor(lvq, "omega", &info);
    for (size_t j = 0; j < info.shape[1]; ++j) {
        double sum = 0;
        for (size_t i = j; i < info.count; i += info.shape[1])
            sum += (double)omega[i] * (double)omega[i];
        hash_floats(end, &(float){(float)sum}, 1);
    }
    hash_floats(end, omega, info.count);
    free(omega);
}

static void hash_quantiser(outcome *end, const glnn_learner *lvq)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    hash_tensor(end, lvq, "prototypes");
    if (desc->kind == GLNN_LVQ_GRLVQ)
        hash_tensor(end, lvq, "relevances");
    else if (desc->kind == GLNN_LVQ_GMLVQ)
        hash_omega(end, lvq);
    else
        for (int j = 0; j < desc->features; ++j) /* equal relevances */
            hash_floats(end, &(float){1}, 1);
    if (desc->kind == GLNN_LVQ_OLVQ1)
        hash_tensor(end, lvq, "rates");
}

static void train_quantiser(glnn_context *ctx, glnn_layout layout, const samples *s,
                            const void *chosen, outcome *end)
{
    const quantiser *with = chosen;
    glnn_lvq_desc desc = with->desc;
    glnn_learner *lvq;
    glnn_train_result result = {.size = sizeof result};
    desc.features = s->features;
    desc.classes = s->classes;
    desc.layout = layout;
    CHECK(glnn_lvq_create(ctx, &desc, &lvq));
    CHECK(glnn_learner_initialise(lvq, s->labelled));
    CHECK(glnn_learner_train(lvq, s->labelled, &with->how, &result));
    end->loss = result.training.loss;
    hash_quantiser(end, lvq);
    glnn_learner_destroy(lvq);
}

/* ---- K-means */

typedef struct clusters {
    glnn_kmeans_desc desc;
    glnn_train_desc how;
} clusters;

static void train_clusters(glnn_context *ctx, glnn_layout layout, const samples *s,
                           const void *chosen, outcome *end)
{
    const clusters *with = chosen;
    glnn_kmeans_desc desc = with->desc;
    glnn_learner *kmeans;
    glnn_train_result result = {.size = sizeof result};
    desc.features = s->features;
    desc.tolerance = -1;
    desc.layout = layout;
    CHECK(glnn_kmeans_create(ctx, &desc, &kmeans));
    CHECK(glnn_learner_train(kmeans, s->labelled, &with->how, &result));
    end->loss = result.training.loss;
    hash_tensor(end, kmeans, "centres");
    hash_tensor(end, kmeans, "sizes");
    glnn_learner_destroy(kmeans);
}

/* ---- Support vector machines */

typedef struct margins {
    glnn_svm_desc desc;
    glnn_train_desc how;
} margins;

static void train_svm(glnn_context *ctx, glnn_layout layout, const samples *s, const void *chosen,
                      outcome *end)
{
    const margins *with = chosen;
    glnn_svm_desc desc = with->desc;
    glnn_learner *svm;
    glnn_train_result result = {.size = sizeof result};
    desc.features = s->features;
    desc.classes = s->classes;
    desc.layout = layout;
    CHECK(glnn_svm_create(ctx, &desc, &svm));
    CHECK(glnn_learner_train(svm, s->labelled, &with->how, &result));
    end->loss = result.training.loss;
    hash_tensor(end, svm, "weight");
    hash_tensor(end, svm, "bias");
    glnn_learner_destroy(svm);
}

/* ---- Mixtures */

typedef struct mixture {
    glnn_covariance covariance;
    int components;
    bool has_classes;
} mixture;

static void train_mixture(glnn_context *ctx, glnn_layout layout, const samples *s,
                          const void *chosen, outcome *end)
{
    const mixture *with = chosen;
    const glnn_gmm_desc desc = {.features = s->features,
                                .components = with->components,
                                .classes = with->has_classes ? s->classes : 0,
                                .covariance = with->covariance,
                                .variance_floor = 0.01f,
                                .tolerance = -1,
                                .layout = layout,
                                .seed = 5};
    glnn_learner *gmm;
    glnn_train_result result = {.size = sizeof result};
    CHECK(glnn_gmm_create(ctx, &desc, &gmm));
    CHECK(
        glnn_learner_train(gmm, s->labelled, &(glnn_train_desc){.epochs = 4, .seed = 6}, &result));
    end->loss = result.training.loss;
    hash_tensor(end, gmm, "weights");
    hash_tensor(end, gmm, "means");
    hash_tensor(end, gmm, "covariances");
    glnn_learner_destroy(gmm);
}

/* ---- Principal components */

/* The layout is the library's own choice. */
static void fit_components(glnn_context *ctx, glnn_layout layout, const samples *s,
                           const void *chosen, outcome *end)
{
    (void)layout, (void)chosen;
    glnn_projection *p;
    CHECK(glnn_pca_fit(ctx, NULL, SAMPLES, s->features, s->inputs, &p));
    const size_t components = (size_t)glnn_projection_get_components(p);
    const float *eigenvalues = glnn_projection_get_eigenvalues(p);
    hash_floats(end, glnn_projection_get_mean(p), (size_t)s->features);
    hash_floats(end, glnn_projection_get_directions(p), components * (size_t)s->features);
    hash_floats(end, eigenvalues, components);
    end->loss = (double)eigenvalues[0];
    glnn_projection_destroy(p);
}

/* ---- The list */

typedef enum problem { USUAL, NARROW, WIDE, MANY_CLASSES, PROBLEM_COUNT } problem;

static const struct {
    int features, classes;
} sizes[PROBLEM_COUNT] = {[USUAL] = {37, CLASSES},
                          [NARROW] = {7, CLASSES},
                          [WIDE] = {785, CLASSES},
                          [MANY_CLASSES] = {37, 100}};

typedef struct training {
    const char *name;
    void (*run)(glnn_context *ctx, glnn_layout layout, const samples *s, const void *chosen,
                outcome *end);
    const void *chosen;
    problem of;
    bool has_one_layout;
} training;

/* clang-format off */
#define NETWORK(...) .run = train_network, .chosen = &(const network_training){__VA_ARGS__}
#define LVQ(...) .run = train_quantiser, .chosen = &(const quantiser){__VA_ARGS__}
#define KMEANS(...) .run = train_clusters, .chosen = &(const clusters){__VA_ARGS__}
#define SVM(...) .run = train_svm, .chosen = &(const margins){__VA_ARGS__}
#define MIXTURE(...) .run = train_mixture, .chosen = &(const mixture){__VA_ARGS__}
/* clang-format on */
#define HOW(...) .how = {.seed = 3, __VA_ARGS__}

static const training trainings[] = {
    {"mlp_momentum_batch_parts",
     NETWORK(
         1, {.layers = {{.units = 50}}, .optimizer = {.momentum = 0.9f}, .capacity = 64, .seed = 1},
         HOW(.epochs = 3, .batch = 150)),
     .of = WIDE},
    {"mlp_single_samples",
     NETWORK(1, {.layers = {{.units = 20}}, .seed = 1}, HOW(.epochs = 1, .batch = 1)), .of = WIDE},
    {"mlp_adam_keeps_best",
     NETWORK(2,
             {.layers = {{.units = 50, .activation = GLNN_ACTIVATION_TANH}, {.units = 30}},
              .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .weight_decay = 0.01f},
              .seed = 1},
             HOW(.epochs = 3, .batch = 100, .validation_split = 0.2f, .restore_best = true))},
    {"mlp_mixed_precision", NETWORK(1,
                                    {.layers = {{.units = 50}},
                                     .optimizer = {.momentum = 0.9f},
                                     .precision = GLNN_PRECISION_MIXED,
                                     .seed = 1},
                                    HOW(.epochs = 3, .batch = 64))},
    {"mlp_100_outputs",
     NETWORK(1, {.layers = {{.units = 50}}, .optimizer = {.momentum = 0.9f}, .seed = 1},
             HOW(.epochs = 3)),
     .of = MANY_CLASSES},
    {"mlp_squared_error", NETWORK(1,
                                  {.layers = {{.units = 20, .activation = GLNN_ACTIVATION_SIGMOID}},
                                   .loss = GLNN_LOSS_SQUARED,
                                   .optimizer = {GLNN_OPTIMIZER_NESTEROV, .momentum = 0.5f},
                                   .seed = 1},
                                  HOW(.epochs = 3))},
    {"lvq1",
     LVQ({.kind = GLNN_LVQ_LVQ1, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 16))},
    {"olvq1",
     LVQ({.kind = GLNN_LVQ_OLVQ1, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 16))},
    {"lvq2.1",
     LVQ({.kind = GLNN_LVQ_LVQ21, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 16))},
    {"glvq",
     LVQ({.kind = GLNN_LVQ_GLVQ, .prototypes = 3, .xi_growth = 1, .capacity = 64, .seed = 2},
         HOW(.epochs = 3, .batch = 100)),
     .of = MANY_CLASSES},
    {"glvq_single_samples", LVQ({.kind = GLNN_LVQ_GLVQ, .seed = 2}, HOW(.epochs = 1, .batch = 1))},
    {"grlvq",
     LVQ({.kind = GLNN_LVQ_GRLVQ, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 100))},
    {"gmlvq",
     LVQ({.kind = GLNN_LVQ_GMLVQ, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 100))},
    {"rslvq",
     LVQ({.kind = GLNN_LVQ_RSLVQ, .prototypes = 3, .seed = 2}, HOW(.epochs = 3, .batch = 100))},
    {"kmeans_mini_batches", KMEANS({.centres = 12, .init = GLNN_KMEANS_INIT_SAMPLES, .seed = 4},
                                   HOW(.epochs = 3, .batch = 64))},
    {"kmeans_lloyd", KMEANS({.centres = 3, .classes = CLASSES, .seed = 4}, HOW(.epochs = 4))},
    {"mixture_diagonal", MIXTURE(GLNN_COVARIANCE_DIAGONAL, 6, false), .of = NARROW},
    {"mixture_diagonal_classes", MIXTURE(GLNN_COVARIANCE_DIAGONAL, 2, true), .of = NARROW},
    {"mixture_full", MIXTURE(GLNN_COVARIANCE_FULL, 6, false), .of = NARROW},
    {"mixture_full_classes", MIXTURE(GLNN_COVARIANCE_FULL, 2, true), .of = NARROW},
    {"svm_hinge", SVM({.momentum = 0.5f}, HOW(.epochs = 3, .batch = 50))},
    {"svm_squared_hinge_parts",
     SVM({.loss = GLNN_SVM_SQUARED_HINGE, .capacity = 64}, HOW(.epochs = 3, .batch = 100)),
     .of = MANY_CLASSES},
    {"pca", .run = fit_components, .has_one_layout = true},
};

static void run(glnn_context *ctx, const training *t, glnn_layout layout, const samples *s,
                bool with_time)
{
    outcome end = {.hash = fnv_start};
    const double start = glnn__clock_seconds();
    t->run(ctx, layout, s, t->chosen, &end);
    printf("%s%s%s\t%016" PRIx64 "\t%.6g", t->name, t->has_one_layout ? "" : ".",
           t->has_one_layout ? "" : glnn_layout_name(layout), end.hash, end.loss);
    if (with_time)
        printf("\t%.2f", glnn__clock_seconds() - start);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const glnn_layout layouts[] = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED};
    static samples problems[PROBLEM_COUNT];
    settings with;
    glnn_context *ctx;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains every learner and prints hashes of the bits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with,
                                 .given = offsetof(settings, given)},
                 argc, argv, &with);
    CHECK(glnn_context_create(
        &(glnn_context_desc){.device = with.device, .tuning = GLNN_TUNING_OFF}, &ctx));
    for (int i = 0; i < PROBLEM_COUNT; ++i)
        problems[i] = samples_new(ctx, sizes[i].features, sizes[i].classes);
    for (size_t i = 0; i < sizeof trainings / sizeof trainings[0]; ++i)
        for (int j = 0; j < (trainings[i].has_one_layout ? 1 : 2); ++j)
            run(ctx, &trainings[i], layouts[j], &problems[trainings[i].of], with.times);
    for (int i = 0; i < PROBLEM_COUNT; ++i)
        samples_free(&problems[i]);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
