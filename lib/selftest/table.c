#include "selftest/families.h"

/* Short names, because the rows consist of them. */
#define ONE            GLNN__SIDE_ONE
#define M              GLNN__SIDE_M
#define N              GLNN__SIDE_N
#define K              GLNN__SIDE_K
#define M_AND_ONE      GLNN__SIDE_M_AND_ONE
#define K_AND_ONE      GLNN__SIDE_K_AND_ONE
#define UNIT           GLNN__RANGE_UNIT
#define WIDE           GLNN__RANGE_WIDE
#define POSITIVE       GLNN__RANGE_POSITIVE
#define DIVISOR        GLNN__RANGE_DIVISOR
#define RESULTS        GLNN__RANGE_RESULTS
#define ROWS           GLNN__RANGE_ROWS
#define NOTHING        GLNN__FROM_NOTHING
#define DELTA          GLNN__FROM_DELTA
#define RESULT         GLNN__FROM_RESULT
#define OPERAND_0      GLNN__FROM_OPERAND_0
#define OPERAND_1      GLNN__FROM_OPERAND_1
#define KIND_PRODUCT   GLNN__KIND_PRODUCT
#define KIND_MAP       GLNN__KIND_MAP
#define KIND_MOVE      GLNN__KIND_MOVE
#define KIND_REDUCTION GLNN__KIND_REDUCTION

/* clang-format off */

#define MAP_ROW(name_, map_, range_)                                                               \
    {name_, "glnn_map_apply", "map", KIND_MAP, {{M, N, range_}}, {M, N, 0}, .in_place = 1,         \
     .run = glnn__run_map, .reference = glnn__map_row, .map = map_}

#define DERIVATIVE_ROW(name_, map_)                                                                \
    {name_ "_derivative", "glnn_map_apply_derivative", "derivative", KIND_MAP,                     \
     {{M, N, RESULTS}, {M, N, WIDE}}, {M, N, 0}, .in_place = 3,                                    \
     .run = glnn__run_derivative, .reference = glnn__derivative_row, .map = map_,                  \
     .gradient = {name_, 0, {RESULT, DELTA}, 0}}

#define FULL   M, N
#define ROW    ONE, N
#define COLUMN M, ONE
#define SCALAR ONE, ONE
#define BINARY_ROW(name_, op_, x_, y_, gradient_)                                                  \
    {name_, "glnn_binary_apply", "binary", KIND_MAP, {{x_, DIVISOR}, {y_, DIVISOR}}, {M, N, 0},    \
     .in_place = 3, .run = glnn__run_binary, .reference = glnn__binary_row, .gradient = gradient_, \
     .binary = GLNN_BINARY_##op_}

#define AXPBY_ROW(name_, call_, run_, alpha_, beta_)                                               \
    {name_, call_, "axpby", KIND_MAP, {{M, N, UNIT}}, {M, N, UNIT}, .adds = true, .in_place = 1,   \
     .run = run_, .reference = glnn__axpby_row, .alpha = alpha_, .beta = beta_}

#define FILL_ROW(name_, call_, run_, reference_, seed_, alpha_, beta_)                             \
    {name_, call_, call_, KIND_MAP, {{0}}, {M, N, 0},                                              \
     .run = run_, .reference = reference_, .seed = seed_, .alpha = alpha_, .beta = beta_}

#define REDUCTION_ROW(name_, reduction_, axis_, out_, gradient_)                                   \
    {name_, "glnn_reduce", "reduce", KIND_REDUCTION, {{M, N, UNIT}}, {out_, 0},                    \
     .run = glnn__run_reduce, .reference = glnn__reduce_row, .gradient = gradient_,                \
     .reduction = GLNN_REDUCTION_##reduction_, .axis = GLNN_AXIS_##axis_}
#define REDUCTION_ROWS(name_, reduction_)                                                          \
    REDUCTION_ROW(name_, reduction_, ALL, SCALAR, NO_GRADIENT),                                    \
    REDUCTION_ROW(name_ "_rows", reduction_, ROWS, COLUMN, NO_GRADIENT),                           \
    REDUCTION_ROW(name_ "_columns", reduction_, COLUMNS, ROW, NO_GRADIENT)

#define OUTER_ROW(name_) name_, "glnn_outer", "outer", KIND_PRODUCT
#define OUTER_RUN        .run = glnn__run_outer, .reference = glnn__outer_row

/* Operands behind a and b are a bias and y, of which the result is multiplied by a map's
 * derivative. */
#define GEMM_ROW(family_, name_) family_ name_, "glnn_gemm", family_, KIND_PRODUCT
#define GEMM_RUN .in_place = 15, .run = glnn__run_gemm, .reference = glnn__gemm_row
#define GEMM(alpha_) GEMM_RUN, .alpha = alpha_
#define GEMM_ADDED(alpha_, beta_) GEMM(alpha_), .adds = true, .beta = beta_
#define A                        {M, K, UNIT}
#define A_ACROSS                 {K, M, UNIT}
#define B                        {K, N, UNIT}
#define B_ACROSS                 {N, K, UNIT}
#define B_AUGMENTED              {K_AND_ONE, N, UNIT}
#define BIAS                     {ONE, N, UNIT}
#define Y                        {M, N, RESULTS}
#define C                        {M, N, UNIT}
#define C_AUGMENTED              {M_AND_ONE, N, UNIT}

#define NO_GRADIENT   {0}
#define GRADIENT(...) {__VA_ARGS__}

const glnn__operation glnn__operations[] = {
    {GEMM_ROW("gemm_nn", ""), {A, B}, C, GEMM(1)},
    {"gemv", "glnn_gemm", "gemm_nn", KIND_PRODUCT, {A, {K, ONE, UNIT}}, {M, ONE, UNIT}, GEMM(1)},
    {GEMM_ROW("gemm_nn", "_scaled"), {A, B}, C, GEMM(-0.5f)},
    {GEMM_ROW("gemm_nn", "_added"), {A, B}, C, GEMM_ADDED(1, 0.75f)},
    {GEMM_ROW("gemm_nn", "_bias"), {A, B, BIAS}, C, GEMM(1)},
    {GEMM_ROW("gemm_nn", "_relu"), {A, B}, C, GEMM(1), .gemm = {.activation = GLNN_MAP_RELU}},
    {GEMM_ROW("gemm_nn", "_bias_sigmoid"), {A, B, BIAS}, C, GEMM(1),
     .gemm = {.activation = GLNN_MAP_SIGMOID}},
    {GEMM_ROW("gemm_nn", "_bias_scaled_tanh"), {A, B, BIAS}, C, GEMM(1),
     .gemm = {.activation = GLNN_MAP_SCALED_TANH}},
    {GEMM_ROW("gemm_nn", "_derivative_identity"), {A, B, {0}, Y}, C, GEMM(1),
     .gemm = {.derivative = GLNN_MAP_IDENTITY}},
    {GEMM_ROW("gemm_nn", "_blended"), {A, B}, C, GEMM_ADDED(1, 0.25f), .gemm = {.slice = 8,
     .accumulate = GLNN_ACCUMULATE_BLEND}},
    {GEMM_ROW("gemm_nn", "_augment"), {A, B_AUGMENTED}, C, GEMM(1), .gemm = {.augment = true}},
    {GEMM_ROW("gemm_nn", "_augment_tanh"), {A, B_AUGMENTED}, C, GEMM(1), .gemm = {.augment = true,
     .activation = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_nn", "_augment_added"), {A, B_AUGMENTED}, C, GEMM_ADDED(-0.125f, 0.9f),
     .gemm = {.augment = true}},

    {GEMM_ROW("gemm_nt", ""), {A, B_ACROSS}, C, GEMM(1), .gradient = {"gemm_nn", 0, {DELTA,
     OPERAND_1}, 0}, .gemm = {.transpose_b = true}},
    {GEMM_ROW("gemm_nt", "_added"), {A, B_ACROSS}, C, GEMM_ADDED(0.01f, 0.9f),
     .gemm = {.transpose_b = true}},
    {GEMM_ROW("gemm_nt", "_bias_leaky_relu"), {A, B_ACROSS, BIAS}, C, GEMM(1),
     .gemm = {.transpose_b = true, .activation = GLNN_MAP_LEAKY_RELU}},
    {GEMM_ROW("gemm_nt", "_bias_softplus"), {A, B_ACROSS, BIAS}, C, GEMM(1),
     .gemm = {.transpose_b = true, .activation = GLNN_MAP_SOFTPLUS}},
    {GEMM_ROW("gemm_nt", "_derivative_sigmoid"), {A, B_ACROSS, {0}, Y}, C, GEMM(1),
     .gradient = {"gemm_nn", 0, {DELTA, OPERAND_1, NOTHING, OPERAND_0}, GLNN_MAP_SIGMOID},
     .map = GLNN_MAP_SIGMOID, .gemm = {.transpose_b = true, .derivative = GLNN_MAP_SIGMOID}},
    {GEMM_ROW("gemm_nt", "_partial"), {A, B_ACROSS}, C, GEMM_ADDED(1, 0.25f),
     .gemm = {.transpose_b = true, .slice = 8, .accumulate = GLNN_ACCUMULATE_PARTIAL}},

    {GEMM_ROW("gemm_tn", ""), {A_ACROSS, B}, C, GEMM(1), .gradient = {"gemm_nn", 1, {OPERAND_0,
     DELTA}, 0}, .gemm = {.transpose_a = true}},
    {GEMM_ROW("gemm_tn", "_bias_tanh_added"), {A_ACROSS, B, BIAS}, C, GEMM_ADDED(0.5f, 0.5f),
     .gemm = {.transpose_a = true, .activation = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_tn", "_derivative_scaled_tanh"), {A_ACROSS, B, {0}, Y}, C, GEMM(3),
     .map = GLNN_MAP_SCALED_TANH, .gemm = {.transpose_a = true,
     .derivative = GLNN_MAP_SCALED_TANH}},
    {GEMM_ROW("gemm_tn", "_augment"), {A_ACROSS, B}, C_AUGMENTED, GEMM(1),
     .gradient = {"gemm_nn_augment", 1, {OPERAND_0, DELTA}, 0}, .gemm = {.transpose_a = true,
     .augment = true}},
    {GEMM_ROW("gemm_tn", "_augment_tanh"), {A_ACROSS, B}, C_AUGMENTED, GEMM(1),
     .gemm = {.transpose_a = true, .augment = true, .activation = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_tn", "_augment_added"), {A_ACROSS, B}, C_AUGMENTED, GEMM_ADDED(-0.125f, 0.9f),
     .gemm = {.transpose_a = true, .augment = true}},

    {GEMM_ROW("gemm_tt", ""), {A_ACROSS, B_ACROSS}, C, GEMM(1), .gemm = {.transpose_a = true,
     .transpose_b = true}},
    {GEMM_ROW("gemm_tt", "_bias_added"), {A_ACROSS, B_ACROSS, BIAS}, C, GEMM_ADDED(2, -1),
     .gemm = {.transpose_a = true, .transpose_b = true}},
    {GEMM_ROW("gemm_tt", "_bias_derivative_tanh_added"), {A_ACROSS, B_ACROSS, BIAS, Y}, C,
     GEMM_ADDED(1, 0.5f), .map = GLNN_MAP_TANH, .gemm = {.transpose_a = true, .transpose_b = true,
     .derivative = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_tt", "_bias_tanh_derivative_leaky_relu"), {A_ACROSS, B_ACROSS, BIAS, Y}, C,
     GEMM(1), .map = GLNN_MAP_LEAKY_RELU, .gemm = {.transpose_a = true, .transpose_b = true,
     .activation = GLNN_MAP_TANH, .derivative = GLNN_MAP_LEAKY_RELU}},

    {GEMM_ROW("gemm_zero", ""), {A, B}, C, GEMM(0)},
    {GEMM_ROW("gemm_zero", "_bias_tanh"), {A, B, BIAS}, C, GEMM(0),
     .gemm = {.activation = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_zero", "_augment_added"), {A, B_AUGMENTED}, C, GEMM_ADDED(0, 0.5f),
     .gemm = {.augment = true}},
    {GEMM_ROW("gemm_zero", "_bias_derivative_tanh_added"), {A, B_ACROSS, BIAS, Y}, C, GEMM_ADDED(0,
     -0.5f), .map = GLNN_MAP_TANH, .gemm = {.transpose_b = true, .derivative = GLNN_MAP_TANH}},
    {GEMM_ROW("gemm_zero", "_blended"), {A_ACROSS, B}, C, GEMM_ADDED(0, 0.25f),
     .gemm = {.transpose_a = true, .slice = 8, .accumulate = GLNN_ACCUMULATE_BLEND}},
    {GEMM_ROW("gemm_zero", "_partial"), {A_ACROSS, B_ACROSS}, C, GEMM_ADDED(0, 1),
     .gemm = {.transpose_a = true, .transpose_b = true, .slice = 8,
     .accumulate = GLNN_ACCUMULATE_PARTIAL}},

    {OUTER_ROW("outer"), {{M, ONE, UNIT}, {ONE, N, UNIT}}, C, OUTER_RUN, .alpha = 1},
    {OUTER_ROW("outer_of_rows"), {{ONE, M, UNIT}, {ONE, N, UNIT}}, C, OUTER_RUN, .alpha = -2.5f},
    {OUTER_ROW("outer_of_columns"), {{M, ONE, UNIT}, {N, ONE, UNIT}}, C, OUTER_RUN,
     .alpha = -0.01f, .adds = true, .beta = 0.9f},
    {OUTER_ROW("outer_of_row_and_column"), {{ONE, M, UNIT}, {N, ONE, UNIT}}, C, OUTER_RUN,
     .alpha = 1, .adds = true, .beta = 1},
    {OUTER_ROW("outer_times_zero"), {{M, ONE, UNIT}, {ONE, N, UNIT}}, C, OUTER_RUN, .alpha = 0},
    {OUTER_ROW("outer_times_zero_added"), {{M, ONE, UNIT}, {ONE, N, UNIT}}, C, OUTER_RUN,
     .alpha = 0, .adds = true, .beta = 0.5f},

    MAP_ROW("identity", GLNN_MAP_IDENTITY, WIDE),
    MAP_ROW("sigmoid", GLNN_MAP_SIGMOID, WIDE),
    MAP_ROW("tanh", GLNN_MAP_TANH, WIDE),
    MAP_ROW("scaled_tanh", GLNN_MAP_SCALED_TANH, WIDE),
    MAP_ROW("relu", GLNN_MAP_RELU, WIDE),
    MAP_ROW("leaky_relu", GLNN_MAP_LEAKY_RELU, WIDE),
    MAP_ROW("softplus", GLNN_MAP_SOFTPLUS, WIDE),
    MAP_ROW("exp", GLNN_MAP_EXP, WIDE),
    MAP_ROW("log", GLNN_MAP_LOG, POSITIVE),
    MAP_ROW("sqrt", GLNN_MAP_SQRT, POSITIVE),
    MAP_ROW("threshold", GLNN_MAP_THRESHOLD, WIDE),
    MAP_ROW("elu", GLNN_MAP_ELU, WIDE),
    MAP_ROW("softsign", GLNN_MAP_SOFTSIGN, WIDE),

    DERIVATIVE_ROW("identity", GLNN_MAP_IDENTITY),
    DERIVATIVE_ROW("sigmoid", GLNN_MAP_SIGMOID),
    DERIVATIVE_ROW("tanh", GLNN_MAP_TANH),
    DERIVATIVE_ROW("scaled_tanh", GLNN_MAP_SCALED_TANH),
    DERIVATIVE_ROW("relu", GLNN_MAP_RELU),
    DERIVATIVE_ROW("leaky_relu", GLNN_MAP_LEAKY_RELU),
    DERIVATIVE_ROW("softplus", GLNN_MAP_SOFTPLUS),
    DERIVATIVE_ROW("exp", GLNN_MAP_EXP),
    DERIVATIVE_ROW("log", GLNN_MAP_LOG),
    DERIVATIVE_ROW("sqrt", GLNN_MAP_SQRT),
    DERIVATIVE_ROW("threshold", GLNN_MAP_THRESHOLD),
    DERIVATIVE_ROW("elu", GLNN_MAP_ELU),
    DERIVATIVE_ROW("softsign", GLNN_MAP_SOFTSIGN),
    {"sigmoid_derivative_alone", "glnn_map_apply_derivative", "derivative alone", KIND_MAP,
     {{M, N, RESULTS}}, {M, N, 0}, .in_place = 1, .run = glnn__run_derivative,
     .reference = glnn__derivative_row, .map = GLNN_MAP_SIGMOID},

    {"expression", "glnn_map_apply_expression", "expression", KIND_MAP, {{M, N, WIDE}}, {M, N, 0},
     .in_place = 1, .run = glnn__run_expression, .reference = glnn__expression_row},

    BINARY_ROW("add", ADD, FULL, FULL, NO_GRADIENT),
    BINARY_ROW("subtract", SUBTRACT, FULL, FULL, NO_GRADIENT),
    BINARY_ROW("multiply", MULTIPLY, FULL, FULL, GRADIENT("multiply", 0, {DELTA, OPERAND_1}, 0)),
    BINARY_ROW("divide", DIVIDE, FULL, FULL, NO_GRADIENT),
    BINARY_ROW("maximum", MAXIMUM, FULL, FULL, NO_GRADIENT),
    BINARY_ROW("minimum", MINIMUM, FULL, FULL, NO_GRADIENT),
    BINARY_ROW("add_row", ADD, FULL, ROW, NO_GRADIENT),
    BINARY_ROW("add_column", ADD, FULL, COLUMN, NO_GRADIENT),
    BINARY_ROW("add_scalar", ADD, FULL, SCALAR, NO_GRADIENT),
    BINARY_ROW("subtract_row", SUBTRACT, FULL, ROW, NO_GRADIENT),
    BINARY_ROW("multiply_column", MULTIPLY, FULL, COLUMN,
               GRADIENT("multiply_column", 0, {DELTA, OPERAND_1}, 0)),
    BINARY_ROW("divide_scalar", DIVIDE, FULL, SCALAR, NO_GRADIENT),
    BINARY_ROW("maximum_of_row_and_all", MAXIMUM, ROW, FULL, NO_GRADIENT),
    BINARY_ROW("minimum_of_rows", MINIMUM, ROW, ROW, NO_GRADIENT),
    BINARY_ROW("divide_row_by_column", DIVIDE, ROW, COLUMN, NO_GRADIENT),
    BINARY_ROW("multiply_row_by_scalar", MULTIPLY, ROW, SCALAR, NO_GRADIENT),
    BINARY_ROW("subtract_from_column", SUBTRACT, COLUMN, FULL, NO_GRADIENT),
    BINARY_ROW("add_column_and_row", ADD, COLUMN, ROW, NO_GRADIENT),
    BINARY_ROW("divide_columns", DIVIDE, COLUMN, COLUMN, NO_GRADIENT),
    BINARY_ROW("maximum_of_column_and_scalar", MAXIMUM, COLUMN, SCALAR, NO_GRADIENT),
    BINARY_ROW("divide_scalar_by_all", DIVIDE, SCALAR, FULL, NO_GRADIENT),
    BINARY_ROW("subtract_row_from_scalar", SUBTRACT, SCALAR, ROW, NO_GRADIENT),
    BINARY_ROW("minimum_of_scalar_and_column", MINIMUM, SCALAR, COLUMN, NO_GRADIENT),
    BINARY_ROW("multiply_scalars", MULTIPLY, SCALAR, SCALAR, NO_GRADIENT),

    AXPBY_ROW("axpby", "glnn_axpby", glnn__run_axpby, 0.5f, 0.25f),
    AXPBY_ROW("axpby_instead", "glnn_axpby", glnn__run_axpby, 2, 0),
    AXPBY_ROW("axpby_negated", "glnn_axpby", glnn__run_axpby, 0, -1),
    AXPBY_ROW("axpby_zero", "glnn_axpby", glnn__run_axpby, 0, 0),
    AXPBY_ROW("axpy", "glnn_axpy", glnn__run_axpy, -0.01f, 1),

    {"softmax", "glnn_softmax", "softmax", KIND_MAP, {{M, N, WIDE}}, {M, N, 0}, .in_place = 1,
     .run = glnn__run_softmax, .reference = glnn__softmax_row},

    FILL_ROW("fill", "glnn_fill", glnn__run_fill, glnn__fill_row, 0, 0.1f, 0),
    FILL_ROW("fill_uniform", "glnn_fill_uniform", glnn__run_uniform, glnn__uniform_row,
             0x123456789abcdefu,
             -0.5f, 0.5f),
    FILL_ROW("fill_normal", "glnn_fill_normal", glnn__run_normal, glnn__normal_row,
             0x123456789abcdefu, 3,
             0.5f),
    FILL_ROW("fill_normal_standard", "glnn_fill_normal", glnn__run_normal, glnn__normal_row,
             UINT64_MAX, 0, 1),
    FILL_ROW("fill_normal_constant", "glnn_fill_normal", glnn__run_normal, glnn__normal_row, 1, -1,
             0),

    {"copy", "glnn_copy", "copy", KIND_MOVE, {{M, N, WIDE}}, {M, N, 0}, .run = glnn__run_copy,
     .reference = glnn__copy_row, .gradient = {"copy", 0, {DELTA}, 0}},
    {"copy_rect", "glnn_copy_rect", "copy_rect", KIND_MOVE, {{M, N, WIDE}}, {M, N, UNIT},
     .adds = true, .in_place = 1, .run = glnn__run_copy_rect, .reference = glnn__copy_rect_row},
    {"transpose", "glnn_transpose", "transpose", KIND_MOVE, {{M, N, WIDE}}, {N, M, 0},
     .in_place = 1, .run = glnn__run_transpose, .reference = glnn__transpose_row,
     .gradient = {"transpose", 0, {DELTA}, 0}},
    {"gather_rows", "glnn_gather_rows", "gather_rows", KIND_MOVE, {{M, N, WIDE}, {M, ONE, ROWS}},
     {M, N, 0}, .run = glnn__run_gather, .reference = glnn__gather_row},
    {"scatter_add_rows", "glnn_scatter_add_rows", "scatter_add_rows", KIND_MOVE,
     {{M, N, UNIT}, {M, ONE, ROWS}}, {M, N, UNIT}, .run = glnn__run_scatter,
     .reference = glnn__scatter_row,
     .alpha = 1},
    {"scatter_add_rows_added", "glnn_scatter_add_rows", "scatter_add_rows", KIND_MOVE,
     {{M, N, UNIT}, {M, ONE, ROWS}}, {M, N, UNIT}, .run = glnn__run_scatter,
     .reference = glnn__scatter_row,
     .adds = true, .alpha = -2.5f, .beta = 0.5f},

    REDUCTION_ROW("sum", SUM, ALL, SCALAR, GRADIENT("add_scalar", 1, {DELTA}, 0)),
    REDUCTION_ROW("sum_rows", SUM, ROWS, COLUMN, GRADIENT("add_column", 1, {DELTA}, 0)),
    REDUCTION_ROW("sum_columns", SUM, COLUMNS, ROW, GRADIENT("add_row", 1, {DELTA}, 0)),
    REDUCTION_ROWS("mean", MEAN),
    REDUCTION_ROWS("sum_of_squares", SUM_OF_SQUARES),
    REDUCTION_ROWS("max", MAX),
    REDUCTION_ROWS("min", MIN),
    REDUCTION_ROWS("argmax", ARGMAX),
    REDUCTION_ROWS("argmin", ARGMIN),
    REDUCTION_ROWS("log_sum_exp", LOGSUMEXP),
};
/* clang-format on */
const int glnn__operation_count = sizeof glnn__operations / sizeof glnn__operations[0];
