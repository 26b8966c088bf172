/* Scores and classes of samples by prototypes. */
#include "prototypes/use.h"

#include "base/status.h"
#include "ops/nearest.h"
#include "pass/list.h"
#include "prototypes/moves.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT };

static const glnn__kernel class_kernel = {
    .name = "prototypes/class_of",
    .operands = {"WINNERS", "CLASSES"},
    .unviewed = 2,
    .uniforms = {[COUNT] = "int count"},
};

/* The output that a prototype counts for. */
static int output_of(const glnn__prototypes *p, int prototype)
{
    return p->class_numbers ? p->class_numbers[prototype] : prototype;
}

/* |x|^2 of the samples of a piece, relative to the offset and in the learnt metric, which scores of
 * prototypes lack. Owner: the caller, who frees *out, whatever is returned. */
static glnn_status find_norms(const glnn__prototypes *p, const glnn__piece *piece, double **out)
{
    const glnn_matrix *points = p->points ? p->points : p->input;
    const int columns = points->columns;
    float *changed = NULL;
    double *norms = *out = calloc((size_t)piece->count, sizeof *norms);
    if (!norms)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d norms", piece->count);
    if (p->points || p->uses_offset)
        GLNN__TRY(glnn__take_rows(p->ctx, points, piece->count, &changed));
    const float *rows = changed ? changed : piece->inputs;
    for (int i = 0; i < piece->count; ++i) {
        const float *x = rows + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; ++j)
            norms[i] += (double)x[j] * (double)x[j];
    }
    free(changed);
    return GLNN_OK;
}

/* Minus the least distance, which rounding may have taken below 0. */
static void score_by_distance(const glnn__prototypes *p, const float *row, double norm,
                              float *outputs)
{
    for (int c = 0; c < glnn__prototypes_outputs(p); ++c)
        outputs[c] = -INFINITY;
    for (int i = 0; i < p->desc.count; ++i) {
        float *output = &outputs[output_of(p, i)];
        *output = fmaxf(*output, -(float)fmax(norm + (double)row[i], 0));
    }
}

/* Each class' share of the density; NaN where the nearest prototype is infinitely far away. */
static void score_by_posterior(const glnn__prototypes *p, const float *row, double precision_half,
                               float *outputs)
{
    double sum = 0;
    float least_score = INFINITY;
    for (int c = 0; c < p->desc.classes; ++c)
        outputs[c] = 0;
    for (int i = 0; i < p->desc.count; ++i)
        least_score = fminf(least_score, row[i]);
    for (int i = 0; i < p->desc.count; ++i) {
        const double density = exp(-precision_half * ((double)row[i] - (double)least_score));
        outputs[output_of(p, i)] += (float)density;
        sum += density;
    }
    for (int c = 0; c < p->desc.classes; ++c)
        outputs[c] = (float)((double)outputs[c] / sum);
}

/* Each prototype has a finite score and each class that has prototypes a finite one. */
static glnn_status check_outputs(const glnn__prototypes *p, const glnn__piece *piece, int sample,
                                 const float *row, const float *outputs)
{
    for (int i = 0; i < p->desc.count; ++i) {
        const int output = output_of(p, i);
        if (isfinite(row[i]) && isfinite(outputs[output]))
            continue;
        GLNN__TRY(glnn__prototypes_check_finite(p));
        return glnn__fail(GLNN_E_DIVERGED, "the score of %s %d for sample %lld is not finite",
                          p->class_numbers ? "class" : p->desc.name, output,
                          (long long)piece->first + sample);
    }
    return GLNN_OK;
}

static glnn_status score_rows(const glnn__prototypes *p, const glnn__piece *piece,
                              double precision_half, const glnn_matrix *scores, float *outputs)
{
    const size_t columns = (size_t)glnn__prototypes_outputs(p);
    float *rows = NULL;
    double *norms = NULL;
    glnn_status status = glnn__take_rows(p->ctx, scores, piece->count, &rows);
    if (!status)
        status = find_norms(p, piece, &norms);
    for (int i = 0; i < piece->count && !status; ++i) {
        const float *row = rows + (size_t)i * (size_t)p->desc.count;
        float *to = outputs + (size_t)i * columns;
        if (precision_half > 0)
            score_by_posterior(p, row, precision_half, to);
        else
            score_by_distance(p, row, norms[i], to);
        status = check_outputs(p, piece, i, row, to);
    }
    free(rows);
    free(norms);
    return status;
}

static glnn_status score(glnn__prototypes *p, const glnn__piece *piece, double precision_half,
                         float *outputs)
{
    const glnn_layout layout =
        glnn__nearest_score_layout(p->ctx, p->desc.layout, piece->count, p->desc.count);
    glnn_matrix *scores = NULL;
    glnn_status status = glnn__matrix_create_scratch(p->ctx, layout, piece->count, p->desc.count,
                                                     "scores of prototypes", &scores);
    if (!status)
        status = glnn__prototypes_find_scores(p, scores);
    if (!status)
        status = score_rows(p, piece, precision_half, scores, outputs);
    glnn__scratch_destroy(scores);
    return status;
}

/* A sample has no winner where it is far away, or where nothing learnt is finite. */
static glnn_status classify(glnn__prototypes *p, const glnn__piece *piece, int *classes)
{
    glnn__winners winners = {.classes = p->class_numbers ? classes : NULL,
                             .indices = p->class_numbers ? NULL : classes};
    GLNN__TRY(glnn__prototypes_search(p, piece->count));
    GLNN__TRY(glnn__prototypes_take_winners(p, piece->count, &winners));
    return winners.missing > 0 ? glnn__prototypes_check_finite(p) : GLNN_OK;
}

static glnn_status find_classes(const glnn__prototypes *p, int count, glnn_matrix *out)
{
    return glnn__pass_run(p->ctx, &(glnn__pass){
                                      .kernel = &class_kernel,
                                      .operands = {{.matrix = p->winners}, {.matrix = p->classes}},
                                      .output = out,
                                      .uniforms = {[COUNT] = {.i = count}},
                                  });
}

/* The numbers of the nearest prototypes are their classes if they have none. */
glnn_status glnn__prototypes_store(void *self, const glnn__piece *piece, glnn_matrix *out)
{
    glnn__prototypes *p = self;
    GLNN__TRY(glnn__prototypes_place(p, piece));
    GLNN__TRY(glnn__prototypes_search(p, piece->count));
    if (!p->classes)
        return glnn__piece_store(piece, p->winners, 0, 1, out);
    if (piece->count == out->rows)
        return find_classes(p, piece->count, out);
    glnn_matrix *column;
    GLNN__TRY(glnn__matrix_create_scratch(p->ctx, GLNN_LAYOUT_PACKED, piece->count, 1,
                                          "predicted classes", &column));
    glnn_status status = find_classes(p, piece->count, column);
    if (!status)
        status = glnn__piece_store(piece, column, 0, 1, out);
    glnn__scratch_destroy(column);
    return status;
}

glnn_status glnn__prototypes_predict(void *self, const glnn__piece *piece, double precision_half,
                                     float *outputs, int *classes)
{
    GLNN__TRY(glnn__prototypes_place(self, piece));
    if (outputs)
        GLNN__TRY(score(self, piece, precision_half, outputs));
    return classes ? classify(self, piece, classes) : GLNN_OK;
}
