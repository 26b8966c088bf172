#include "classifier.h"

#include <glnn/safetensors.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/plot.h"

/* Classes without training samples get no prototypes; those of a codebook have what it has. */
static int *count_prototypes(const lvq_settings *with, const samples *data,
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

static glnn_lvq *create_lvq(glnn_context *ctx, const lvq_settings *with, const samples *data,
                            const glnn_codebook *codebook)
{
    int *counts = count_prototypes(with, data, codebook);
    glnn_lvq *lvq;
    glnn_status status = glnn_lvq_create(ctx,
                                         &(glnn_lvq_desc){.kind = (glnn_lvq_kind)with->learner,
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
                                                          .layout = with->on.layout,
                                                          .seed = with->seed},
                                         &lvq);
    free(counts);
    CHECK(status);
    if (codebook)
        CHECK(glnn_lvq_set_prototypes(lvq, codebook->vectors, codebook->labels));
    return lvq;
}

/* The library says how many features full covariances can have. */
static void check_gmm(glnn_status status, const lvq_settings *with, int features)
{
    REQUIRE(status != GLNN_E_LIMIT || with->covariance != GLNN_COVARIANCE_FULL ||
            features <= GLNN_GMM_MAX_FULL_FEATURES ||
            refuse("%s: --covariance diagonal, or --pca %d", glnn_last_error(),
                   GLNN_GMM_MAX_FULL_FEATURES));
    CHECK(status);
}

classifier classifier_create(glnn_context *ctx, const lvq_settings *with, const samples *data,
                             const glnn_codebook *codebook)
{
    classifier out = {0};
    if (with->learner == LEARNER_KMEANS)
        CHECK(glnn_kmeans_create(ctx,
                                 &(glnn_kmeans_desc){.features = data->features,
                                                     .centres = with->prototypes,
                                                     .classes = data->classes.count,
                                                     .init = with->init == GLNN_LVQ_INIT_SAMPLES
                                                                 ? GLNN_KMEANS_INIT_SAMPLES
                                                                 : GLNN_KMEANS_INIT_PLUS_PLUS,
                                                     .search = with->search,
                                                     .layout = with->on.layout,
                                                     .seed = with->seed},
                                 &out.kmeans));
    else if (with->learner == LEARNER_GMM)
        check_gmm(glnn_gmm_create(ctx,
                                  &(glnn_gmm_desc){.features = data->features,
                                                   .components = with->prototypes,
                                                   .classes = data->classes.count,
                                                   .covariance = with->covariance,
                                                   .variance_floor = with->variance_floor,
                                                   .layout = with->on.layout,
                                                   .seed = with->seed},
                                  &out.gmm),
                  with, data->features);
    else
        out.lvq = create_lvq(ctx, with, data, codebook);
    return out;
}

classifier classifier_load(glnn_context *ctx, const char *path, glnn_layout layout)
{
    classifier out = {0};
    glnn_safetensors *file;
    CHECK(glnn_safetensors_read(path, &file));
    const char *format = glnn_safetensors_get_metadata(file, "format");
    bool kmeans = format && strcmp(format, "glnn-kmeans") == 0;
    bool gmm = format && strcmp(format, "glnn-gmm") == 0;
    REQUIRE(
        format == NULL || strcmp(format, "glnn-network") != 0 ||
        refuse("%s is a network of mnist_network; lvq loads classifiers made of prototypes", path));
    glnn_safetensors_free(file);
    if (kmeans)
        CHECK(glnn_kmeans_load(ctx, path, &(glnn_load_desc){.layout = layout}, &out.kmeans));
    else if (gmm)
        CHECK(glnn_gmm_load(ctx, path, &(glnn_load_desc){.layout = layout}, &out.gmm));
    else
        CHECK(glnn_lvq_load(ctx, path, &(glnn_load_desc){.layout = layout}, &out.lvq));
    REQUIRE(classifier_classes(&out) > 0 ||
            refuse("%s: it was trained without classes and classifies nothing", path));
    return out;
}

void classifier_save(const classifier *of, const char *path)
{
    CHECK(of->lvq      ? glnn_lvq_save(of->lvq, path)
          : of->kmeans ? glnn_kmeans_save(of->kmeans, path)
                       : glnn_gmm_save(of->gmm, path));
}

void classifier_set_preparation(const classifier *of, const glnn_preparation *preparation)
{
    CHECK(of->lvq      ? glnn_lvq_set_preparation(of->lvq, preparation)
          : of->kmeans ? glnn_kmeans_set_preparation(of->kmeans, preparation)
                       : glnn_gmm_set_preparation(of->gmm, preparation));
}

const glnn_preparation *classifier_get_preparation(const classifier *of)
{
    return of->lvq      ? glnn_lvq_get_preparation(of->lvq)
           : of->kmeans ? glnn_kmeans_get_preparation(of->kmeans)
                        : glnn_gmm_get_preparation(of->gmm);
}

void classifier_destroy(classifier *of)
{
    glnn_lvq_destroy(of->lvq);
    glnn_kmeans_destroy(of->kmeans);
    glnn_gmm_destroy(of->gmm);
    *of = (classifier){0};
}

int classifier_features(const classifier *of)
{
    return of->lvq      ? glnn_lvq_get_desc(of->lvq)->features
           : of->kmeans ? glnn_kmeans_get_desc(of->kmeans)->features
                        : glnn_gmm_get_desc(of->gmm)->features;
}

int classifier_classes(const classifier *of)
{
    return of->lvq      ? glnn_lvq_get_desc(of->lvq)->classes
           : of->kmeans ? glnn_kmeans_get_desc(of->kmeans)->classes
                        : glnn_gmm_get_desc(of->gmm)->classes;
}

int classifier_count(const classifier *of)
{
    return of->lvq      ? glnn_lvq_get_count(of->lvq)
           : of->kmeans ? glnn_kmeans_get_count(of->kmeans)
                        : glnn_gmm_get_count(of->gmm);
}

void classifier_show(const classifier *of)
{
    const int count = classifier_count(of), classes = classifier_classes(of);
    const char *name = of->lvq      ? glnn_lvq_kind_name(glnn_lvq_get_desc(of->lvq)->kind)
                       : of->kmeans ? learner_name(LEARNER_KMEANS)
                                    : learner_name(LEARNER_GMM);
    const char *part = of->lvq ? "prototype" : of->kmeans ? "centre" : "component";
    const glnn_layout layout = of->lvq      ? glnn_lvq_get_desc(of->lvq)->layout
                               : of->kmeans ? glnn_kmeans_get_desc(of->kmeans)->layout
                                            : glnn_gmm_get_desc(of->gmm)->layout;
    const int features = classifier_features(of);
    printf("learner    %s, %d %s%s for %d class%s, %d feature%s, layout %s\n", name, count, part,
           count == 1 ? "" : "s", classes, classes == 1 ? "" : "es", features,
           features == 1 ? "" : "s", glnn_layout_name(layout));
}

void classifier_start(const classifier *of, const glnn_dataset *data)
{
    if (of->lvq && glnn_lvq_get_prototypes(of->lvq, NULL, NULL) == GLNN_E_STATE)
        CHECK(glnn_lvq_initialise(of->lvq, data));
}

void classifier_train(classifier *of, const glnn_dataset *data, const glnn_train_desc *desc,
                      glnn_train_result *result)
{
    CHECK(of->lvq      ? glnn_lvq_train(of->lvq, data, desc, result)
          : of->kmeans ? glnn_kmeans_train(of->kmeans, data, desc, result)
                       : glnn_gmm_train(of->gmm, data, desc, result));
}

void classifier_evaluate(classifier *of, const glnn_dataset *data, double *loss, double *accuracy,
                         int64_t *confusion)
{
    glnn_metrics metrics;
    CHECK(of->lvq      ? glnn_lvq_evaluate(of->lvq, data, &metrics, confusion)
          : of->kmeans ? glnn_kmeans_evaluate(of->kmeans, data, &metrics, confusion)
                       : glnn_gmm_evaluate(of->gmm, data, &metrics, confusion));
    *loss = metrics.loss;
    *accuracy = metrics.accuracy;
}

void classifier_predict(classifier *of, int count, const float *inputs, int *classes)
{
    CHECK(of->lvq      ? glnn_lvq_predict(of->lvq, count, inputs, NULL, classes)
          : of->kmeans ? glnn_kmeans_predict(of->kmeans, count, inputs, NULL, classes)
                       : glnn_gmm_predict(of->gmm, count, inputs, NULL, classes));
}

/* Prototypes with their classes; of a mixture the means. */
typedef struct prototypes {
    int count, features;
    float *vectors;
    int *classes;
} prototypes;

static prototypes take_prototypes(const classifier *of)
{
    const int count = classifier_count(of), each = count / classifier_classes(of);
    prototypes out = {.count = count, .features = classifier_features(of)};
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

/* A codebook holds vectors and labels, and nothing else that their use needs. */
static void show_left_out(const classifier *of, const char *path)
{
    const glnn_preparation *kept = classifier_get_preparation(of);
    const glnn_lvq_kind kind = of->lvq ? glnn_lvq_get_desc(of->lvq)->kind : GLNN_LVQ_LVQ1;
    const bool prepared = kept && (kept->scale.features > 0 || kept->components > 0);
    if (prepared)
        printf("note: %s does not hold how features are scaled or projected; --save keeps it\n",
               path);
    if (kind == GLNN_LVQ_GMLVQ || kind == GLNN_LVQ_GRLVQ)
        printf("note: %s does not hold the learnt metric; --save keeps it\n", path);
}

void classifier_write_codebook(const classifier *of, const class_names *classes, const char *path)
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

void classifier_plot(const classifier *of, const samples *data, const char *folder)
{
    prototypes taken = take_prototypes(of);
    const int each = taken.count / classifier_classes(of);
    REQUIRE(plot_prototypes(folder, taken.vectors, taken.count, each > 1 && each <= 32 ? each : 0,
                            data->width, data->height));
    free_prototypes(&taken);
}
