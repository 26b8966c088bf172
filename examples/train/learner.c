#include "learner.h"

#include <glnn/export.h>
#include <glnn/svm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "common/check.h"
#include "common/failure.h"
#include "common/plot.h"
#include "settings_rows.h"

static glnn_learner *create_network(glnn_context *ctx, const settings *with, const samples *data)
{
    const bool targets = settings_learn_targets(with);
    const int hidden = with->list.count;
    glnn_learner *network;
    glnn_network_desc desc = {.features = data->features,
                              .shape = data->shape,
                              .loss = with->loss,
                              .loss_parameter = with->loss_parameter,
                              .loss_value = with->loss_value,
                              .loss_derivative = with->loss_derivative,
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
            refuse("--layers: convolution, pooling and recurrent layers need images, but the "
                   "samples are %d features "
                   "without a shape; use --shape HxW or HxWxC, as in --shape 28x28",
                   data->features));
    for (int i = 0; i < hidden; ++i)
        desc.layers[i] = with->list.layers[i];
    desc.layers[hidden].units = targets ? data->columns.targets : data->classes.count;
    if (settings_have_sigmoids(with))
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

static float *allocate_floats(size_t count)
{
    float *floats = malloc(count * sizeof *floats);
    REQUIRE(floats || refuse("no memory for %zu numbers", count));
    return floats;
}

/* Tensors are floats, the classes of prototypes too. */
static void set_codebook(glnn_learner *lvq, const glnn_codebook *codebook)
{
    const size_t count = (size_t)codebook->count;
    float *classes = allocate_floats(count);
    for (size_t i = 0; i < count; ++i)
        classes[i] = (float)codebook->labels[i];
    CHECK(glnn_learner_set_tensor(lvq, "classes", count, classes));
    CHECK(glnn_learner_set_tensor(lvq, "prototypes", count * (size_t)codebook->features,
                                  codebook->vectors));
    free(classes);
}

static glnn_learner *create_lvq(glnn_context *ctx, const settings *with, const samples *data,
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
                                .two_parts = with->two_parts,
                                .rank = with->rank,
                                .search = with->nearest,
                                .layout = with->layout,
                                .seed = with->seed};
    glnn_learner *lvq;
    CHECK(glnn_lvq_create(ctx, &desc, &lvq));
    free(counts);
    if (codebook)
        set_codebook(lvq, codebook);
    return lvq;
}

static glnn_learner *create_kmeans(glnn_context *ctx, const settings *with, const samples *data)
{
    const glnn_kmeans_desc desc = {.features = data->features,
                                   .centres = with->prototypes,
                                   .classes = data->classes.count,
                                   .init = with->init == GLNN_LVQ_INIT_SAMPLES
                                               ? GLNN_KMEANS_INIT_SAMPLES
                                               : GLNN_KMEANS_INIT_PLUS_PLUS,
                                   .restarts = with->restarts,
                                   .search = with->nearest,
                                   .layout = with->layout,
                                   .seed = with->seed};
    glnn_learner *kmeans;
    CHECK(glnn_kmeans_create(ctx, &desc, &kmeans));
    return kmeans;
}

static glnn_learner *create_gmm(glnn_context *ctx, const settings *with, const samples *data)
{
    const glnn_gmm_desc desc = {.features = data->features,
                                .components = with->prototypes,
                                .classes = data->classes.count,
                                .covariance = with->covariance,
                                .variance_floor = with->variance_floor,
                                .shrinkage = with->shrinkage,
                                .layout = with->layout,
                                .seed = with->seed};
    glnn_learner *gmm;
    const glnn_status status = glnn_gmm_create(ctx, &desc, &gmm);
    REQUIRE(status != GLNN_E_LIMIT || with->covariance != GLNN_COVARIANCE_FULL ||
            data->features <= GLNN_GMM_MAX_FULL_FEATURES ||
            refuse("%s; use --covariance diagonal, or --pca %d", glnn_last_error(),
                   GLNN_GMM_MAX_FULL_FEATURES));
    CHECK(status);
    return gmm;
}

static glnn_learner *create_svm(glnn_context *ctx, const settings *with, const samples *data)
{
    const glnn_svm_desc desc = {.features = data->features,
                                .classes = data->classes.count,
                                .loss = with->svm_loss,
                                .lambda = with->lambda,
                                .momentum = with->momentum,
                                .layout = with->layout};
    glnn_learner *svm;
    CHECK(glnn_svm_create(ctx, &desc, &svm));
    return svm;
}

glnn_learner *learner_create(glnn_context *ctx, const settings *with, const samples *data,
                             const glnn_codebook *codebook)
{
    switch (with->learner) {
    case LEARNER_NETWORK:
        return create_network(ctx, with, data);
    case LEARNER_KMEANS:
        return create_kmeans(ctx, with, data);
    case LEARNER_GMM:
        return create_gmm(ctx, with, data);
    case LEARNER_SVM:
        return create_svm(ctx, with, data);
    default:
        return create_lvq(ctx, with, data, codebook);
    }
}

glnn_learner *learner_load(glnn_context *ctx, const settings *with)
{
    const glnn_load_desc desc = {.layout = with->layout};
    glnn_learner *of;
    const glnn_status status = glnn_learner_load(ctx, with->load, &desc, &of);
    REQUIRE(status != GLNN_E_FORMAT || !checkpoint_is_at(with->load) ||
            refuse("--load %s: it is a checkpoint of a training, not a model; with --checkpoint %s "
                   "and --resume the training goes on, and --save then writes its model",
                   with->load, with->load));
    REQUIRE(status != GLNN_E_FORMAT || strstr(glnn_last_error(), "_load_parameters()") == NULL ||
            refuse("--load %s: it is not a model that --save wrote", with->load));
    CHECK(status);
    const glnn_kmeans_desc *kmeans = glnn_kmeans_get_desc(of);
    const glnn_gmm_desc *gmm = glnn_gmm_get_desc(of);
    if (glnn_learner_get_kind(of) == GLNN_LEARNER_NETWORK)
        CHECK(glnn_network_set_precision(of, with->precision));
    REQUIRE(kmeans == NULL || kmeans->classes > 0 ||
            refuse("%s: the k-means has no classes, so it cannot classify samples", with->load));
    REQUIRE(gmm == NULL || gmm->classes > 0 ||
            refuse("%s: the mixture has no classes, so it cannot classify samples", with->load));
    return of;
}

void learner_save(const glnn_learner *of, const char *path)
{
    CHECK(glnn_learner_save(of, path));
    printf("saved      %s\n", path);
}

int learner_get_kind(const glnn_learner *of)
{
    switch (glnn_learner_get_kind(of)) {
    case GLNN_LEARNER_NETWORK:
        return LEARNER_NETWORK;
    case GLNN_LEARNER_LVQ:
        return LEARNER_LVQ + (int)glnn_lvq_get_desc(of)->kind;
    case GLNN_LEARNER_KMEANS:
        return LEARNER_KMEANS;
    case GLNN_LEARNER_SVM:
        return LEARNER_SVM;
    default:
        return LEARNER_GMM;
    }
}

glnn_shape learner_get_image(const glnn_learner *of)
{
    const glnn_shape of_network = glnn_network_get_shape(of, -1);
    return of_network.height * of_network.width > 1 ? of_network : (glnn_shape){0};
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
static void show_layers(const glnn_learner *network)
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

static void show_network(const glnn_learner *network)
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

/* The tensor with the prototypes, centres, means or hyperplanes of a learner. */
static glnn_tensor_info find_prototypes(const glnn_learner *of)
{
    static const char *const names[] = {[GLNN_LEARNER_LVQ] = "prototypes",
                                        [GLNN_LEARNER_KMEANS] = "centres",
                                        [GLNN_LEARNER_GMM] = "means",
                                        [GLNN_LEARNER_SVM] = "weight"};
    glnn_tensor_info info = {.size = sizeof info};
    CHECK(glnn_learner_find_tensor(of, names[glnn_learner_get_kind(of)], &info));
    return info;
}

static glnn_layout layout_of(const glnn_learner *of)
{
    const glnn_lvq_desc *lvq = glnn_lvq_get_desc(of);
    const glnn_kmeans_desc *kmeans = glnn_kmeans_get_desc(of);
    const glnn_svm_desc *svm = glnn_svm_get_desc(of);
    return lvq      ? lvq->layout
           : kmeans ? kmeans->layout
           : svm    ? svm->layout
                    : glnn_gmm_get_desc(of)->layout;
}

void learner_show(const glnn_learner *of)
{
    static const char *const parts[] = {[GLNN_LEARNER_LVQ] = "prototype",
                                        [GLNN_LEARNER_KMEANS] = "centre",
                                        [GLNN_LEARNER_GMM] = "component",
                                        [GLNN_LEARNER_SVM] = "hyperplane"};
    const glnn_learner_kind kind = glnn_learner_get_kind(of);
    if (kind == GLNN_LEARNER_NETWORK) {
        show_network(of);
        return;
    }
    const int count = (int)find_prototypes(of).shape[0], classes = glnn_learner_get_outputs(of);
    const int features = glnn_learner_get_features(of);
    printf("learner    %s, %d %s%s for %d class%s, %d feature%s, layout %s\n",
           learner_name(learner_get_kind(of)), count, parts[kind], count == 1 ? "" : "s", classes,
           classes == 1 ? "" : "es", features, features == 1 ? "" : "s",
           glnn_layout_name(layout_of(of)));
}

void learner_start(glnn_learner *of, const glnn_dataset *data)
{
    if (glnn_learner_get_kind(of) != GLNN_LEARNER_LVQ)
        return;
    const glnn_tensor_info info = find_prototypes(of);
    float *prototypes = allocate_floats(info.count);
    if (glnn_learner_get_tensor(of, info.name, info.count, prototypes) == GLNN_E_STATE)
        CHECK(glnn_learner_initialise(of, data));
    free(prototypes);
}

/* Prototypes with their classes; of a mixture the means, of a support vector machine weights. */
typedef struct prototypes {
    int count, features;
    float *vectors;
    int *classes;
} prototypes;

static void take_classes(const glnn_learner *lvq, prototypes *out)
{
    float *classes = allocate_floats((size_t)out->count);
    CHECK(glnn_learner_get_tensor(lvq, "classes", (size_t)out->count, classes));
    for (int i = 0; i < out->count; ++i)
        out->classes[i] = (int)classes[i];
    free(classes);
}

static prototypes take_prototypes(const glnn_learner *of)
{
    const glnn_tensor_info from = find_prototypes(of);
    prototypes out = {.count = (int)from.shape[0], .features = glnn_learner_get_features(of)};
    const int each = out.count / glnn_learner_get_outputs(of);
    out.vectors = allocate_floats(from.count);
    out.classes = malloc(from.shape[0] * sizeof *out.classes);
    REQUIRE(out.classes || refuse("no memory for %d classes", out.count));
    CHECK(glnn_learner_get_tensor(of, from.name, from.count, out.vectors));
    for (int i = 0; i < out.count; ++i)
        out.classes[i] = i / each;
    if (glnn_learner_get_kind(of) == GLNN_LEARNER_LVQ)
        take_classes(of, &out);
    return out;
}

static void free_prototypes(prototypes *of)
{
    free(of->vectors);
    free(of->classes);
}

/* A codebook has vectors and labels, and no place for anything else that its use needs. */
static void show_left_out(const glnn_learner *of, const char *path)
{
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    const int kind = learner_get_kind(of) - LEARNER_LVQ;
    if (kept && (kept->scale.features > 0 || kept->components > 0))
        printf("note: %s does not hold how features are scaled or projected; --save keeps it\n",
               path);
    if (kind == GLNN_LVQ_GMLVQ || kind == GLNN_LVQ_GRLVQ)
        printf("note: %s does not hold the learnt metric; --save keeps it\n", path);
}

void learner_write_codebook(const glnn_learner *of, const class_names *classes, const char *path)
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

void learner_export(const glnn_learner *of, const char *path)
{
    char name[EXPORT_NAME];
    REQUIRE(export_name("export-c", path, name));
    CHECK(glnn_learner_export_c(of, path, name));
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    printf("exported   %s: ", path);
    if (kept && kept->columns.count > 0)
        printf("%s_encode, ", name);
    printf("%s_predict and %s_classify\n", name, name);
}

void learner_check_glsl(const glnn_learner *of, const char *path)
{
    enum { LEAST = 4 }; /* bytes of a parameter in the text */
    size_t parameters = 0;
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(of); ++i) {
        CHECK(glnn_learner_get_tensor_info(of, i, &info));
        parameters += strcmp(info.role, "parameter") == 0 ? info.count : 0;
    }
    REQUIRE(parameters <= GLNN_EXPORT_MAX_GLSL / LEAST ||
            refuse("--export-glsl %s: the network has %zu parameters, but the text may have at "
                   "most %d bytes",
                   path, parameters, GLNN_EXPORT_MAX_GLSL));
}

void learner_export_glsl(const glnn_learner *of, const char *path)
{
    char name[EXPORT_NAME];
    REQUIRE(export_name("export-glsl", path, name));
    CHECK(glnn_network_export_glsl(of, path, name));
    printf("exported   %s: %s_predict and %s_classify\n", path, name, name);
}

static void plot_prototypes(const glnn_learner *of, const samples *data, const char *folder)
{
    prototypes taken = take_prototypes(of);
    const int each = taken.count / glnn_learner_get_outputs(of);
    char path[PATH_CAPACITY];
    const plot_grid grid = {.count = taken.count,
                            .columns = each > 1 && each <= 32 ? each : 0,
                            .width = data->shape.width,
                            .height = data->shape.channels * data->shape.height,
                            .picture_stride = (size_t)taken.features,
                            .pixel_stride = 1};
    const char *name =
        glnn_learner_get_kind(of) == GLNN_LEARNER_SVM ? "weights.png" : "prototypes.png";
    REQUIRE(path_join(path, folder, name) && plot_pictures(path, &grid, taken.vectors));
    free_prototypes(&taken);
}

void learner_plot(const glnn_learner *of, const samples *data, const char *folder)
{
    if (glnn_learner_get_kind(of) == GLNN_LEARNER_NETWORK)
        REQUIRE(plot_weights(folder, of));
    else
        plot_prototypes(of, data, folder);
}
