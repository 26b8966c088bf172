#include "operations/operation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "common/failure.h"
#include "operations/half.h"

const operation *operation_get(const char *name)
{
    for (int i = 0; i < operation_count; ++i)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    REQUIRE(refuse("there is no operation %s", name));
    return NULL;
}

size_t elements_count(elements of)
{
    return (size_t)of.rows * (size_t)of.columns;
}

/* ---- Operands */

static int length_of(dimension d, size s)
{
    const int lengths[] = {
        [NONE] = 0,           [ONE] = 1, [M] = s.m, [N] = s.n, [K] = s.k, [M_AND_ONE] = s.m + 1,
        [K_AND_ONE] = s.k + 1};
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

static double number(glnn__random *random, const problem *p, range of, size_t i)
{
    const bool positive = p->op->map == GLNN_MAP_LOG || p->op->map == GLNN_MAP_SQRT;
    switch (of) {
    case UNIT:
        return uniform(random, -1, 1);
    case WIDE:
        return argument(random, false, i);
    case POSITIVE:
        return argument(random, true, i);
    case DIVISOR:
        return uniform(random, 0.1, 3) * (i % 2 ? 1 : -1);
    case RESULTS:
        return reference_map(p->op->map, fmin(argument(random, positive, i), 8));
    case ROWS:
        return floor(uniform(random, 0, p->operand[0].rows));
    }
    return 0;
}

static elements elements_new(const problem *p, operand like, glnn__random *random)
{
    elements made = {length_of(like.rows, p->size), length_of(like.columns, p->size), NULL};
    const size_t count = elements_count(made);
    if (count == 0)
        return (elements){0};
    made.data = calloc(count, sizeof *made.data);
    REQUIRE(made.data || refuse("no memory for %zu elements", count));
    for (size_t i = 0; random && i < count; ++i)
        made.data[i] = (float)number(random, p, like.range, i);
    return made;
}

problem problem_new(const operation *op, size s)
{
    problem p = {
        .op = op,
        .size = s,
        .from = {s.m / 3, s.n / 3, s.m - s.m / 3, s.n - s.n / 3},
        .row = s.m / 6,
        .column = s.n / 6,
        .count = s.m,
    };
    glnn__random random;
    glnn__random_start(&random, (uint64_t)s.m * 31 + (uint64_t)s.n);
    for (int i = 0; i < MAX_OPERANDS; ++i)
        p.operand[i] = elements_new(&p, op->operands[i], &random);
    p.former = elements_new(&p, op->out, &random);
    p.out = elements_new(&p, op->out, NULL);
    problem_reset(&p);
    return p;
}

void problem_reset(problem *p)
{
    memcpy(p->out.data, p->former.data, elements_count(p->out) * sizeof(float));
}

void problem_free(problem *p)
{
    for (int i = 0; i < MAX_OPERANDS; ++i)
        free(p->operand[i].data);
    free(p->former.data);
    free(p->out.data);
    *p = (problem){0};
}

double operation_flops(const operation *op, size s)
{
    if (op->kind == KIND_MOVE)
        return 0;
    if (op->kind != KIND_PRODUCT)
        return (double)s.m * s.n;
    const operand a = op->operands[0];
    const int inner = length_of(op->gemm.transpose_a ? a.rows : a.columns, s);
    return 2.0 * length_of(op->out.rows, s) * length_of(op->out.columns, s) * inner;
}

/* ---- Comparison */

/* About this many multiply-adds of the reference take a moment. */
static const double moment = 1 << 27;

double problem_error(const problem *p, glnn_storage stored)
{
    const int height = p->out.rows, width = p->out.columns;
    double *value = calloc(2 * (size_t)width, sizeof *value);
    REQUIRE(value || refuse("no memory for %d elements", width));
    double *bound = value + width;
    const double work = fmax(operation_flops(p->op, p->size), 1) / height;
    /* An odd stride meets every place within a block. */
    const int stride = (int)fmax(1, ceil(height * work / moment)) | 1;
    double worst = 0;
    for (int i = height - 1; i >= 0; i -= stride) {
        p->op->reference(p, i, value, bound);
        const float *got = p->out.data + (size_t)i * (size_t)width;
        for (int j = 0; j < width; ++j) {
            const double limit = stored_bound(stored, &value[j], bound[j]);
            const double error = fabs((double)got[j] - value[j]);
            const double ratio = (double)got[j] == value[j] ? 0 : error / limit;
            worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
        }
    }
    free(value);
    return worst;
}
