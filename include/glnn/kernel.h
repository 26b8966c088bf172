/** @file
 *  @ingroup glnn_ops
 *  @brief Kernels of the program's own: a GLSL function that computes one element of a matrix.
 *
 *  The text of a kernel defines one function, and may define others that this one calls:
 *
 *      float element(int row, int column)
 *      {
 *          return X_at(row, column) + rate * (X_at(row, column + 1) - X_at(row, column));
 *      }
 *
 *  The library calls it for each element of the output, in either stage, for every layout and
 *  storage of the operands and the output. The text can use these names, here of an operand `X`:
 *
 *  - `X_at(row, column)`: an element of the operand; past an edge, the one at the edge;
 *  - `X_rows`, `X_columns`: the size of the operand;
 *  - `HAS_X`: 1 if the run has a matrix for the operand, else 0, also for `#if`;
 *  - `output_rows`, `output_columns`: the size of the output;
 *  - the name of a uniform: a float or int that each run sets;
 *  - the name of an option: an integer constant, also for `#if`.
 *
 *  Each list of values of the options has a program of its own.
 *
 *  An operand can be a rectangle of a matrix, transposed or not; it then looks like a matrix of its
 *  own. Because indices past an edge give the element at the edge, an operand of one row is
 *  repeated for all rows, one of one column for all columns, and one element for all. The library
 *  does not compare the sizes of operands and output.
 *
 *  The function must not depend on the order of the calls. It is also called for places past the
 *  last row or column of the output, and these results are ignored. A fragment or an invocation
 *  computes 32 elements of a TILED output, 4 of a PACKED one and 1 of an UNPACKED one, so kernels
 *  with long loops are fastest with UNPACKED outputs. Software rasterisers end all loops of a
 *  fragment after 65535 turns together, without an error.
 *
 *  Arithmetic has the precision of the device's float32, and a sum has the order that the text
 *  says, unless the compiler of the driver combines operations. Some compilers store
 *  `to[i] = from[i + 1]` in the wrong place, in a loop that they do not unroll. When a kernel first
 *  runs, the library tries that with the driver, and warns if the result is wrong. */
#ifndef GLNN_KERNEL_H
#define GLNN_KERNEL_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

#define GLNN_KERNEL_OPERANDS 6  /**< the most operands of a kernel */
#define GLNN_KERNEL_UNIFORMS 16 /**< the most uniforms of a kernel */
#define GLNN_KERNEL_OPTIONS  16 /**< the most options of a kernel  */

/** A kernel, and the programs that the library has compiled for it. */
typedef struct glnn_kernel glnn_kernel;

/** Describes a kernel. Lists end at their first NULL. A name is a letter, followed by letters,
 * digits and underscores, and no two are the same. */
typedef struct glnn_kernel_desc {
    const char *name;   /**< for errors and traces, 1 to 63 characters other than '/' and control
                             characters; NULL: "kernel" */
    const char *source; /**< GLSL 4.30 that defines `float element(int row, int column)`, of at most
                             9999 lines. It has no directive `#version`, `#extension` or `#line`,
                             nor the words `main`, `uniform`, `layout`, `buffer`, `shared` and
                             `discard`; only parameters of functions are `in` or `out` */
    const char *operands[GLNN_KERNEL_OPERANDS]; /**< names of matrices that the kernel reads */
    const char *uniforms[GLNN_KERNEL_UNIFORMS]; /**< "float NAME" or "int NAME". The source does not
                                                     declare them again */
    const char *options[GLNN_KERNEL_OPTIONS];   /**< names of integer constants */

    /** For a kernel that is a layer of a network (::GLNN_LAYER_FUNCTION): GLSL of the same form,
     * which gives the derivative of the loss by element (row, column) of the operand. It reads the
     * operand, too, and the derivative by the output as the operand `DY`, in which it has to be
     * linear. glnn_kernel_run() does not use it. NULL: there is none */
    const char *adjoint;
    uint64_t reserved[16]; /**< zeros */
} glnn_kernel_desc;

/** Creates a kernel. The strings of the description are copied.
 *
 * The library compiles a program when the kernel is first run with operands and an output of other
 * layouts or storages, or with other options. Mistakes in the source that only the compiler finds
 * are errors of that run.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null; the name or the source is not as glnn_kernel_desc says; the
 *     source has no function `element`. A declaration is malformed, a name is declared twice, or a
 *     NULL stands before a declaration; `reserved` has a number.
 *   - GLNN_E_STATE, GLNN_E_NOMEM: see glnn/base.h.
 * @owner  the caller, who passes it to glnn_kernel_destroy().
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kernel_create(glnn_context *ctx, const glnn_kernel_desc *desc,
                                        glnn_kernel **out);

/** Destroys a kernel and its programs. NULL does nothing. Lists that have recorded it fail from now
 * on (glnn/list.h). The call may follow glnn_context_destroy().
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API void glnn_kernel_destroy(glnn_kernel *kernel);

/** An operand of a run. */
typedef struct glnn_kernel_operand {
    const glnn_matrix *matrix; /**< any layout and storage; NULL: the operand is left out */
    glnn_rect rect;            /**< the rectangle to read; zeros: the whole matrix */
    bool transpose;            /**< rows and columns of the rectangle change places */
} glnn_kernel_operand;

/** The arguments of a run, each list in the order of the description. */
typedef struct glnn_kernel_run_desc {
    glnn_kernel_operand operands[GLNN_KERNEL_OPERANDS]; /**< the matrices to read */
    double uniforms[GLNN_KERNEL_UNIFORMS]; /**< rounded to float32; an int takes a whole number */
    int options[GLNN_KERNEL_OPTIONS];      /**< the constants */
    float beta;           /**< the factor of the former output; 0: the output is not read */
    uint64_t reserved[8]; /**< zeros */
} glnn_kernel_run_desc;

/** Computes a matrix by a kernel.
 *
 *      out(row, column) = element(row, column) + beta out(row, column)
 *
 * If beta is 0, the output may also be an operand, of which the kernel reads the former elements.
 *
 * @param   desc NULL: zeros, for a kernel without operands.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: kernel or out is null; a matrix belongs to another context; out is PAGED; beta is
 *     not finite, or it is not 0 and out is an operand. The run has an operand, a uniform or an
 *     option that the kernel does not declare; the value of an int is not a whole number of 32
 *     bits. The kernel reads an operand that is left out; `reserved` has a number.
 *   - GLNN_E_SHAPE: a rectangle does not lie inside its matrix.
 *   - GLNN_E_SHADER: the source does not compile. The sentence names the kernel, and the line of
 *     the source where the compiler found the mistake, or the end of the source, for example where
 *     a bracket is not closed.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_kernel_run(glnn_kernel *kernel, const glnn_kernel_run_desc *desc,
                                     glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
