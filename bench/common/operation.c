#include "common/operation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness.h"
#include "common/operation_kinds.h"
#include "common/original.h"

/* ---- On the device */

#define DEVICE(name, call)                                                                         \
    static glnn_status name(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *y,         \
                            glnn_matrix *out)                                                      \
    {                                                                                              \
        (void)y;                                                                                   \
        return call;                                                                               \
    }

DEVICE(device_nn, glnn_gemm(ctx, NULL, x, y, out))
DEVICE(device_nt, glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_b = true}, x, y, out))
DEVICE(device_tn, glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_a = true}, x, y, out))
DEVICE(device_outer, glnn_outer(ctx, 1, x, y, 0, out))
DEVICE(device_relu, glnn_map_apply(ctx, GLNN_MAP_RELU, x, out))
DEVICE(device_sigmoid, glnn_map_apply(ctx, GLNN_MAP_SIGMOID, x, out))
DEVICE(device_tanh, glnn_map_apply(ctx, GLNN_MAP_TANH, x, out))
DEVICE(device_exp, glnn_map_apply(ctx, GLNN_MAP_EXP, x, out))
DEVICE(device_add, glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, y, out))
DEVICE(device_multiply, glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, x, y, out))
DEVICE(device_axpby, glnn_axpby(ctx, AXPBY_ALPHA, x, AXPBY_BETA, out))
DEVICE(device_softmax, glnn_softmax(ctx, x, out))
DEVICE(device_copy, glnn_copy(ctx, x, out))
DEVICE(device_transpose, glnn_transpose(ctx, x, out))
DEVICE(device_gather, glnn_gather_rows(ctx, x, y, 0, glnn_matrix_rows(out), out))
DEVICE(device_sum, glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, out))
DEVICE(device_sum_rows, glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, x, out))
DEVICE(device_sum_columns, glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, x, out))
DEVICE(device_max, glnn_reduce(ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, x, out))
DEVICE(device_argmin_rows, glnn_reduce(ctx, GLNN_REDUCTION_ARGMIN, GLNN_AXIS_ROWS, x, out))
DEVICE(device_argmin_columns, glnn_reduce(ctx, GLNN_REDUCTION_ARGMIN, GLNN_AXIS_COLUMNS, x, out))

#define ORIGINAL(...)                                                                              \
    &(glnn_gemm_desc)                                                                              \
    {                                                                                              \
        .slice = ORIGINAL_COLUMNS, .accumulate = GLNN_ACCUMULATE_BLEND, __VA_ARGS__                \
    }

DEVICE(original_nn, glnn_gemm(ctx, ORIGINAL(.alpha = 1), x, y, out))
DEVICE(original_nt, glnn_gemm(ctx, ORIGINAL(.transpose_b = true), x, y, out))
DEVICE(original_tn, glnn_gemm(ctx, ORIGINAL(.transpose_a = true), x, y, out))

/* ---- The table */

/* clang-format off */
const operation operations[] = {
    {"gemm_nn", FAMILY_PRODUCT, {M, K}, {K, N}, {M, N}, .device = device_nn,
     .original = original_nn,
     .plain = plain_nn, .blas = blas_nn, .reference = reference_nn},
    {"gemm_nt", FAMILY_PRODUCT, {M, K}, {N, K}, {M, N}, .device = device_nt,
     .original = original_nt,
     .plain = plain_nt, .blas = blas_nt, .reference = reference_nt},
    {"gemm_tn", FAMILY_PRODUCT, {K, M}, {K, N}, {M, N}, .device = device_tn,
     .original = original_tn,
     .plain = plain_tn, .blas = blas_tn, .reference = reference_tn},
    {"gemv", FAMILY_PRODUCT, {M, K}, {K, ONE}, {M, ONE}, .device = device_nn,
     .plain = plain_gemv, .blas = blas_nn, .reference = reference_nn},
    {"outer", FAMILY_PRODUCT, {M, ONE}, {ONE, N}, {M, N}, .device = device_outer,
     .plain = plain_nn, .blas = blas_nn, .reference = reference_nn},
    {"relu", FAMILY_MAP, {M, N}, {0}, {M, N}, .device = device_relu,
     .plain = plain_relu, .reference = reference_relu},
    {"sigmoid", FAMILY_MAP, {M, N}, {0}, {M, N}, .device = device_sigmoid,
     .plain = plain_sigmoid, .reference = reference_sigmoid},
    {"tanh", FAMILY_MAP, {M, N}, {0}, {M, N}, .device = device_tanh,
     .plain = plain_tanh, .reference = reference_tanh},
    {"exp", FAMILY_MAP, {M, N}, {0}, {M, N}, .device = device_exp,
     .plain = plain_exp, .reference = reference_exp},
    {"add", FAMILY_MAP, {M, N}, {M, N}, {M, N}, .device = device_add,
     .plain = plain_add, .reference = reference_add},
    {"multiply", FAMILY_MAP, {M, N}, {M, N}, {M, N}, .device = device_multiply,
     .plain = plain_multiply, .reference = reference_multiply},
    {"axpby", FAMILY_MAP, {M, N}, {M, N}, {M, N}, .in_place = true, .device = device_axpby,
     .plain = plain_axpby, .blas = blas_axpby, .reference = reference_axpby},
    {"softmax", FAMILY_MAP, {M, N}, {0}, {M, N}, .device = device_softmax,
     .plain = plain_softmax, .reference = reference_softmax},
    {"copy", FAMILY_MOVE, {M, N}, {0}, {M, N}, .device = device_copy,
     .plain = plain_copy, .blas = blas_copy, .reference = reference_copy},
    {"transpose", FAMILY_MOVE, {M, N}, {0}, {N, M}, .device = device_transpose,
     .plain = plain_transpose, .blas = blas_transpose, .reference = reference_transpose},
    {"gather_rows", FAMILY_MOVE, {M, N}, {M, ONE}, {M, N}, .y_is_index = true,
     .device = device_gather, .plain = plain_gather, .reference = reference_gather},
    {"sum", FAMILY_REDUCTION, {M, N}, {0}, {ONE, ONE}, .device = device_sum,
     .plain = plain_sum, .blas = blas_sum, .reference = reference_sum},
    {"sum_rows", FAMILY_REDUCTION, {M, N}, {0}, {M, ONE}, .device = device_sum_rows,
     .plain = plain_sum_rows, .blas = blas_sum_rows, .reference = reference_sum_rows},
    {"sum_columns", FAMILY_REDUCTION, {M, N}, {0}, {ONE, N}, .device = device_sum_columns,
     .plain = plain_sum_columns, .reference = reference_sum_columns},
    {"max", FAMILY_REDUCTION, {M, N}, {0}, {ONE, ONE}, .device = device_max,
     .plain = plain_max, .reference = reference_max},
    {"argmin_rows", FAMILY_REDUCTION, {M, N}, {0}, {M, ONE}, .device = device_argmin_rows,
     .plain = plain_argmin_rows, .reference = reference_argmin_rows},
    {"argmin_columns", FAMILY_REDUCTION, {M, N}, {0}, {ONE, N}, .device = device_argmin_columns,
     .plain = plain_argmin_columns, .reference = reference_argmin_columns},
};
/* clang-format on */
const int operation_count = sizeof operations / sizeof operations[0];

const operation *operation_get(const char *name)
{
    for (int i = 0; i < operation_count; ++i)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    fprintf(stderr, "error: there is no operation %s\n", name);
    exit(EXIT_FAILURE);
}

/* ---- Operands */

static int length_of(dimension d, size s)
{
    const int lengths[] = {[NONE] = 0, [ONE] = 1, [M] = s.m, [N] = s.n, [K] = s.k};
    return lengths[d];
}

size_t array_length(array a)
{
    return (size_t)a.rows * (size_t)a.columns;
}

static array array_new(shape of, size s)
{
    array a = {length_of(of.rows, s), length_of(of.columns, s), NULL};
    if (a.rows > 0)
        a.data = random_floats(array_length(a), -1, 1);
    return a;
}

operands operands_new(const operation *op, size s)
{
    operands in = {s, array_new(op->x, s), array_new(op->y, s), array_new(op->out, s)};
    if (op->y_is_index)
        for (int i = 0; i < in.y.rows; ++i)
            in.y.data[i] = floorf(0.5f * (in.y.data[i] + 1) * (float)in.x.rows);
    operands_reset(op, &in);
    return in;
}

void operands_free(operands *in)
{
    free(in->x.data);
    free(in->y.data);
    free(in->out.data);
    *in = (operands){0};
}

void operands_reset(const operation *op, operands *in)
{
    const size_t bytes = array_length(in->out) * sizeof(float);
    if (op->in_place)
        memcpy(in->out.data, in->y.data, bytes);
    else
        memset(in->out.data, 0, bytes);
}

double operation_flops(const operation *op, size s)
{
    if (op->family == FAMILY_MOVE)
        return 0;
    if (op->family != FAMILY_PRODUCT)
        return (double)s.m * s.n;
    const int inner = op->x.rows == K ? s.k : length_of(op->x.columns, s);
    return 2.0 * s.m * length_of(op->out.columns, s) * inner;
}

static double bytes_of(array a, glnn_storage storage)
{
    return (storage == GLNN_STORAGE_FLOAT16 ? 2.0 : 4.0) * (double)array_length(a);
}

double operation_bytes(const operands *in, storages stored)
{
    return bytes_of(in->x, stored.x) + bytes_of(in->y, stored.y) + bytes_of(in->out, stored.out);
}

/* ---- Judging */

/* About this many multiply-adds of the reference take a moment. */
static const double moment = 1 << 27;

/* glnn/matrix.h: relative to what is rounded, and below 2^-14 absolute. */
static double half_bound(double value, double bound)
{
    return bound + 0x1p-11 * (fabs(value) + bound) + 0x1p-25;
}

double operands_judge(const operation *op, const operands *in, glnn_storage out)
{
    const int rows = in->out.rows, columns = in->out.columns;
    double *value = allocate((size_t)columns, sizeof *value);
    double *bound = allocate((size_t)columns, sizeof *bound);
    const double work = fmax(operation_flops(op, in->size), 1) / rows;
    /* An odd stride meets every place within a block. */
    const int stride = (int)fmax(1, ceil(rows * work / moment)) | 1;
    double worst = 0;
    for (int i = rows - 1; i >= 0; i -= stride) {
        op->reference(in, i, value, bound);
        const float *got = in->out.data + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; ++j) {
            const double error = fabs((double)got[j] - value[j]);
            const double limit =
                out == GLNN_STORAGE_FLOAT16 ? half_bound(value[j], bound[j]) : bound[j];
            const double ratio = error == 0 ? 0 : error / limit;
            worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
        }
    }
    free(value);
    free(bound);
    return worst;
}
