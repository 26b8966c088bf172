/** @file
 *  @ingroup glnn_ops
 *  @brief Element by element: functions of one operand, arithmetic of two, fills.
 *
 * The operands may have any layout and storage, also different ones, and `out` may be one of them.
 * Error bounds hold for results that neither overflow nor are subnormal; eps is 2^-24. A FLOAT16
 * result is rounded once more (::glnn_storage). */
#ifndef GLNN_MAP_H
#define GLNN_MAP_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** Functions f, each with its derivative f' at x. The derivative is written as a function of
 * y = f(x), and the library computes it from y, so that x need not be kept. */
typedef enum glnn_map {
    GLNN_MAP_IDENTITY = 0, /**< f(x) = x, f' = 1 */
    GLNN_MAP_SIGMOID,      /**< f(x) = 1 / (1 + exp(-x)), f' = y (1 - y) */
    GLNN_MAP_TANH,         /**< f(x) = tanh(x), f' = 1 - y^2 */
    GLNN_MAP_SCALED_TANH,  /**< f(x) = 1.7159 tanh(2 x / 3), f' = 2/3 (1.7159 - y^2 / 1.7159) */
    GLNN_MAP_RELU,         /**< f(x) = max(x, 0), f' = 1 if y > 0, else 0 */
    GLNN_MAP_LEAKY_RELU,   /**< f(x) = x if x > 0, else 0.01 x; f' = 1 if y > 0, else 0.01 */
    GLNN_MAP_SOFTPLUS,     /**< f(x) = log(1 + exp(x)), f' = 1 - exp(-y) */
    GLNN_MAP_EXP,          /**< f(x) = exp(x), f' = y */
    GLNN_MAP_LOG,          /**< f(x) = log(x), f' = exp(-y) */
    GLNN_MAP_SQRT,         /**< f(x) = sqrt(x), f' = 1 / (2 y) */
    GLNN_MAP_THRESHOLD,    /**< f(x) = 1 if x > 0, else 0; f' = 0 */
    GLNN_MAP_ELU,          /**< f(x) = x if x > 0, else exp(x) - 1; f' = 1 if y > 0, else y + 1 */
    GLNN_MAP_SOFTSIGN,     /**< f(x) = x / (1 + |x|), f' = (1 - |y|)^2 */
    GLNN_MAP_COUNT
} glnn_map;

/** The name of a map: "identity", "sigmoid", "tanh", "scaled_tanh", "relu", "leaky_relu",
 * "softplus", "exp", "log", "sqrt", "threshold", "elu", "softsign". @since 0.1 */
GLNN_API const char *glnn_map_name(glnn_map map);

/** The map with a name. @since 0.2 */
GLNN_API glnn_status glnn_map_from_name(const char *name, glnn_map *out);

/** Applies a function to each element.
 *
 *      out = f(x)
 *
 * @shapes  x and out are m x n.
 * @numbers Identity, relu and threshold are exact, leaky_relu has one rounding. The others have
 *          |error| <= 64 eps (1 + |f(x)|). All but the threshold map NaN to NaN. Softsign maps
 *          infinite numbers to NaN.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED; the map is
 *     unknown.
 *   - GLNN_E_SHAPE: x and out differ.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_map_apply(glnn_context *ctx, glnn_map map, const glnn_matrix *x,
                                    glnn_matrix *out);

/** Multiplies by the derivative of a function, the backward step of glnn_map_apply().
 *
 *      out = f'(x) dy
 *
 * @param   y  the result f(x), from which the derivative is computed. x itself is not needed.
 * @param   dy the factor; NULL: ones.
 * @shapes  y, dy and out are m x n.
 * @numbers |error| <= 64 eps (1 + |f'|) |dy|.
 * @passes  One.
 * @errors  as for glnn_map_apply().
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_map_apply_derivative(glnn_context *ctx, glnn_map map,
                                               const glnn_matrix *y, const glnn_matrix *dy,
                                               glnn_matrix *out);

/** Applies a function that is given as a GLSL expression.
 *
 * The expression has the type float. It has three variables: x is the element, and `row` and
 * `column` are its indices from 0, of type int. Examples are "x * x + 1.0",
 * "x > 0.5 ? 1.0 : 0.0" and "row == column ? x : 0.0". The library compiles a program for each
 * expression on its first use, and keeps it until the context is destroyed.
 *
 * @shapes  x and out are m x n.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an argument is null; out is PAGED. The text is empty, longer than 4096
 *     characters, or cannot be one expression: its parentheses do not match, or it has a comment, a
 *     line break, a semicolon, a brace, a number sign or a backslash.
 *   - GLNN_E_SHADER: the expression does not compile. The sentence includes the compiler's message.
 *   - GLNN_E_SHAPE: x and out differ.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_map_apply_expression(glnn_context *ctx, const char *expression,
                                               const glnn_matrix *x, glnn_matrix *out);

/** Functions of two numbers. */
typedef enum glnn_binary {
    GLNN_BINARY_ADD = 0,  /**< x + y */
    GLNN_BINARY_SUBTRACT, /**< x - y */
    GLNN_BINARY_MULTIPLY, /**< x y */
    GLNN_BINARY_DIVIDE,   /**< x / y */
    GLNN_BINARY_MAXIMUM,  /**< the greater of both */
    GLNN_BINARY_MINIMUM,  /**< the lesser of both */
    GLNN_BINARY_COUNT
} glnn_binary;

/** The name of a function: "add", "subtract", "multiply", "divide", "maximum", "minimum".
 * @since 0.2 */
GLNN_API const char *glnn_binary_name(glnn_binary op);

/** The function with a name. @since 0.2 */
GLNN_API glnn_status glnn_binary_from_name(const char *name, glnn_binary *out);

/** Combines two matrices element by element.
 *
 *      out = x op y
 *
 * An operand with one row is repeated for each row of out, one with one column for each column.
 *
 * @shapes  out is m x n; x and y each are m x n, 1 x n, m x 1 or 1 x 1.
 * @numbers |error| <= eps |x op y|; of the quotient 3 eps |x / y|.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED; the function is
 *     unknown.
 *   - GLNN_E_SHAPE: an operand has another number of rows or columns than out, and not 1.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_binary_apply(glnn_context *ctx, glnn_binary op, const glnn_matrix *x,
                                       const glnn_matrix *y, glnn_matrix *out);

/** Adds a multiple of a matrix to a multiple of another.
 *
 *      y = alpha x + beta y
 *
 * An operand whose factor is 0 is not read, so a NaN in it has no effect.
 *
 * @shapes  x and y are m x n.
 * @numbers |error| <= 2 eps (|alpha x| + |beta y|).
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; y is PAGED.
 *   - GLNN_E_SHAPE: x and y differ.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_axpby(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                                glnn_matrix *y);

/** Adds a multiple of a matrix to another: glnn_axpby() with beta = 1.
 *
 *      y = alpha x + y
 *
 * @errors  as for glnn_axpby().
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_axpy(glnn_context *ctx, float alpha, const glnn_matrix *x,
                               glnn_matrix *y);

/** Computes the softmax of each row.
 *
 *      out_j = exp(x_j - max) / sum_k exp(x_k - max)
 *
 * Here max is the greatest element of the row. Subtracting it does not change the quotient, and
 * prevents the exponentials from overflowing.
 *
 * @shapes  x and out are m x n.
 * @numbers |error| <= (64 + n) eps.
 * @passes  Two; three if a row has more than 512 elements, because parts of it are then summed in
 *          parallel.
 * @errors  as for glnn_map_apply().
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/** Sets each element to a number.
 *
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: the context or the matrix is null; out is PAGED.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_fill(glnn_context *ctx, float value, glnn_matrix *out);

/** Fills a matrix with random numbers, uniformly distributed in [low, high). If low = high, all
 * elements become low.
 *
 * @formula Element (i, j) is low + (high - low) u, with u = floor(r / 2^8) / 2^24. Here r is word
 *          j mod 4 of Philox4x32-10 with the key `seed`, low word first, and the counter
 *          (i, floor(j / 4), 0, 0). If rounding gives `high`, the element is the next lower float.
 * @numbers The numbers depend on the seed and the position alone, not on layout or device. A
 *          FLOAT16 out is rounded once more, which may give `high`.
 * @source  Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (2011).
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: the context or the matrix is null; out is PAGED; low > high; low, high or
 *     high - low is not finite.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_fill_uniform(glnn_context *ctx, uint64_t seed, float low, float high,
                                       glnn_matrix *out);

/** Fills a matrix with random numbers of a normal distribution.
 *
 * @formula Element (i, j) is mean + deviation sqrt(-2 log(1 - u)) cos(2 pi v). Here u and v are
 *          computed like the u of glnn_fill_uniform(), from the counters (i, floor(j / 4), 1, 0)
 *          and (i, floor(j / 4), 2, 0).
 * @numbers The numbers depend on the seed and the position alone, except for their last bits,
 *          because drivers differ in how they compute log and cos.
 * @source  Box, Muller: A note on the generation of random normal deviates (1958).
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: the context or the matrix is null; out is PAGED; mean or deviation is not finite;
 *     deviation < 0.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_fill_normal(glnn_context *ctx, uint64_t seed, float mean, float deviation,
                                      glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
