/* k-means as a program sees it: making it, its centres, and using it. */
#include "prototypes/kmeans/kmeans.h"

#include "base/names.h"
#include "base/status.h"
#include "data/check.h"
#include "gl/lifetime.h"

#include <glnn/map.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define DEFAULT_CAPACITY         1024
#define DEFAULT_TOLERANCE        1e-4f
#define LEAST_INIT_SAMPLES       16384
#define INIT_SAMPLES_OF_A_CENTRE 16

#define EPOCHS_OF_A_RUN 100

/* The epochs of all runs are an int. */
#define MAX_RESTARTS 1000000

static const char *const init_names[] = {
    [GLNN_KMEANS_INIT_PLUS_PLUS] = "plus_plus",
    [GLNN_KMEANS_INIT_SAMPLES] = "samples",
};

GLNN__DEFINE_NAMES(glnn_kmeans_init, init_names)

static glnn_status check_desc(const glnn_kmeans_desc *desc)
{
    if (desc->features < 1 || desc->centres < 1)
        return glnn__fail(GLNN_E_ARG, "%d centres of %d features; there must be at least 1 of each",
                          desc->centres, desc->features);
    if (desc->classes < 0)
        return glnn__fail(GLNN_E_ARG, "%d classes; they may not be negative", desc->classes);
    const int64_t count = (int64_t)desc->centres * (desc->classes > 0 ? desc->classes : 1);
    if (count > GLNN__MAX_PROTOTYPES)
        return glnn__fail(GLNN_E_LIMIT, "%lld centres; it can have %d", (long long)count,
                          GLNN__MAX_PROTOTYPES);
    GLNN__TRY(glnn__check_choice("init", (int)desc->init, GLNN_KMEANS_INIT_COUNT));
    GLNN__TRY(glnn__check_choice("search", (int)desc->search, GLNN_SEARCH_COUNT));
    if (desc->init_samples < 0 || (desc->init_samples > 0 && desc->init_samples < count))
        return glnn__fail(GLNN_E_ARG,
                          "init_samples is %d; it has to be at least %lld, one for each centre",
                          desc->init_samples, (long long)count);
    if (desc->restarts < 0 || desc->restarts > MAX_RESTARTS)
        return glnn__fail(GLNN_E_ARG, "%d restarts; there can be 0 to %d", desc->restarts,
                          MAX_RESTARTS);
    if ((unsigned)desc->layout > GLNN_LAYOUT_UNPACKED)
        return glnn__fail(GLNN_E_ARG, "layout %s (%d) cannot be trained in",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if (desc->capacity < 0)
        return glnn__fail(GLNN_E_ARG, "a capacity of %d; it may not be negative", desc->capacity);
    if (!isfinite(desc->tolerance))
        return glnn__fail(GLNN_E_ARG, "a tolerance of %g; it has to be finite",
                          (double)desc->tolerance);
    return GLNN_OK;
}

static int count_of(const glnn_kmeans_desc *desc)
{
    return desc->centres * (desc->classes > 0 ? desc->classes : 1);
}

static void fill_defaults(glnn_kmeans_desc *desc)
{
    const int count = count_of(desc);
    if (desc->capacity == 0)
        desc->capacity = DEFAULT_CAPACITY;
    if (desc->tolerance == 0)
        desc->tolerance = DEFAULT_TOLERANCE;
    const int wanted =
        count > INT32_MAX / INIT_SAMPLES_OF_A_CENTRE ? INT32_MAX : count * INIT_SAMPLES_OF_A_CENTRE;
    if (desc->init_samples == 0)
        desc->init_samples = wanted > LEAST_INIT_SAMPLES ? wanted : LEAST_INIT_SAMPLES;
}

static glnn_status create_all(glnn__kmeans *kmeans)
{
    glnn_kmeans_desc *desc = &kmeans->desc;
    const int count = count_of(desc);
    const glnn__prototypes_desc of = {
        .name = "centre",
        .count = count,
        .features = desc->features,
        .classes = desc->classes,
        .weight_columns = 1,
        .keeps_norms = true,
        .learnt = {.name = "sizes of centres", .rows = count, .columns = 1},
        .layout = desc->layout,
        .search = desc->search,
        .capacity = desc->capacity,
    };
    GLNN__TRY(glnn__prototypes_create(&of, &kmeans->prototypes));
    desc->layout = kmeans->prototypes.desc.layout;
    kmeans->sizes_before = calloc((size_t)count, sizeof(float));
    kmeans->sizes_now = calloc((size_t)count, sizeof(float));
    if (!kmeans->sizes_before || !kmeans->sizes_now)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the sizes of %d centres", count);
    return GLNN_OK;
}

static void fill_learner(glnn__kmeans *kmeans)
{
    glnn_learner *learner = &kmeans->prototypes.learner;
    learner->labelled = kmeans->desc.classes > 0 ? "k-means within each class" : NULL;
    learner->trains_labelled = true;
    learner->unset = "there are no centres yet; glnn_learner_initialise, glnn_learner_train and "
                     "glnn_kmeans_set_centres set them";
    learner->default_epochs = EPOCHS_OF_A_RUN * (kmeans->desc.restarts + 1);
    learner->sums_epochs = true;
    learner->restores_best = kmeans->desc.restarts > 0; /* the best epoch of several runs */
}

glnn_status glnn__kmeans_build(void *self, const void *desc)
{
    glnn__kmeans *kmeans = self;
    GLNN__TRY(check_desc(desc));
    kmeans->ctx = kmeans->prototypes.learner.ctx;
    kmeans->desc = *(const glnn_kmeans_desc *)desc;
    fill_defaults(&kmeans->desc);
    GLNN__TRY(create_all(kmeans));
    fill_learner(kmeans);
    return GLNN_OK;
}

void glnn__kmeans_destroy(void *self)
{
    glnn__kmeans *kmeans = self;
    glnn__prototypes_destroy(&kmeans->prototypes);
    free(kmeans->sizes_before);
    free(kmeans->sizes_now);
    glnn__far_destroy(&kmeans->far);
}

int glnn_kmeans_get_count(const glnn_learner *learner)
{
    const glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    return kmeans ? kmeans->prototypes.desc.count : 0;
}

glnn_status glnn_kmeans_get_centres(const glnn_learner *learner, float *centres)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_KMEANS);
    const glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    GLNN__NOT_NULL(centres);
    GLNN__TRY(glnn__fail_in(__func__, glnn__learner_check_set(learner)));
    return glnn__prototypes_download(&kmeans->prototypes, centres);
}

glnn_status glnn__kmeans_start_from(glnn__kmeans *kmeans, const float *centres)
{
    GLNN__TRY(glnn__prototypes_upload(&kmeans->prototypes, centres));
    return glnn_fill(kmeans->ctx, 0, kmeans->prototypes.learnt);
}

glnn_status glnn_kmeans_set_centres(glnn_learner *learner, const float *centres)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_KMEANS);
    glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    GLNN__NOT_NULL(centres);
    GLNN__TRY(glnn__check_finite("glnn_kmeans_set_centres: centres", "centre",
                                 kmeans->prototypes.desc.count, kmeans->desc.features, centres));
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    return glnn__gl_leave(kmeans->ctx, glnn__kmeans_start_from(kmeans, centres));
}

glnn_status glnn_kmeans_get_sizes(const glnn_learner *learner, float *sizes)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_KMEANS);
    const glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    GLNN__NOT_NULL(sizes);
    GLNN__TRY(glnn__fail_in(__func__, glnn__learner_check_set(learner)));
    return glnn_matrix_download(kmeans->ctx, kmeans->prototypes.learnt, NULL, sizes, 0);
}

glnn_status glnn__kmeans_check_sizes(const glnn__kmeans *kmeans, const char *what,
                                     const float *sizes)
{
    for (int p = 0; p < kmeans->prototypes.desc.count; ++p)
        if (!(sizes[p] >= 0) || !isfinite(sizes[p]))
            return glnn__fail(
                GLNN_E_ARG, "%s: centre %d has a size of %g; it has to be finite and not negative",
                what, p, (double)sizes[p]);
    return GLNN_OK;
}

glnn_status glnn_kmeans_set_sizes(glnn_learner *learner, const float *sizes)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_KMEANS);
    glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    GLNN__NOT_NULL(sizes);
    GLNN__TRY(glnn__fail_in(__func__, glnn__learner_check_set(learner)));
    GLNN__TRY(glnn__kmeans_check_sizes(kmeans, __func__, sizes));
    return glnn_matrix_upload(kmeans->ctx, kmeans->prototypes.learnt, NULL, sizes, 0);
}
