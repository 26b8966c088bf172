/** @file
 *  @ingroup glnn_context
 *  @brief The speed of the device, plans of matrix products, and advice between GPU and CPU.
 *
 *  glnn_context_get_profile() and glnn_context_get_advice() measure the parts of the device profile
 *  that they need (see glnn/context.h), whatever the tuning. They store the numbers if there is a
 *  cache folder. Without one, later operations still use the built-in profile. */
#ifndef GLNN_ADVICE_H
#define GLNN_ADVICE_H

#include <glnn/gemm.h>
#include <glnn/learner.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_context
 *  @{ */

/** The measured speeds of the context's stage and of the CPU. */
typedef struct glnn_profile {
    size_t size;              /**< set by the caller: sizeof(glnn_profile)                       */
    double peak_gflops;       /**< 10^9 floating-point operations per second without memory access;
                                   a multiply-add counts as two                                  */
    double fetch_gtexels;     /**< 10^9 RGBA32F texels fetched per second                        */
    double copy_gb;           /**< 10^9 bytes per second that a copy reads and writes, by the faster
                                   of render targets and images                                  */
    double image_copy_gb;     /**< copy_gb of a pass that writes images                          */
    double blend_gb;          /**< 10^9 bytes per second that blending reads and writes          */
    double pass_us;           /**< microseconds of a small pass that depends on the one before it,
                                   by the faster of render targets and images                    */
    double image_pass_us;     /**< pass_us of a pass that writes images                          */
    double gemm_gflops;       /**< 10^9 operations per second of a product of TILED float32 matrices
                                   that is large enough to use the whole device                  */
    double fragments_to_fill; /**< fragments with which a product reaches 0.9 gemm_gflops        */
    double cpu_gflops;        /**< 10^9 operations per second of a matrix product in plain C, one
                                   thread                                                        */
    double cpu_gb;            /**< 10^9 bytes per second that memcpy() reads and writes          */
} glnn_profile;

/** Returns the device profile and measures its missing parts.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or `out->size` is too small.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_get_profile(glnn_context *ctx, glnn_profile *out);

/** Describes in one line of text how glnn_gemm() would compute a product.
 *
 * The line names the slices of the inner dimension (glnn_gemm_desc::slice), of which the last one
 * may be shorter, how they are summed, and how the operands are read. The expected time follows if
 * the library has chosen the slices by it. The call may measure the device, as glnn_gemm() would.
 * It leaves c unchanged.
 *
 * @param  size  bytes at `text`; a longer line is cut. 256 are enough.
 * @errors as glnn_gemm(); GLNN_E_ARG also if `text` is null.
 * @owner  `text` is the caller's.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_gemm_get_plan(glnn_context *ctx, const glnn_gemm_desc *desc, float alpha,
                                        const glnn_matrix *a, const glnn_matrix *b, float beta,
                                        const glnn_matrix *c, char *text, size_t size);

/** A task to give advice on. `rows`, `columns` and `inner` are members of ::glnn_advice_desc. */
typedef enum glnn_task {
    GLNN_TASK_GEMM = 0,     /**< a product of rows x inner and inner x columns                   */
    GLNN_TASK_MAP,          /**< a function of each of rows x columns elements                   */
    GLNN_TASK_TRANSPOSE,    /**< the transpose of rows x columns elements                        */
    GLNN_TASK_REDUCE,       /**< the sum of rows x columns elements                              */
    GLNN_TASK_NETWORK_STEP, /**< a step of plain gradient descent with `rows` samples, in a network
                                 of `columns` inputs, `inner` hidden units and ten outputs       */
    GLNN_TASK_COUNT
} glnn_task;

/** The name of a task: "gemm", "map", "transpose", "reduce", "network_step". @since 0.1 */
GLNN_API const char *glnn_task_name(glnn_task task);

/** The task with a name. @since 0.2 */
GLNN_API glnn_status glnn_task_from_name(const char *name, glnn_task *out);

/** Describes a task. Zeros mean the defaults, except that sizes have no default. */
typedef struct glnn_advice_desc {
    glnn_task task;    /**< 0: GEMM                                                              */
    int rows;          /**< at least 1                                                           */
    int columns;       /**< at least 1                                                           */
    int inner;         /**< at least 1 for GEMM and NETWORK_STEP, unused for other tasks         */
    bool transfers;    /**< operands are uploaded and results downloaded each time               */
    double cpu_gflops; /**< speed of the CPU to compare with, such as that of a BLAS at this size,
                            in 10^9 operations per second; 0: glnn_profile::cpu_gflops           */
    double cpu_gb;     /**< the same in 10^9 bytes per second; 0: glnn_profile::cpu_gb           */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_advice_desc;

/** The expected times of a task. */
typedef struct glnn_advice {
    size_t size;     /**< set by the caller: sizeof(glnn_advice)                                 */
    double gpu_us;   /**< microseconds with TILED matrices in the context's stage                */
    double cpu_us;   /**< microseconds on the CPU                                                */
    bool use_gpu;    /**< gpu_us is less than cpu_us                                             */
    int from_factor; /**< the least power of two for which the GPU is faster if all sizes are
                          multiplied by it; 1: it is faster now; 0: it is not faster with any sizes
                          that fit in a texture                                                  */
} glnn_advice;

/** Compares the expected times of a task on the GPU and the CPU.
 *
 * The times come from the model that also plans matrix products. They are usually right within a
 * factor of two.
 *
 * @formula For GEMM and NETWORK_STEP the GPU takes passes * pass_us + multiply-adds /
 *          speed(fragments), where the speed depends on the number of fragments. For the other
 *          tasks it takes passes * pass_us + bytes / copy_gb. With `transfers` it also takes bytes
 *          transferred / glnn_profile::cpu_gb; of a network only the samples are transferred. The
 *          CPU takes 2 multiply-adds / cpu_gflops or bytes / cpu_gb.
 * @errors
 *   - GLNN_E_ARG: an argument is null, `out->size` is too small, a size is less than 1, the task is
 *     not in the enumeration, or a speed is negative or not finite.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_get_advice(glnn_context *ctx, const glnn_advice_desc *desc,
                                             glnn_advice *out);

/** Compares the expected times of a training step of a learner, as glnn_context_get_advice() does
 * for the tasks above.
 *
 * The GPU takes the time of the matrix products of the step and of its other passes. The CPU takes
 * that of the same products in plain C by one thread; all else counts as nothing. The time of
 * exchanges and of reading samples is left out. glnn_advice::from_factor multiplies samples,
 * features, units and prototypes.
 *
 * @param  samples      of the step, at least 1.
 * @param  may_measure  measure what is not known yet of the device profile, which may take seconds.
 *   Otherwise nothing but the speed of the CPU is measured, for about 0.03 seconds.
 * @errors
 *   - GLNN_E_ARG: an argument is null, `out->size` is too small, or `samples` is less than 1.
 *   - GLNN_E_STATE: the context was destroyed. The device profile is not known, and `may_measure`
 *     is false.
 *   - GLNN_E_UNSUPPORTED: the learner is a mixture.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_get_advice(const glnn_learner *learner, int samples,
                                             bool may_measure, glnn_advice *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
