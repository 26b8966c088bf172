#include "selftest/operation.h"

#include "base/random.h"
#include "base/status.h"
#include "selftest/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const glnn__operation *glnn__operation_get(const char *name)
{
    for (int i = 0; i < glnn__operation_count; ++i)
        if (strcmp(glnn__operations[i].name, name) == 0)
            return &glnn__operations[i];
    return NULL;
}

int glnn__operation_place(const glnn__operation *op, int *rows)
{
    const glnn__operation *first = op, *last = op,
                          *end = glnn__operations + glnn__operation_count - 1;
    while (first > glnn__operations && strcmp(first[-1].family, op->family) == 0)
        --first;
    while (last < end && strcmp(last[1].family, op->family) == 0)
        ++last;
    *rows = (int)(last - first) + 1;
    return (int)(op - first);
}

size_t glnn__elements_count(glnn__elements of)
{
    return (size_t)of.rows * (size_t)of.columns;
}

void glnn__elements_round(glnn__elements values, glnn_storage storage)
{
    for (size_t i = 0; i < glnn__elements_count(values); ++i)
        values.data[i] =
            storage == GLNN_STORAGE_FLOAT16  ? (float)glnn__half_of((double)values.data[i])
            : storage == GLNN_STORAGE_UNORM8 ? rintf(255 * fminf(fmaxf(values.data[i], 0), 1)) / 255
                                             : values.data[i];
}

/* ---- Operands */

static int length_of(glnn__side d, glnn__sizes s)
{
    const int lengths[] = {[GLNN__SIDE_NONE] = 0,
                           [GLNN__SIDE_ONE] = 1,
                           [GLNN__SIDE_M] = s.m,
                           [GLNN__SIDE_N] = s.n,
                           [GLNN__SIDE_K] = s.k,
                           [GLNN__SIDE_M_AND_ONE] = s.m + 1,
                           [GLNN__SIDE_K_AND_ONE] = s.k + 1};
    return lengths[d];
}

static double uniform(glnn__random *random, double low, double high)
{
    const double u = (double)(glnn__random_next(random) >> 8) * 0x1p-24;
    return (double)(float)(low + (high - low) * u);
}

/* Random arguments of maps, every third of them a place where maps bend or saturate. */
static double argument(glnn__random *random, bool positive, size_t i)
{
    static const double special[] = {0.0, 1e-3, 1.0, 7.5, 30.0};
    const double value = uniform(random, positive ? 0.01 : -6, 6);
    if (i % 3 != 0)
        return value;
    const double place = special[i / 3 % (sizeof special / sizeof special[0])];
    return positive ? fmax(place, 1e-3) : i % 2 ? -place : place;
}

static double number(glnn__random *random, const glnn__problem *p, glnn__range of, size_t i)
{
    const bool positive = p->op->map == GLNN_MAP_LOG || p->op->map == GLNN_MAP_SQRT;
    switch (of) {
    case GLNN__RANGE_UNIT:
        return uniform(random, -1, 1);
    case GLNN__RANGE_WIDE:
        return argument(random, false, i);
    case GLNN__RANGE_POSITIVE:
        return argument(random, true, i);
    case GLNN__RANGE_DIVISOR:
        return uniform(random, 0.1, 3) * (i % 2 ? 1 : -1);
    case GLNN__RANGE_RESULTS:
        return glnn__reference_map(p->op->map, fmin(argument(random, positive, i), 8));
    case GLNN__RANGE_ROWS:
        return floor(uniform(random, 0, p->operand[0].rows));
    }
    return 0;
}

/* Returns false if there is no memory. */
static bool fill_elements(const glnn__problem *p, glnn__argument like, glnn__random *random,
                          glnn__elements *out)
{
    *out = (glnn__elements){length_of(like.rows, p->size), length_of(like.columns, p->size), NULL};
    const size_t count = glnn__elements_count(*out);
    if (count == 0) {
        *out = (glnn__elements){0};
        return true;
    }
    out->data = calloc(count, sizeof *out->data);
    for (size_t i = 0; out->data && random && i < count; ++i)
        out->data[i] = (float)number(random, p, like.range, i);
    return out->data != NULL;
}

glnn_status glnn__problem_create(const glnn__operation *op, glnn__sizes s, glnn__problem *out)
{
    *out = (glnn__problem){
        .op = op,
        .size = s,
        .from = {s.m / 3, s.n / 3, s.m - s.m / 3, s.n - s.n / 3},
        .row = s.m / 6,
        .column = s.n / 6,
        .count = s.m,
    };
    glnn__random random;
    glnn__random_start(&random, (uint64_t)s.m * 31 + (uint64_t)s.n);
    bool has_memory = true;
    for (int i = 0; i < GLNN__MOST_OPERANDS && has_memory; ++i)
        has_memory = fill_elements(out, op->operands[i], &random, &out->operand[i]);
    has_memory = has_memory && fill_elements(out, op->out, &random, &out->former) &&
                 fill_elements(out, op->out, NULL, &out->out);
    if (has_memory) {
        glnn__problem_reset(out);
        return GLNN_OK;
    }
    glnn__problem_free(out);
    return glnn__fail(GLNN_E_NOMEM, "no memory for the elements of %s", op->name);
}

void glnn__problem_reset(glnn__problem *p)
{
    memcpy(p->out.data, p->former.data, glnn__elements_count(p->out) * sizeof(float));
}

void glnn__problem_free(glnn__problem *p)
{
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        free(p->operand[i].data);
    free(p->former.data);
    free(p->out.data);
    *p = (glnn__problem){0};
}

double glnn__operation_flops(const glnn__operation *op, glnn__sizes s)
{
    if (op->kind == GLNN__KIND_MOVE)
        return 0;
    if (op->kind != GLNN__KIND_PRODUCT)
        return (double)s.m * s.n;
    const glnn__argument a = op->operands[0];
    const int inner = length_of(op->gemm.transpose_a ? a.rows : a.columns, s);
    return 2.0 * length_of(op->out.rows, s) * length_of(op->out.columns, s) * inner;
}

/* ---- Comparison */

/* About this many multiply-adds of the reference take a moment. */
static const double moment = 1 << 27;

/* One row; returns its greatest error. */
static double row_error(const glnn__problem *p, int row, glnn_storage stored, double *value,
                        double *bound)
{
    const float *got = p->out.data + (size_t)row * (size_t)p->out.columns;
    double worst = 0;
    p->op->reference(p, row, value, bound);
    for (int j = 0; j < p->out.columns; ++j) {
        const double limit = glnn__stored_bound(stored, &value[j], bound[j]);
        const double error = fabs((double)got[j] - value[j]);
        const double ratio = (double)got[j] == value[j] ? 0 : error / limit;
        worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
    }
    return worst;
}

glnn_status glnn__problem_error(const glnn__problem *p, glnn_storage stored, double *worst)
{
    const int height = p->out.rows, width = p->out.columns;
    double *value = calloc(2 * (size_t)width, sizeof *value);
    if (!value)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a row of %d elements", width);
    const double work = fmax(glnn__operation_flops(p->op, p->size), 1) / height;
    /* An odd stride meets every place within a block. */
    const int stride = (int)fmax(1, ceil(height * work / moment)) | 1;
    *worst = 0;
    for (int i = height - 1; i >= 0; i -= stride)
        *worst = fmax(*worst, row_error(p, i, stored, value, value + width));
    free(value);
    return GLNN_OK;
}
