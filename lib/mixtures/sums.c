#include "mixtures/sums.h"

#include "base/status.h"
#include "ops/gemm/product.h"
#include "ops/softmax.h"
#include "pass/pass.h"

#include <glnn/map.h>

#include <stdlib.h>
#include <string.h>

enum { STRIDE, FEATURES, END };

static const glnn__kernel weighted_kernel = {
    .name = "mixtures/weighted",
    .operands = {"X", "MEAN", "R"},
    .unviewed = 3,
    .uniforms = {[STRIDE] = "int stride", [FEATURES] = "int features", [END] = "int end"},
};

glnn_status glnn__gmm_sums_create(const glnn__gmm_bank *bank, glnn__gmm_sums *out)
{
    const int features = bank->parameters->features, columns = bank->count + 1;
    const bool full = glnn__gmm_is_full(bank);
    const int own = full ? bank->count * bank->wide : 0;
    return glnn__matrices_create(
        bank->ctx, glnn__matrix_create_zero,
        &(glnn__matrices){{
            {&out->first, bank->layout, full ? 0 : features + 1, columns, "first moments"},
            {&out->second, bank->layout, full ? features + 1 : features, own + columns, "moments"},
        }});
}

void glnn__gmm_sums_destroy(glnn__gmm_sums *sums)
{
    glnn__gmm_sums_release(sums);
    glnn_matrix_destroy(sums->first);
    glnn_matrix_destroy(sums->second);
}

glnn_status glnn__gmm_sums_prepare(const glnn__gmm_bank *bank, glnn__gmm_sums *sums)
{
    return glnn__matrices_create(
        bank->ctx, glnn__matrix_create_scratch,
        &(glnn__matrices){{
            {&sums->responsibilities, bank->densities->layout, bank->rows, bank->count + 1,
             "responsibilities"},
            {&sums->weighted, bank->layout, glnn__gmm_is_full(bank) ? bank->rows : 0,
             sums->second->columns, "weighted deviations"},
        }});
}

void glnn__gmm_sums_release(glnn__gmm_sums *sums)
{
    glnn_matrix_destroy(sums->responsibilities);
    glnn_matrix_destroy(sums->weighted);
    sums->responsibilities = sums->weighted = NULL;
}

static glnn_status accumulate_diagonal(const glnn__gmm_bank *bank, bool is_first,
                                       glnn__gmm_sums *sums)
{
    const glnn_matrix *r = sums->responsibilities;
    GLNN__TRY(glnn__product_sum(bank->ctx, bank->samples, r, true, is_first, sums->first));
    return glnn__product_sum(bank->ctx, bank->squares, r, false, is_first, sums->second);
}

static glnn_status accumulate(const glnn__gmm_bank *bank, int count, bool is_first,
                              glnn__gmm_sums *sums)
{
    GLNN__TRY(
        glnn__softmax_rows(bank->ctx, bank->densities, bank->stats, count, sums->responsibilities));
    if (!glnn__gmm_is_full(bank))
        return accumulate_diagonal(bank, is_first, sums);
    GLNN__TRY(
        glnn__pass_run(bank->ctx, &(glnn__pass){
                                      .kernel = &weighted_kernel,
                                      .operands = {{.matrix = bank->samples},
                                                   {.matrix = bank->derived[GLNN__GMM_MEANS]},
                                                   {.matrix = sums->responsibilities}},
                                      .output = sums->weighted,
                                      .uniforms = {[STRIDE] = {.i = bank->wide},
                                                   [FEATURES] = {.i = bank->parameters->features},
                                                   [END] = {.i = bank->count * bank->wide}},
                                  }));
    return glnn__product_sum(bank->ctx, bank->samples, sums->weighted, true, is_first,
                             sums->second);
}

glnn_status glnn__gmm_accumulate(const glnn__gmm_bank *bank, int count, bool is_first,
                                 glnn__gmm_sums *sums)
{
    const glnn__label former = glnn__label_part(bank->ctx, "maximisation");
    return glnn__label_end(bank->ctx, former, accumulate(bank, count, is_first, sums));
}

glnn_status glnn__gmm_sums_clear(const glnn__gmm_sums *sums)
{
    if (sums->first)
        GLNN__TRY(glnn_fill(sums->first->ctx, 0, sums->first));
    return glnn_fill(sums->second->ctx, 0, sums->second);
}

glnn_status glnn__gmm_sums_request(const glnn__gmm_sums *sums, glnn__gmm_reading *out)
{
    if (sums->first)
        GLNN__TRY(glnn_download_begin(sums->second->ctx, sums->first, NULL, &out->first));
    return glnn_download_begin(sums->second->ctx, sums->second, NULL, &out->second);
}

static size_t elements_of(const glnn_matrix *matrix)
{
    return matrix ? glnn__gmm_size(matrix->rows, matrix->columns) : 0;
}

static glnn_status end_downloads(glnn__gmm_reading *reading, float *first, float *second)
{
    glnn_download *of_first = reading->first, *of_second = reading->second;
    reading->first = reading->second = NULL;
    const glnn_status status = of_first ? glnn_download_end(of_first, first, 0) : GLNN_OK;
    const glnn_status ended = glnn_download_end(of_second, second, 0);
    return status ? status : ended;
}

glnn_status glnn__gmm_reading_take(const glnn__gmm_sums *sums, glnn__gmm_reading *reading,
                                   float *first, float *second)
{
    const size_t of_first = elements_of(sums->first), of_second = elements_of(sums->second);
    if (!reading->values)
        return end_downloads(reading, first, second);
    if (of_first > 0)
        memcpy(first, reading->values, of_first * sizeof *first);
    memcpy(second, reading->values + of_first, of_second * sizeof *second);
    free(reading->values);
    reading->values = NULL;
    return GLNN_OK;
}

/* The values in main memory, or room for them. */
static glnn_status keep_values(const glnn__gmm_sums *sums, glnn__gmm_reading *reading)
{
    const size_t of_first = elements_of(sums->first), of_second = elements_of(sums->second);
    if (reading->values)
        return GLNN_OK;
    reading->values = calloc(of_first + of_second, sizeof *reading->values);
    if (!reading->values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu sums", of_first + of_second);
    return reading->second ? end_downloads(reading, reading->values, reading->values + of_first)
                           : GLNN_OK;
}

void glnn__gmm_reading_state(const glnn__gmm_sums *sums, glnn__gmm_reading *reading, int class,
                             glnn__state *state)
{
    bool exists = glnn__gmm_reading_exists(reading);
    glnn__state_bool(state, &exists, "classes.%d.is_read", class);
    if (!glnn__state_loads(state))
        return;
    glnn__gmm_reading_drop(reading);
    if (exists)
        state->status = keep_values(sums, reading);
}

void glnn__gmm_reading_visit(const glnn__gmm_sums *sums, glnn__gmm_reading *reading, int class,
                             glnn__visitor *visitor)
{
    if (!(visitor->roles & GLNN__ROLES_SUM) || !glnn__gmm_reading_exists(reading))
        return;
    if (!visitor->status)
        visitor->status = keep_values(sums, reading);
    glnn__visit_floats(visitor, GLNN__ROLE_SUM, reading->values,
                       elements_of(sums->first) + elements_of(sums->second), 1, "classes.%d.sums",
                       class);
}

void glnn__gmm_reading_drop(glnn__gmm_reading *reading)
{
    glnn_download_end(reading->first, NULL, 0);
    glnn_download_end(reading->second, NULL, 0);
    free(reading->values);
    *reading = (glnn__gmm_reading){0};
}
