/* glnn/map.h - element by element: maps of one operand, arithmetic of two, fills
 *
 * All operands may have any layout and storage, mixed too; `out` may be one of the operands. Bounds
 * on errors are for arguments whose result is neither overflowing nor subnormal; eps = 2^-24. */
#ifndef GLNN_MAP_H
#define GLNN_MAP_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maps f and, to their right, f'(x) in terms of y = f(x). */
typedef enum glnn_map {
    GLNN_MAP_IDENTITY = 0, /* x                        1                                          */
    GLNN_MAP_SIGMOID,      /* 1 / (1 + exp(-x))        y (1 - y)                                  */
    GLNN_MAP_TANH,         /* tanh(x)                  1 - y^2                                    */
    GLNN_MAP_SCALED_TANH,  /* 1.7159 tanh(2x/3)        2/3 (1.7159 - y^2 / 1.7159)                */
    GLNN_MAP_RELU,         /* max(x, 0)                1 where y > 0, else 0                      */
    GLNN_MAP_LEAKY_RELU,   /* x > 0 ? x : 0.01 x       1 where y > 0, else 0.01                   */
    GLNN_MAP_SOFTPLUS,     /* log(1 + exp(x))          1 - exp(-y)                                */
    GLNN_MAP_EXP,          /* exp(x)                   y                                          */
    GLNN_MAP_LOG,          /* log(x)                   exp(-y)                                    */
    GLNN_MAP_SQRT,         /* sqrt(x)                  1 / (2 y)                                  */
    GLNN_MAP_THRESHOLD,    /* x > 0 ? 1 : 0            0                                          */
    GLNN_MAP_COUNT
} glnn_map;

/* The map's name in lower case, as the trainer's options spell it: "scaled_tanh".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_map_name(glnn_map map);
GLNN_API glnn_status glnn_map_from_name(const char *name, glnn_map *out);

/* out = f(x), element by element
 *
 * Shapes   x and out are m x n.
 * Numbers  exact for identity, relu and threshold; one rounding for leaky_relu; for the others
 *          |error| <= 64 eps (1 + |y|), measured and tested.
 * Passes   one.
 * Errors   E_ARG a null operand, a PAGED out, an unknown map; E_SHAPE x and out differ
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_map_apply(glnn_context *ctx, glnn_map map, const glnn_matrix *x,
                                    glnn_matrix *out);

/* out = f'(x) dy, where y = f(x) is given instead of x; dy NULL stands for ones
 *
 * Shapes   y, dy and out are m x n.
 * Numbers  |error| <= 64 eps (1 + |f'|) |dy|.
 * Passes   one.
 * Errors   as glnn_map_apply
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_map_apply_derivative(glnn_context *ctx, glnn_map map,
                                               const glnn_matrix *y, const glnn_matrix *dy,
                                               glnn_matrix *out);

/* out = expression, a GLSL expression of type float in the variables x (the element), row and
 * column (its place, int), compiled on first use: "x * x + 1.0", "x > 0.5 ? 1.0 : 0.0"
 *
 * Shapes   x and out are m x n.
 * Errors   E_ARG a null argument, an expression that is empty, longer than 4096 characters or
 *          holds a line break; E_SHADER the expression does not compile: the sentence has the
 *          compiler's words; E_SHAPE x and out differ
 * Passes   one. Each expression is a program of its own, kept until the context is destroyed.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_map_apply_expression(glnn_context *ctx, const char *expression,
                                               const glnn_matrix *x, glnn_matrix *out);

typedef enum glnn_binary {
    GLNN_BINARY_ADD = 0,  /* x + y      */
    GLNN_BINARY_SUBTRACT, /* x - y      */
    GLNN_BINARY_MULTIPLY, /* x * y      */
    GLNN_BINARY_DIVIDE,   /* x / y      */
    GLNN_BINARY_MAXIMUM,  /* max(x, y)  */
    GLNN_BINARY_MINIMUM,  /* min(x, y)  */
    GLNN_BINARY_COUNT
} glnn_binary;

GLNN_API const char *glnn_binary_name(glnn_binary op);
GLNN_API glnn_status glnn_binary_from_name(const char *name, glnn_binary *out);

/* out = x op y, element by element, with broadcast
 *
 * Shapes   out is m x n; x and y each are m x n, 1 x n (repeated along the rows), m x 1 (repeated
 *          along the columns) or 1 x 1.
 * Numbers  |error| <= eps |x op y|; 3 eps for the quotient.
 * Passes   one.
 * Errors   E_ARG a null operand, a PAGED out, an unknown op; E_SHAPE an operand does not broadcast
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_binary_apply(glnn_context *ctx, glnn_binary op, const glnn_matrix *x,
                                       const glnn_matrix *y, glnn_matrix *out);

/* y = alpha x + beta y, added in place by blending; beta = 1 is the classical axpy
 *
 * Shapes   x and y are m x n.
 * Numbers  |error| <= 2 eps (|alpha x| + |beta y|).
 * Passes   one.
 * Errors   E_ARG a null operand, a PAGED y; E_SHAPE x and y differ
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_axpby(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                                glnn_matrix *y);

/* y = alpha x + y: glnn_axpby with beta = 1. Since 0.1 */
GLNN_API glnn_status glnn_axpy(glnn_context *ctx, float alpha, const glnn_matrix *x,
                               glnn_matrix *y);

/* Each row of out = the softmax of that row of x: exp(x_j - max) / sum_k exp(x_k - max)
 *
 * Shapes   x and out are m x n.
 * Numbers  |error| <= (64 + n) eps.
 * Passes   two: the logarithm of each row's sum, then the quotient; three where rows are longer
 *          than 512, whose parts are summed side by side.
 * Errors   E_ARG a null operand, a PAGED out; E_SHAPE x and out differ
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* Every element of out = value. Passes: one. Errors: E_ARG a null matrix, a PAGED out.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_fill(glnn_context *ctx, float value, glnn_matrix *out);

/* out = random numbers, uniform in [low, high)
 *
 * Formula  element (i, j) is low + (high - low) u with u = floor(r / 2^8) / 2^24, r being word
 *          j mod 4 of Philox4x32-10 with key `seed` and counter (i, floor(j / 4), 0, 0); where
 *          rounding would give `high`, it is the float before. A FLOAT16 out is rounded once more,
 *          which may give `high`. The numbers do not depend on layout or device.
 * Source   Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (2011).
 * Passes   one.
 * Errors   E_ARG a null matrix, a PAGED out, low > high, one of them or high - low not finite
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_fill_uniform(glnn_context *ctx, uint64_t seed, float low, float high,
                                       glnn_matrix *out);

/* out = random numbers, normally distributed
 *
 * Formula  mean + deviation sqrt(-2 log(1 - u)) cos(2 pi v), with u and v made as in
 *          glnn_fill_uniform from word j mod 4 of the counters (i, j/4, 1, 0) and (i, j/4, 2, 0).
 * Source   Box, Muller: A note on the generation of random normal deviates (1958).
 * Passes   one.
 * Errors   E_ARG a null matrix, a PAGED out, deviation < 0 or not finite
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_fill_normal(glnn_context *ctx, uint64_t seed, float mean, float deviation,
                                      glnn_matrix *out);

#ifdef __cplusplus
}
#endif
#endif
