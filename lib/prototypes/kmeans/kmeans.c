/* k-means as a program sees it: making it, its centres, and using it. */
#include "prototypes/kmeans/kmeans.h"

#include "base/status.h"
#include "data/check.h"
#include "gl/lifetime.h"
#include "io/fields.h"

#include <glnn/map.h>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define LEAST_INIT_SAMPLES       16384
#define INIT_SAMPLES_OF_A_CENTRE 16

#define EPOCHS_OF_A_RUN 100

static const char *const init_names[] = {
    [GLNN_KMEANS_INIT_PLUS_PLUS] = "plus_plus",
    [GLNN_KMEANS_INIT_SAMPLES] = "samples",
};

GLNN__DEFINE_NAMES(glnn_kmeans_init, init_names)

GLNN__DECLARE_NAMES(glnn_layout)
GLNN__DECLARE_NAMES(glnn_search)

#define AT(member) offsetof(glnn_kmeans_desc, member)

/* The epochs of all runs are an int, so there is a limit to restarts. */
static const glnn__field fields[] = {
    GLNN__ROW(INT, features, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, centres, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, classes, GLNN__IN_FILES, .zero = "none, so that labels are ignored"),
    GLNN__ROW(CHOICE, init, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_kmeans_init),
    GLNN__ROW(INT, init_samples, GLNN__NOT_KEPT, .least = 1,
              .zero = GLNN__TEXT(LEAST_INIT_SAMPLES) ", or " GLNN__TEXT(
                  INIT_SAMPLES_OF_A_CENTRE) " for each centre if that is more"),
    GLNN__ROW(INT, restarts, GLNN__IN_CHECKPOINTS, .most = 1000000),
    GLNN__ROW(FLOAT, tolerance, GLNN__IN_CHECKPOINTS, .standard = 1e-4, .least = -INFINITY),
    GLNN__ROW(CHOICE, search, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_search),
    GLNN__ROW(CHOICE, layout, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_layout,
              .most = GLNN_LAYOUT_UNPACKED),
    GLNN__ROW(INT, capacity, GLNN__NOT_KEPT, .standard = 1024, .least = 1),
    GLNN__ROW(UINT64, seed, GLNN__NOT_KEPT),
};

const glnn__fields glnn__kmeans_fields = GLNN__DESCRIPTION(glnn_kmeans_desc, fields);

static int64_t count_of(const glnn_kmeans_desc *desc)
{
    return (int64_t)desc->centres * (desc->classes > 0 ? desc->classes : 1);
}

/* Checks that there are as many samples to begin with as centres. */
static glnn_status check_counts(glnn_kmeans_desc *desc)
{
    const int64_t count = count_of(desc);
    if (count > GLNN__MAX_PROTOTYPES)
        return glnn__fail(GLNN_E_LIMIT, "%lld centres; it can have %d", (long long)count,
                          GLNN__MAX_PROTOTYPES);
    if (desc->init_samples > 0 && desc->init_samples < count)
        return glnn__fail(GLNN_E_ARG,
                          "init_samples is %d; it has to be at least %lld, one for each centre",
                          desc->init_samples, (long long)count);
    const int64_t wanted = count * INIT_SAMPLES_OF_A_CENTRE;
    if (desc->init_samples == 0)
        desc->init_samples = wanted > INT32_MAX            ? INT32_MAX
                             : wanted > LEAST_INIT_SAMPLES ? (int)wanted
                                                           : LEAST_INIT_SAMPLES;
    return GLNN_OK;
}

static glnn_status create_all(glnn__kmeans *kmeans)
{
    glnn_kmeans_desc *desc = &kmeans->desc;
    const int count = (int)count_of(desc);
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
                     "glnn_learner_set_tensor set them";
    learner->default_epochs = EPOCHS_OF_A_RUN * (kmeans->desc.restarts + 1);
    learner->sums_epochs = true;
    learner->restores_best = kmeans->desc.restarts > 0; /* the best epoch of several runs */
}

glnn_status glnn__kmeans_build(void *self, const void *desc)
{
    glnn__kmeans *kmeans = self;
    kmeans->ctx = kmeans->prototypes.learner.ctx;
    kmeans->desc = *(const glnn_kmeans_desc *)desc;
    GLNN__TRY(glnn__fields_check(&glnn__kmeans_fields, &kmeans->desc));
    GLNN__TRY(check_counts(&kmeans->desc));
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

glnn_status glnn__kmeans_start_from(glnn__kmeans *kmeans, const float *centres)
{
    GLNN__TRY(glnn__prototypes_upload(&kmeans->prototypes, centres));
    return glnn_fill(kmeans->ctx, 0, kmeans->prototypes.learnt);
}
