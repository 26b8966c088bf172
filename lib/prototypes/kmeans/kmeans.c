/* k-means as a program sees it: making it, its centres, and using it. */
#include "prototypes/kmeans/kmeans.h"

#include "base/log.h"
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

static glnn_status create_all(glnn_kmeans *kmeans)
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
    GLNN__TRY(glnn__prototypes_create(kmeans->ctx, &of, &kmeans->prototypes));
    desc->layout = kmeans->prototypes.desc.layout;
    kmeans->sizes_before = calloc((size_t)count, sizeof(float));
    kmeans->sizes_now = calloc((size_t)count, sizeof(float));
    if (!kmeans->sizes_before || !kmeans->sizes_now)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the sizes of %d centres", count);
    return GLNN_OK;
}

static void report(void *self)
{
    const glnn_kmeans *kmeans = self;
    glnn__log(GLNN_LOG_WARNING,
              "glnn_context_destroy: a k-means clustering still exists: %d centres",
              kmeans->prototypes.desc.count);
}

glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc, glnn_kmeans **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(glnn__fail_in(__func__, check_desc(desc)));
    glnn_kmeans *kmeans = calloc(1, sizeof *kmeans);
    if (!kmeans)
        return glnn__fail(GLNN_E_NOMEM, "no memory for k-means");
    kmeans->ctx = ctx;
    kmeans->desc = *desc;
    fill_defaults(&kmeans->desc);
    glnn_status status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, create_all(kmeans));
    if (status) {
        glnn_kmeans_destroy(kmeans);
        return status;
    }
    glnn__object_add(ctx, &kmeans->object, report, kmeans);
    *out = kmeans;
    return GLNN_OK;
}

void glnn_kmeans_destroy(glnn_kmeans *kmeans)
{
    if (!kmeans)
        return;
    glnn__dependent_remove(&kmeans->object);
    glnn__prototypes_destroy(&kmeans->prototypes);
    free(kmeans->sizes_before);
    free(kmeans->sizes_now);
    glnn__far_destroy(&kmeans->far);
    free(kmeans);
}

int glnn_kmeans_get_count(const glnn_kmeans *kmeans)
{
    return kmeans ? kmeans->prototypes.desc.count : 0;
}

glnn_status glnn__kmeans_check_set(const void *self)
{
    const glnn_kmeans *kmeans = self;
    if (kmeans->prototypes.is_set)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "there are no centres yet; glnn_kmeans_initialise, glnn_kmeans_train and "
                      "glnn_kmeans_set_centres set them");
}

glnn_status glnn_kmeans_get_centres(const glnn_kmeans *kmeans, float *centres)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(centres);
    GLNN__TRY(glnn__fail_in(__func__, glnn__kmeans_check_set(kmeans)));
    return glnn__prototypes_download(&kmeans->prototypes, centres);
}

glnn_status glnn__kmeans_start_from(glnn_kmeans *kmeans, const float *centres)
{
    GLNN__TRY(glnn__prototypes_upload(&kmeans->prototypes, centres));
    return glnn_fill(kmeans->ctx, 0, kmeans->prototypes.learnt);
}

glnn_status glnn_kmeans_set_centres(glnn_kmeans *kmeans, const float *centres)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(centres);
    GLNN__TRY(glnn__check_finite("glnn_kmeans_set_centres: centres", "centre",
                                 glnn_kmeans_get_count(kmeans), kmeans->desc.features, centres));
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    return glnn__gl_leave(kmeans->ctx, glnn__kmeans_start_from(kmeans, centres));
}

glnn_status glnn_kmeans_get_sizes(const glnn_kmeans *kmeans, float *sizes)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(sizes);
    GLNN__TRY(glnn__fail_in(__func__, glnn__kmeans_check_set(kmeans)));
    return glnn_matrix_download(kmeans->ctx, kmeans->prototypes.learnt, NULL, sizes, 0);
}

glnn_status glnn__kmeans_check_sizes(const glnn_kmeans *kmeans, const char *what,
                                     const float *sizes)
{
    for (int p = 0; p < glnn_kmeans_get_count(kmeans); ++p)
        if (!(sizes[p] >= 0) || !isfinite(sizes[p]))
            return glnn__fail(
                GLNN_E_ARG, "%s: centre %d has a size of %g; it has to be finite and not negative",
                what, p, (double)sizes[p]);
    return GLNN_OK;
}

glnn_status glnn_kmeans_set_sizes(glnn_kmeans *kmeans, const float *sizes)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(sizes);
    GLNN__TRY(glnn__fail_in(__func__, glnn__kmeans_check_set(kmeans)));
    GLNN__TRY(glnn__kmeans_check_sizes(kmeans, __func__, sizes));
    return glnn_matrix_upload(kmeans->ctx, kmeans->prototypes.learnt, NULL, sizes, 0);
}

glnn_status glnn_kmeans_find_nearest(glnn_kmeans *kmeans, int64_t samples, const float *inputs,
                                     int k, int *centres, float *distances)
{
    GLNN__HELD(kmeans);
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    return glnn__prototypes_find_nearest(&learner, __func__, samples, inputs, k, centres,
                                         distances);
}
