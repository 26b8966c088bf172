#include "projections/scatter.h"

#include "base/memory.h"
#include "base/status.h"

#include <glnn/gemm.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Bytes of main memory for each pair of features: its sum in double and in float32, and a number of
 * the eigenvectors. */
#define PAIR_BYTES 20.0

/* Bytes for each feature and class: its mean. */
#define CLASS_BYTES 8.0

/* The number of samples that are summed in float32. The sums of these parts are double. */
#define PART_ROWS 1024

static size_t class_of(const glnn__samples *samples, int64_t row)
{
    return samples->labels ? (size_t)samples->labels[row] : 0;
}

static const float *row_of(const glnn__samples *samples, int64_t row)
{
    return samples->values + (size_t)row * (size_t)samples->features;
}

static const double *mean_of(const glnn__scatter *scatter, const glnn__samples *samples,
                             int64_t row)
{
    return scatter->means + class_of(samples, row) * (size_t)samples->features;
}

static glnn_status check_row(const glnn__samples *samples, int64_t row)
{
    if (samples->labels && (samples->labels[row] < 0 || samples->labels[row] >= samples->classes))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the label of row %" PRId64 " is %d; there are %d classes",
                          samples->what, row, samples->labels[row], samples->classes);
    for (int j = 0; j < samples->features; ++j) {
        float value = row_of(samples, row)[j];
        if (!isfinite(value))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: row %" PRId64 ", feature %d is %g; it must be finite",
                              samples->what, row, j, (double)value);
    }
    return GLNN_OK;
}

static glnn_status find_means(const glnn__samples *samples, glnn__scatter *out)
{
    size_t features = (size_t)samples->features;
    for (int64_t i = 0; i < samples->rows; ++i) {
        GLNN__TRY(check_row(samples, i));
        size_t class = class_of(samples, i);
        ++out->counts[class];
        for (size_t j = 0; j < features; ++j)
            out->means[class * features + j] += (double)row_of(samples, i)[j];
    }
    for (int c = 0; c < samples->classes; ++c) {
        for (size_t j = 0; j < features; ++j) {
            double *sum = &out->means[(size_t)c * features + j];
            out->mean[j] += *sum / (double)samples->rows;
            *sum /= (double)(out->counts[c] ? out->counts[c] : 1);
        }
    }
    return GLNN_OK;
}

/* Chooses a unit in which float32 can represent the squares of all deviations. */
static void find_unit(const glnn__samples *samples, glnn__scatter *out)
{
    double greatest = 0;
    for (int64_t i = 0; i < samples->rows; ++i) {
        const double *mean = mean_of(out, samples, i);
        for (int j = 0; j < samples->features; ++j)
            greatest = fmax(greatest, fabs((double)row_of(samples, i)[j] - mean[j]));
    }
    int exponent;
    frexp(greatest, &exponent);
    out->unit = greatest > 0 ? ldexp(1, exponent) : 0;
}

/* Computes the deviations of rows from `first` on; rows after the last sample are zero. */
static void deviate(const glnn__samples *samples, const glnn__scatter *scatter, int64_t first,
                    int rows, float *out)
{
    for (int64_t i = first; i < first + rows; ++i) {
        const double *mean = i < samples->rows ? mean_of(scatter, samples, i) : NULL;
        for (int j = 0; j < samples->features; ++j)
            *out++ = mean ? (float)(((double)row_of(samples, i)[j] - mean[j]) / scatter->unit) : 0;
    }
}

static double bytes_of(const glnn__samples *samples)
{
    const double features = samples->features;
    return (PAIR_BYTES * features + CLASS_BYTES * samples->classes) * features;
}

static glnn_status fail_memory(const glnn__samples *samples)
{
    return glnn__fail(GLNN_E_NOMEM,
                      "%s: no memory for the scatter of %d features in %d class%s, which takes "
                      "%.1f GB",
                      samples->what, samples->features, samples->classes,
                      samples->classes == 1 ? "" : "es", bytes_of(samples) / 1e9);
}

/* The buffers for a part of the samples. */
typedef struct stages {
    int rows;
    float *deviations;    /* rows x features     */
    glnn_matrix *part;    /* the same on the GPU */
    glnn_matrix *product; /* part' part          */
    float *sums;          /* the same in memory  */
} stages;

static glnn_status make_stages(glnn_context *ctx, const glnn__samples *samples, stages *out)
{
    size_t features = (size_t)samples->features;
    out->rows = samples->rows < PART_ROWS ? (int)samples->rows : PART_ROWS;
    GLNN__TRY(glnn_matrix_create(
        ctx,
        &(glnn_matrix_desc){.rows = out->rows, .columns = samples->features, .name = "deviations"},
        &out->part));
    GLNN__TRY(glnn_matrix_create(ctx,
                                 &(glnn_matrix_desc){.rows = samples->features,
                                                     .columns = samples->features,
                                                     .name = "scatter"},
                                 &out->product));
    out->deviations = malloc((size_t)out->rows * features * sizeof *out->deviations);
    out->sums = malloc(features * features * sizeof *out->sums);
    if (!out->deviations || !out->sums)
        return fail_memory(samples);
    return GLNN_OK;
}

static void free_stages(stages *of)
{
    glnn_matrix_destroy(of->part);
    glnn_matrix_destroy(of->product);
    free(of->deviations);
    free(of->sums);
}

static glnn_status add_part(glnn_context *ctx, const glnn__samples *samples, int64_t first,
                            const stages *of, glnn__scatter *out)
{
    size_t features = (size_t)samples->features;
    deviate(samples, out, first, of->rows, of->deviations);
    GLNN__TRY(glnn_matrix_upload(ctx, of->part, NULL, of->deviations, 0));
    GLNN__TRY(glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_a = true}, 1, of->part, of->part, 0,
                        of->product));
    GLNN__TRY(glnn_matrix_download(ctx, of->product, NULL, of->sums, 0));
    for (size_t i = 0; i < features * features; ++i)
        out->sums[i] += (double)of->sums[i] / (double)samples->rows;
    return GLNN_OK;
}

static glnn_status add_parts(glnn_context *ctx, const glnn__samples *samples, glnn__scatter *out)
{
    stages of = {0};
    glnn_status status = make_stages(ctx, samples, &of);
    for (int64_t first = 0; !status && first < samples->rows; first += of.rows)
        status = add_part(ctx, samples, first, &of, out);
    free_stages(&of);
    return status;
}

/* Checked first, because a system may grant more memory than it has and end the process later. */
static glnn_status check_memory(const glnn__samples *samples)
{
    const double needed = PAIR_BYTES * samples->features * samples->features;
    const double present = glnn__memory_size();
    if (needed > present)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: the scatter of %d features takes %.1f GB of main memory; this "
                          "machine has %.1f GB, which is enough for %.0f features",
                          samples->what, samples->features, needed / 1e9, present / 1e9,
                          floor(sqrt(present / PAIR_BYTES)));
    return GLNN_OK;
}

static glnn_status make_room(const glnn__samples *samples, glnn__scatter *out)
{
    size_t features = (size_t)samples->features, classes = (size_t)samples->classes;
    out->counts = calloc(classes, sizeof *out->counts);
    out->means = calloc(classes, features * sizeof *out->means);
    out->mean = calloc(features, sizeof *out->mean);
    out->sums = calloc(features, features * sizeof *out->sums);
    if (!out->counts || !out->means || !out->mean || !out->sums)
        return fail_memory(samples);
    return GLNN_OK;
}

glnn_status glnn__scatter_create(glnn_context *ctx, const glnn__samples *samples,
                                 glnn__scatter *out)
{
    *out = (glnn__scatter){0};
    GLNN__TRY(check_memory(samples));
    glnn_status status = make_room(samples, out);
    if (!status)
        status = find_means(samples, out);
    if (!status)
        find_unit(samples, out);
    if (!status && out->unit > 0)
        status = glnn__fail_in(samples->what, add_parts(ctx, samples, out));
    if (status)
        glnn__scatter_free(out);
    return status;
}

void glnn__scatter_free(glnn__scatter *scatter)
{
    free(scatter->counts);
    free(scatter->means);
    free(scatter->mean);
    free(scatter->sums);
    *scatter = (glnn__scatter){0};
}

double glnn__scatter_trace(const glnn__scatter *scatter, int features)
{
    double trace = 0;
    for (size_t j = 0; j < (size_t)features; ++j)
        trace += scatter->sums[j * (size_t)features + j];
    return trace;
}
