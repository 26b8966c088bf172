/* The kernels: what each is called, which operands it reads and which options its variants have. */
#ifndef GLNN__PASS_KERNEL_H
#define GLNN__PASS_KERNEL_H

#include <stdbool.h>

typedef enum glnn__kernel {
    GLNN__KERNEL_BINARY,
    GLNN__KERNEL_COPY,
    GLNN__KERNEL_DELTA,
    GLNN__KERNEL_DERIVATIVE,
    GLNN__KERNEL_FILL,
    GLNN__KERNEL_FOLD,
    GLNN__KERNEL_GATHER,
    GLNN__KERNEL_GEMM,
    GLNN__KERNEL_GEMM_SHARED,
    GLNN__KERNEL_GMM_DENSITY,
    GLNN__KERNEL_GMM_RESPONSIBILITY,
    GLNN__KERNEL_GMM_SCORE,
    GLNN__KERNEL_GMM_STATS,
    GLNN__KERNEL_GMM_WEIGHTED,
    GLNN__KERNEL_APPLY,
    GLNN__KERNEL_DIFFERENCES,
    GLNN__KERNEL_DISTANCES,
    GLNN__KERNEL_MOVES,
    GLNN__KERNEL_OWN_RATES,
    GLNN__KERNEL_RELEVANCES,
    GLNN__KERNEL_SEEDING,
    GLNN__KERNEL_SHARES,
    GLNN__KERNEL_SHARE_SUMS,
    GLNN__KERNEL_MAP,
    GLNN__KERNEL_NEAREST,
    GLNN__KERNEL_NEAREST_FUSED,
    GLNN__KERNEL_PROBE,
    GLNN__KERNEL_REDUCE,
    GLNN__KERNEL_ROW_NORMS,
    GLNN__KERNEL_ROW_STATS,
    GLNN__KERNEL_SCATTER_ADD,
    GLNN__KERNEL_SCATTER_LINKS,
    GLNN__KERNEL_SCATTER_SEGMENTS,
    GLNN__KERNEL_SCORE,
    GLNN__KERNEL_SOFTMAX,
    GLNN__KERNEL_COUNT
} glnn__kernel;

#define GLNN__MAX_OPERANDS 6
#define GLNN__MAX_OPTIONS  6
#define GLNN__MAX_IMAGES   3

/* The body is the file shaders/kernels/<name>.glsl. The order of operands, options and images is the
 * order in which a glnn__pass gives them. The first `unviewed` operands are read by row and column,
 * not through their views: how a view could be followed makes no variants of them. Images are what
 * the kernel, or the update behind it, writes beside the output. */
typedef struct glnn__kernel_info {
    const char *name;
    const char *operands[GLNN__MAX_OPERANDS];
    const char *options[GLNN__MAX_OPTIONS];
    const char *images[GLNN__MAX_IMAGES];
    int unviewed;
    bool has_main; /* for the compute stage alone, and written for whole work groups */
} glnn__kernel_info;

const glnn__kernel_info *glnn__kernel_get(glnn__kernel kernel);

#endif
