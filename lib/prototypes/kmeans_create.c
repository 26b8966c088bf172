/* Making and unmaking k-means. */
#include "prototypes/kmeans.h"

#include "base/status.h"
#include "ops/distances.h"

#include <glnn/map.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define DEFAULT_CAPACITY            1024
#define DEFAULT_TOLERANCE           1e-4f
#define LEAST_SEEDING_SAMPLES       16384
#define SEEDING_SAMPLES_OF_A_CENTRE 16

/* Centres are numbered in float32. */
#define MAX_CENTRES (1 << 24)

static glnn_status check_desc(const glnn_kmeans_desc *desc)
{
    if (desc->features < 1 || desc->centres < 1 || desc->classes < 0)
        return glnn__fail(GLNN_E_ARG,
                          "k-means: %d centres of %d features for %d classes; there must be at "
                          "least 1 centre and feature",
                          desc->centres, desc->features, desc->classes);
    const int64_t count = (int64_t)desc->centres * (desc->classes > 0 ? desc->classes : 1);
    if (count > MAX_CENTRES)
        return glnn__fail(GLNN_E_LIMIT, "k-means: %lld centres; it can have %d", (long long)count,
                          MAX_CENTRES);
    if ((unsigned)desc->seeding >= GLNN_SEEDING_COUNT ||
        (unsigned)desc->search >= GLNN_SEARCH_COUNT)
        return glnn__fail(GLNN_E_ARG, "k-means: seeding %d or search %d is unknown",
                          (int)desc->seeding, (int)desc->search);
    if (desc->seeding_samples < 0 || (desc->seeding_samples > 0 && desc->seeding_samples < count))
        return glnn__fail(GLNN_E_ARG, "k-means: %d seeding samples for %lld centres",
                          desc->seeding_samples, (long long)count);
    if ((unsigned)desc->layout > GLNN_LAYOUT_UNPACKED)
        return glnn__fail(GLNN_E_ARG, "k-means: layout %s (%d) cannot be trained in",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if (desc->capacity < 0 || !isfinite(desc->tolerance))
        return glnn__fail(GLNN_E_ARG, "k-means: a capacity of %d, a tolerance of %g",
                          desc->capacity, (double)desc->tolerance);
    return GLNN_OK;
}

static void fill_defaults(glnn_kmeans *kmeans)
{
    glnn_kmeans_desc *desc = &kmeans->desc;
    kmeans->count = desc->centres * (desc->classes > 0 ? desc->classes : 1);
    if (desc->capacity == 0)
        desc->capacity = DEFAULT_CAPACITY;
    if (desc->tolerance == 0)
        desc->tolerance = DEFAULT_TOLERANCE;
    const int wanted = kmeans->count > INT32_MAX / SEEDING_SAMPLES_OF_A_CENTRE
                           ? INT32_MAX
                           : kmeans->count * SEEDING_SAMPLES_OF_A_CENTRE;
    if (desc->seeding_samples == 0)
        desc->seeding_samples = wanted > LEAST_SEEDING_SAMPLES ? wanted : LEAST_SEEDING_SAMPLES;
}

static glnn_status create_matrix(glnn_kmeans *kmeans, int rows, int columns, const char *name,
                                 glnn_matrix **out)
{
    return glnn__matrix_create_zero(kmeans->ctx, kmeans->desc.layout, rows, columns, name, out);
}

/* The class of each centre. */
static glnn_status create_classes(glnn_kmeans *kmeans)
{
    float *classes = malloc((size_t)kmeans->count * sizeof *classes);
    if (!classes)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d centres", kmeans->count);
    for (int p = 0; p < kmeans->count; ++p)
        classes[p] = (float)(p / kmeans->desc.centres);
    glnn_status status = create_matrix(kmeans, 1, kmeans->count, "classes", &kmeans->classes);
    if (!status)
        status = glnn_matrix_upload(kmeans->ctx, kmeans->classes, NULL, classes, 0);
    free(classes);
    return status;
}

static glnn_status create_all(glnn_kmeans *kmeans)
{
    const int count = kmeans->count, features = kmeans->desc.features;
    GLNN__TRY(glnn__offset_create(features, &kmeans->offset));
    GLNN__TRY(create_matrix(kmeans, count, features, "centres", &kmeans->centres));
    GLNN__TRY(create_matrix(kmeans, 1, count, "norms", &kmeans->norms));
    GLNN__TRY(create_matrix(kmeans, count, 1, "sizes", &kmeans->sizes));
    GLNN__TRY(create_matrix(kmeans, count, features, "sums", &kmeans->sums));
    GLNN__TRY(create_matrix(kmeans, count, 1, "weights", &kmeans->weights));
    if (kmeans->desc.classes > 0)
        GLNN__TRY(create_classes(kmeans));
    kmeans->sizes_before = calloc((size_t)count, sizeof(float));
    kmeans->sizes_now = calloc((size_t)count, sizeof(float));
    if (!kmeans->sizes_before || !kmeans->sizes_now)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the sizes of %d centres", count);
    return glnn__trained_create(kmeans->ctx, kmeans->desc.capacity, 4, &kmeans->trained);
}

glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc, glnn_kmeans **out)
{
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_create: an argument is null");
    *out = NULL;
    GLNN__TRY(check_desc(desc));
    glnn_kmeans *kmeans = calloc(1, sizeof *kmeans);
    if (!kmeans)
        return glnn__fail(GLNN_E_NOMEM, "no memory for k-means");
    kmeans->ctx = ctx;
    kmeans->desc = *desc;
    fill_defaults(kmeans);
    glnn_status status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, create_all(kmeans));
    if (status)
        glnn_kmeans_destroy(kmeans);
    else
        *out = kmeans;
    return status;
}

static void destroy_batch(glnn_kmeans *kmeans)
{
    glnn_matrix_destroy(kmeans->samples);
    glnn_matrix_destroy(kmeans->winners);
    glnn_matrix_destroy(kmeans->moves);
    glnn__members_destroy(&kmeans->members);
    kmeans->samples = kmeans->winners = kmeans->moves = NULL;
    kmeans->rows = 0;
}

void glnn_kmeans_destroy(glnn_kmeans *kmeans)
{
    if (!kmeans)
        return;
    destroy_batch(kmeans);
    glnn_matrix_destroy(kmeans->centres);
    glnn_matrix_destroy(kmeans->norms);
    glnn_matrix_destroy(kmeans->classes);
    glnn_matrix_destroy(kmeans->sizes);
    glnn_matrix_destroy(kmeans->sums);
    glnn_matrix_destroy(kmeans->weights);
    glnn_matrix_destroy(kmeans->centres_snapshot);
    glnn_matrix_destroy(kmeans->sizes_snapshot);
    free(kmeans->sizes_before);
    free(kmeans->sizes_now);
    glnn__far_destroy(&kmeans->far);
    glnn__offset_destroy(&kmeans->offset);
    glnn__trained_destroy(&kmeans->trained);
    glnn_preparation_free(&kmeans->preparation);
    free(kmeans);
}

static glnn_status create_batch(glnn_kmeans *kmeans, int rows)
{
    GLNN__TRY(glnn__matrix_create_scratch(kmeans->ctx, kmeans->desc.layout, rows,
                                          kmeans->desc.features, "samples", &kmeans->samples));
    GLNN__TRY(glnn__matrix_create_scratch(kmeans->ctx, GLNN_LAYOUT_PACKED, rows, 4, "winners",
                                          &kmeans->winners));
    GLNN__TRY(glnn__matrix_create_scratch(kmeans->ctx, GLNN_LAYOUT_PACKED, rows, 4, "moves",
                                          &kmeans->moves));
    return glnn__members_create(kmeans->ctx, rows, kmeans->count, &kmeans->members);
}

glnn_status glnn__kmeans_prepare(glnn_kmeans *kmeans, int rows)
{
    if (rows == kmeans->rows)
        return GLNN_OK;
    destroy_batch(kmeans);
    glnn_status status = create_batch(kmeans, rows);
    if (status)
        destroy_batch(kmeans);
    else
        kmeans->rows = rows;
    return status;
}

glnn_status glnn__kmeans_refresh(glnn_kmeans *kmeans)
{
    return glnn__row_norms(kmeans->ctx, kmeans->centres, kmeans->norms);
}

const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_kmeans *kmeans)
{
    return kmeans ? &kmeans->desc : NULL;
}

int glnn_kmeans_count(const glnn_kmeans *kmeans)
{
    return kmeans ? kmeans->count : 0;
}
