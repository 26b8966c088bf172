/* glnn/advise.h - what the device at hand can do, how the library plans to use it, and whether it
 * pays
 *
 * glnn_context_get_profile and glnn_context_get_advice measure what the device profile lacks
 * (glnn_tuning in
 * glnn/context.h), whatever the tuning is. What they measure is kept where there is a cache folder;
 * elsewhere it changes no plan. */
#ifndef GLNN_ADVISE_H
#define GLNN_ADVISE_H

#include <glnn/gemm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How fast the context's stage is by the measured device profile, and the machine's processor. */
typedef struct glnn_profile {
    size_t size;              /* the caller sets it to sizeof(glnn_profile)                      */
    double peak_gflops;       /* multiply-adds of registers alone, two operations each           */
    double fetch_gtexels;     /* RGBA32F texels fetched, 10^9 a second                           */
    double copy_gb;           /* bytes that a copy reads and writes, 10^9 a second, by the faster
                                 of render targets and images                                    */
    double image_copy_gb;     /* the same by images                                              */
    double blend_gb;          /* the same by blending                                            */
    double pass_us;           /* microseconds of a small pass that needs the one before it, by the
                                 faster of render targets and images                             */
    double image_pass_us;     /* the same by images                                              */
    double gemm_gflops;       /* a float32 matrix product of TILED matrices that fills the device */
    double fragments_to_fill; /* of such a product, for nine tenths of that speed                */
    double cpu_gflops;        /* a matrix product in plain C, one thread                         */
    double cpu_gb;            /* bytes that plain C reads and writes in a copy                   */
} glnn_profile;

/* Describes the device profile; what is missing of it is measured.
 * Errors: E_ARG a null argument; E_LIMIT, E_NOMEM, E_SHADER, E_GL as the operations.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_get_profile(glnn_context *ctx, glnn_profile *out);

/* Says in one line how glnn_gemm would make a product: slices of the inner dimension and how they
 * are summed, how operands are read, passes, and the time that the cost model expects.
 *
 * Errors   as glnn_gemm; E_ARG text is null
 * Owner    `text` is the caller's: `size` bytes, of which what does not fit is left out; 256 do.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gemm_get_plan(glnn_context *ctx, const glnn_gemm_desc *desc,
                                        const glnn_matrix *a, const glnn_matrix *b,
                                        const glnn_matrix *c, char *text, size_t size);

/* A task to give advice on. Sizes are those of the result, `inner` is the dimension that is summed
 * over. */
typedef enum glnn_task {
    GLNN_TASK_GEMM = 0,     /* rows x inner times inner x columns                               */
    GLNN_TASK_MAP,          /* f(x), rows x columns                                             */
    GLNN_TASK_TRANSPOSE,    /* rows x columns                                                   */
    GLNN_TASK_REDUCE,       /* the sum of rows x columns                                        */
    GLNN_TASK_NETWORK_STEP, /* one step of plain descent: `rows` samples a batch, `columns` inputs,
                               `inner` hidden units and ten outputs                             */
    GLNN_TASK_COUNT
} glnn_task;

/* The task's name in lower case: "gemm", "map", "transpose", "reduce", "network step".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_task_name(glnn_task task);

/* The task with a name. Since 0.2 */
GLNN_API glnn_status glnn_task_from_name(const char *name, glnn_task *out);

/* Describes a task. Zeros mean the defaults, but rows and columns have none. */
typedef struct glnn_advise_desc {
    glnn_task task;
    int rows, columns; /* >= 1                                                               */
    int inner;         /* >= 1 for GEMM and NETWORK_STEP                                     */
    bool transfers;    /* operands come from main memory each time, and the result goes back */
    double cpu_gflops; /* of the product that the GPU is compared with, say a BLAS at this
                          size; 0: plain C as measured                                       */
    double cpu_gb;     /* bytes a second, as cpu_gflops                                      */
} glnn_advise_desc;

/* The expectation of the model. */
typedef struct glnn_advice {
    size_t size;     /* the caller sets it to sizeof(glnn_advice)             */
    double gpu_us;   /* by TILED matrices in the context's stage              */
    double cpu_us;   /* by the processor                                      */
    bool use_gpu;    /* gpu_us < cpu_us                                       */
    int from_factor; /* rows, columns and inner all this many times as large, in steps of a factor
                        of two (1: as they are), and the GPU is ahead; 0: not within its limits */
} glnn_advice;

/* Compares GPU and CPU by the cost model that plans are made with. The model knows the stage's
 * speed by the number of fragments, bandwidths and what a pass costs; it is right within a factor
 * of about two, as bench_crossover shows next to measured times.
 *
 * Formula  GEMM and NETWORK_STEP: passes * pass_us + multiply-adds / speed(fragments); the others:
 *          pass_us + bytes / bandwidth. The CPU: 2 multiply-adds / cpu_gflops, bytes / cpu_gb.
 * Errors   E_ARG a null argument, a size < 1, an unknown task, a negative speed; and as
 *          glnn_context_get_profile
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_context_get_advice(glnn_context *ctx, const glnn_advise_desc *desc,
                                             glnn_advice *out);

#ifdef __cplusplus
}
#endif
#endif
