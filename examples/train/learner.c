#include "learner.h"

#include <glnn/export.h>
#include <glnn/safetensors.h>
#include <glnn/trainer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/plot.h"

/* Calls glnn_<learner>_<verb> with the learner that is there. */
#define GET(of, verb)                                                                              \
    ((of)->network  ? glnn_network_##verb((of)->network)                                           \
     : (of)->lvq    ? glnn_lvq_##verb((of)->lvq)                                                   \
     : (of)->kmeans ? glnn_kmeans_##verb((of)->kmeans)                                             \
                    : glnn_gmm_##verb((of)->gmm))
#define CALL(of, verb, ...)                                                                        \
    ((of)->network  ? glnn_network_##verb((of)->network, __VA_ARGS__)                              \
     : (of)->lvq    ? glnn_lvq_##verb((of)->lvq, __VA_ARGS__)                                      \
     : (of)->kmeans ? glnn_kmeans_##verb((of)->kmeans, __VA_ARGS__)                                \
                    : glnn_gmm_##verb((of)->gmm, __VA_ARGS__))

/* A field that the descriptions of all learners have. */
#define DESC(of, field)                                                                            \
    ((of)->network  ? glnn_network_get_desc((of)->network)->field                                  \
     : (of)->lvq    ? glnn_lvq_get_desc((of)->lvq)->field                                          \
     : (of)->kmeans ? glnn_kmeans_get_desc((of)->kmeans)->field                                    \
                    : glnn_gmm_get_desc((of)->gmm)->field)

static glnn_network *create_network(glnn_context *ctx, const settings *with, const samples *data)
{
    const bool targets = settings_learn_targets(with);
    const int hidden = with->list.count;
    glnn_network *network;
    glnn_network_desc desc = {.features = data->features,
                              .shape = data->shape,
                              .loss = with->loss,
                              .init = with->weights,
                              .optimizer = {.kind = with->optimizer,
                                            .momentum = with->momentum,
                                            .weight_decay = with->decay,
                                            .gradient_noise = with->gradient_noise,
                                            .two_parts = with->two_parts},
                              .label_smoothing = with->label_smoothing,
                              .layout = with->layout,
                              .precision = with->precision,
                              .seed = with->seed};
    REQUIRE(data->shape.width > 0 || !layers_need_images(&with->list) ||
            refuse("--layers: convolution and pooling need images, but the samples are %d features "
                   "without a shape; use --shape HxW or HxWxC, as in --shape 28x28",
                   data->features));
    for (int i = 0; i < hidden; ++i)
        desc.layers[i] = with->list.layers[i];
    desc.layers[hidden].units = targets ? data->columns.targets : data->classes.count;
    if (with->loss == GLNN_LOSS_SQUARED && !targets)
        desc.layers[hidden].activation = GLNN_ACTIVATION_SIGMOID;
    const glnn_status status = glnn_network_create(ctx, &desc, &network);
    char last[32];
    snprintf(last, sizeof last, "layer %d:", hidden);
    REQUIRE(status == GLNN_OK || strstr(glnn_last_error(), last) == NULL ||
            refuse("%s (layer %d is the one of the outputs, which follows your layers)",
                   glnn_last_error(), hidden));
    CHECK(status);
    return network;
}

/* Classes without training samples get no prototypes; a codebook has its own counts. */
static int *count_prototypes(const settings *with, const samples *data,
                             const glnn_codebook *codebook)
{
    int *counts = calloc((size_t)data->classes.count + 1, sizeof *counts);
    REQUIRE(counts != NULL || refuse("no memory for %d classes", data->classes.count));
    for (int i = 0; codebook && i < codebook->count; ++i)
        ++counts[codebook->labels[i]];
    for (int i = 0; !codebook && i < data->train.samples; ++i)
        counts[data->train.labels[i]] = with->prototypes;
    return counts;
}

static glnn_lvq *create_lvq(glnn_context *ctx, const settings *with, const samples *data,
                            const glnn_codebook *codebook)
{
    int *counts = count_prototypes(with, data, codebook);
    const glnn_lvq_desc desc = {.kind = (glnn_lvq_kind)(with->learner - LEARNER_LVQ),
                                .features = data->features,
                                .classes = data->classes.count,
                                .prototypes_of = counts,
                                .init = with->init,
                                .xi = with->xi,
                                .window = with->window,
                                .epsilon = with->epsilon,
                                .sigma = with->sigma,
                                .rank = with->rank,
                                .search = with->search,
                                .layout = with->layout,
                                .seed = with->seed};
    glnn_lvq *lvq;
    CHECK(glnn_lvq_create(ctx, &desc, &lvq));
    free(counts);
    if (codebook)
        CHECK(glnn_lvq_set_prototypes(lvq, codebook->vectors, codebook->labels));
    return lvq;
}

static glnn_kmeans *create_kmeans(glnn_context *ctx, const settings *with, const samples *data)
{
    const glnn_kmeans_desc desc = {.features = data->features,
                                   .centres = with->prototypes,
                                   .classes = data->classes.count,
                                   .init = with->init == GLNN_LVQ_INIT_SAMPLES
                                               ? GLNN_KMEANS_INIT_SAMPLES
                                               : GLNN_KMEANS_INIT_PLUS_PLUS,
                                   .restarts = with->restarts,
                                   .search = with->search,
                                   .layout = with->layout,
                                   .seed = with->seed};
    glnn_kmeans *kmeans;
    CHECK(glnn_kmeans_create(ctx, &desc, &kmeans));
    return kmeans;
}

static glnn_gmm *create_gmm(glnn_context *ctx, const settings *with, const samples *data)
{
    const glnn_gmm_desc desc = {.features = data->features,
                                .components = with->prototypes,
                                .classes = data->classes.count,
                                .covariance = with->covariance,
                                .variance_floor = with->variance_floor,
                                .shrinkage = with->shrinkage,
                                .layout = with->layout,
                                .seed = with->seed};
    glnn_gmm *gmm;
    const glnn_status status = glnn_gmm_create(ctx, &desc, &gmm);
    REQUIRE(status != GLNN_E_LIMIT || with->covariance != GLNN_COVARIANCE_FULL ||
            data->features <= GLNN_GMM_MAX_FULL_FEATURES ||
            refuse("%s; use --covariance diagonal, or --pca %d", glnn_last_error(),
                   GLNN_GMM_MAX_FULL_FEATURES));
    CHECK(status);
    return gmm;
}

learner learner_create(glnn_context *ctx, const settings *with, const samples *data,
                       const glnn_codebook *codebook)
{
    switch (with->learner) {
    case LEARNER_NETWORK:
        return (learner){.network = create_network(ctx, with, data)};
    case LEARNER_KMEANS:
        return (learner){.kmeans = create_kmeans(ctx, with, data)};
    case LEARNER_GMM:
        return (learner){.gmm = create_gmm(ctx, with, data)};
    default:
        return (learner){.lvq = create_lvq(ctx, with, data, codebook)};
    }
}

/* Whether a file is of that format. A file of an unknown format is left to glnn_network_load, whose
 * sentence says so. */
static bool has_format(const char *path, const char *format)
{
    glnn_safetensors *file;
    CHECK(glnn_safetensors_read(path, &file));
    const char *found = glnn_safetensors_get_metadata(file, "format");
    const bool equal = found && strcmp(found, format) == 0;
    glnn_safetensors_free(file);
    return equal;
}

learner learner_load(glnn_context *ctx, const settings *with)
{
    const glnn_load_desc desc = {.layout = with->layout};
    learner of = {0};
    if (has_format(with->load, "glnn-lvq"))
        CHECK(glnn_lvq_load(ctx, with->load, &desc, &of.lvq));
    else if (has_format(with->load, "glnn-kmeans"))
        CHECK(glnn_kmeans_load(ctx, with->load, &desc, &of.kmeans));
    else if (has_format(with->load, "glnn-gmm"))
        CHECK(glnn_gmm_load(ctx, with->load, &desc, &of.gmm));
    else
        CHECK(glnn_network_load(ctx, with->load, &desc, &of.network));
    if (of.network)
        CHECK(glnn_network_set_precision(of.network, with->precision));
    REQUIRE((of.kmeans == NULL || glnn_kmeans_get_desc(of.kmeans)->classes > 0) ||
            refuse("%s: the k-means has no classes, so it cannot classify samples", with->load));
    REQUIRE((of.gmm == NULL || glnn_gmm_get_desc(of.gmm)->classes > 0) ||
            refuse("%s: the mixture has no classes, so it cannot classify samples", with->load));
    return of;
}

void learner_save(const learner *of, const char *path)
{
    CHECK(CALL(of, save, path));
    printf("saved      %s\n", path);
}

void learner_destroy(learner *of)
{
    glnn_network_destroy(of->network);
    glnn_lvq_destroy(of->lvq);
    glnn_kmeans_destroy(of->kmeans);
    glnn_gmm_destroy(of->gmm);
    *of = (learner){0};
}

int learner_get_kind(const learner *of)
{
    return of->network  ? LEARNER_NETWORK
           : of->lvq    ? LEARNER_LVQ + (int)glnn_lvq_get_desc(of->lvq)->kind
           : of->kmeans ? LEARNER_KMEANS
                        : LEARNER_GMM;
}

void learner_set_preparation(const learner *of, const glnn_preparation *preparation)
{
    CHECK(CALL(of, set_preparation, preparation));
}

const glnn_preparation *learner_get_preparation(const learner *of)
{
    return GET(of, get_preparation);
}

int learner_get_features(const learner *of)
{
    return DESC(of, features);
}

glnn_shape learner_get_image(const learner *of)
{
    const glnn_shape of_network = glnn_network_get_shape(of->network, -1);
    return of_network.height * of_network.width > 1 ? of_network : (glnn_shape){0};
}

int learner_get_outputs(const learner *of)
{
    return GET(of, get_outputs);
}

/* Only dense layers, of which the hidden ones have one activation: "784-128-10, relu". */
static bool show_dense_layers(const glnn_network_desc *desc)
{
    for (int i = 0; i < desc->layer_count; ++i)
        if (desc->layers[i].kind != GLNN_LAYER_DENSE ||
            (i + 1 < desc->layer_count && desc->layers[i].activation != desc->layers[0].activation))
            return false;
    printf("network    %d", desc->features);
    for (int i = 0; i < desc->layer_count; ++i)
        printf("-%d", desc->layers[i].units);
    printf(", %s", glnn_activation_name(desc->layers[0].activation));
    return true;
}

/* A line for each layer, with its number, its text for --layers, and its output. */
static void show_layers(const glnn_network *network)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    char text[LAYER_TEXT];
    for (int i = 0; i < desc->layer_count; ++i) {
        const glnn_shape out = glnn_network_get_shape(network, i);
        layers_describe(&desc->layers[i], text);
        printf("layer %-4d %-40s %d", i, text, out.channels);
        if (out.height * out.width > 1)
            printf(" x %d x %d", out.height, out.width);
        printf("\n");
    }
}

static void show_network(const glnn_network *network)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const glnn_shape in = desc->shape;
    const bool is_short = show_dense_layers(desc);
    if (!is_short && in.height * in.width > 1)
        printf("network    %d x %d x %d", in.channels, in.height, in.width);
    else if (!is_short)
        printf("network    %d", desc->features);
    printf(", %s loss, %s, layout %s, %s\n", glnn_loss_name(desc->loss),
           glnn_optimizer_kind_name(desc->optimizer.kind), glnn_layout_name(desc->layout),
           glnn_precision_name(desc->precision));
    if (!is_short)
        show_layers(network);
}

static int count_prototypes_of(const learner *of)
{
    return of->lvq      ? glnn_lvq_get_count(of->lvq)
           : of->kmeans ? glnn_kmeans_get_count(of->kmeans)
                        : glnn_gmm_get_count(of->gmm);
}

void learner_show(const learner *of)
{
    if (of->network) {
        show_network(of->network);
        return;
    }
    const int count = count_prototypes_of(of), classes = learner_get_outputs(of);
    const int features = learner_get_features(of);
    printf("learner    %s, %d %s%s for %d class%s, %d feature%s, layout %s\n",
           learner_name(learner_get_kind(of)), count,
           of->lvq      ? "prototype"
           : of->kmeans ? "centre"
                        : "component",
           count == 1 ? "" : "s", classes, classes == 1 ? "" : "es", features,
           features == 1 ? "" : "s", glnn_layout_name(DESC(of, layout)));
}

void learner_start(const learner *of, const glnn_dataset *data)
{
    if (of->lvq && glnn_lvq_get_prototypes(of->lvq, NULL, NULL) == GLNN_E_STATE)
        CHECK(glnn_lvq_initialise(of->lvq, data));
}

static void show_resumed(const char *path, const glnn_trainer *trainer)
{
    const glnn_report *at = glnn_trainer_get_report(trainer);
    const unsigned long long steps = glnn_trainer_get_result(trainer)->steps;
    if (steps > 0)
        printf("resumed    %s: after step %llu, in epoch %d of %d\n", path, steps, at->epoch,
               at->epochs);
    else
        printf("note: %s does not exist yet, so training begins\n", path);
}

/* As the train functions of the library, and says from where a training is resumed. */
glnn_status learner_train(const learner *of, const glnn_dataset *data, const glnn_train_desc *desc,
                          glnn_train_result *result)
{
    glnn_trainer *trainer;
    glnn_status status = CALL(of, trainer_create, data, desc, &trainer);
    if (!status && desc->resume)
        show_resumed(desc->checkpoint, trainer);
    while (!status && !glnn_trainer_is_finished(trainer)) {
        status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
        if (!status)
            status = glnn_trainer_end_epoch(trainer);
    }
    if (!status)
        *result = *glnn_trainer_get_result(trainer);
    glnn_trainer_destroy(trainer);
    return status;
}

void learner_evaluate(const learner *of, const glnn_dataset *data, glnn_metrics *metrics,
                      int64_t *confusion)
{
    CHECK(CALL(of, evaluate, data, metrics, confusion));
}

void learner_predict(const learner *of, int count, const float *inputs, float *outputs,
                     int *classes)
{
    CHECK(CALL(of, predict, count, inputs, outputs, classes));
}

/* Prototypes with their classes; of a mixture the means. */
typedef struct prototypes {
    int count, features;
    float *vectors;
    int *classes;
} prototypes;

static prototypes take_prototypes(const learner *of)
{
    const int count = count_prototypes_of(of), each = count / learner_get_outputs(of);
    prototypes out = {.count = count, .features = learner_get_features(of)};
    out.vectors = malloc((size_t)count * (size_t)out.features * sizeof *out.vectors);
    out.classes = malloc((size_t)count * sizeof *out.classes);
    REQUIRE((out.vectors && out.classes) || refuse("no memory for %d prototypes", count));
    CHECK(of->lvq      ? glnn_lvq_get_prototypes(of->lvq, out.vectors, out.classes)
          : of->kmeans ? glnn_kmeans_get_centres(of->kmeans, out.vectors)
                       : glnn_gmm_get_parameters(of->gmm, NULL, out.vectors, NULL));
    for (int i = 0; of->lvq == NULL && i < count; ++i)
        out.classes[i] = i / each;
    return out;
}

static void free_prototypes(prototypes *of)
{
    free(of->vectors);
    free(of->classes);
}

/* A codebook has vectors and labels, and no place for anything else that its use needs. */
static void show_left_out(const learner *of, const char *path)
{
    const glnn_preparation *kept = learner_get_preparation(of);
    const int kind = learner_get_kind(of) - LEARNER_LVQ;
    if (kept && (kept->scale.features > 0 || kept->components > 0))
        printf("note: %s does not hold how features are scaled or projected; --save keeps it\n",
               path);
    if (kind == GLNN_LVQ_GMLVQ || kind == GLNN_LVQ_GRLVQ)
        printf("note: %s does not hold the learnt metric; --save keeps it\n", path);
}

void learner_write_codebook(const learner *of, const class_names *classes, const char *path)
{
    prototypes taken = take_prototypes(of);
    CHECK(glnn_codebook_write(path, &(glnn_codebook){.size = sizeof(glnn_codebook),
                                                     .count = taken.count,
                                                     .features = taken.features,
                                                     .vectors = taken.vectors,
                                                     .labels = taken.classes,
                                                     .classes = classes->count,
                                                     .class_names = classes->names}));
    printf("codebook   %s\n", path);
    show_left_out(of, path);
    free_prototypes(&taken);
}

void learner_export(const learner *of, const char *path)
{
    char name[EXPORT_NAME];
    REQUIRE(export_name(path, name));
    CHECK(of->network ? glnn_network_export_c(of->network, path, name)
          : of->lvq   ? glnn_lvq_export_c(of->lvq, path, name)
                      : glnn_kmeans_export_c(of->kmeans, path, name));
    printf("exported   %s: %s_predict and %s_classify\n", path, name, name);
}

static void plot_prototypes(const learner *of, const samples *data, const char *folder)
{
    prototypes taken = take_prototypes(of);
    const int each = taken.count / learner_get_outputs(of);
    char path[PATH_CAPACITY];
    const plot_grid grid = {.count = taken.count,
                            .columns = each > 1 && each <= 32 ? each : 0,
                            .width = data->shape.width,
                            .height = data->shape.channels * data->shape.height,
                            .picture_stride = (size_t)taken.features,
                            .pixel_stride = 1};
    REQUIRE(path_join(path, folder, "prototypes.png") && plot_pictures(path, &grid, taken.vectors));
    free_prototypes(&taken);
}

void learner_plot(const learner *of, const samples *data, const char *folder)
{
    if (of->network)
        REQUIRE(plot_weights(folder, of->network));
    else
        plot_prototypes(of, data, folder);
}
