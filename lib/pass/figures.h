/* The device profile: how fast a stage of the pipeline is on the device at hand. Plans are made from
 * it. */
#ifndef GLNN__PASS_FIGURES_H
#define GLNN__PASS_FIGURES_H

#include "pass/pass.h"

/* Inner products are measured with so many fragments (or invocations): 16, 128, 1024, 8192, 65536. */
#define GLNN__OCCUPANCIES 5

/* What writing costs. */
typedef struct glnn__writing {
    double pass_us; /* microseconds of a small pass that needs the one before it */
    double copied;  /* bytes read and written by a copy, a microsecond            */
} glnn__writing;

/* Multiply-adds a microsecond of inner products into a layout. */
typedef struct glnn__products {
    double speeds[GLNN__OCCUPANCIES]; /* read by texelFetch                                     */
    double sampled; /* with the most fragments, read at sampled coordinates; 0: not faster */
} glnn__products;

/* All a microsecond. Figures of a group stand together, in the order of the groups below. */
typedef struct glnn__figures {
    glnn__writing targets; /* by render targets; in the compute stage as by images */
    glnn__writing images;
    double blended;       /* bytes read and written by blending, likewise       */
    double multiply_adds; /* of registers alone                                 */
    double fetches;       /* of RGBA32F texels                                  */
    /* Multiply-adds of inner products into TILED. With the most fragments, the layers of factors being
     * textures by themselves; 0: not faster than in products. */
    double layered[GLNN__FETCHING_COUNT];
    /* Into as many tiles as there are fragments above: COMPUTE, where work groups share what they
     * read, large ones and small ones; FRAGMENT, where a fragment computes a stack of tiles. */
    double shared[2][GLNN__OCCUPANCIES];
    glnn__products products[GLNN_LAYOUT_PAGED];
    double combed;  /* elements folded by a reduction whose neighbours read side by side */
    double in_runs; /* the same where each reads a run of its own                        */
} glnn__figures;

/* Figures that are measured together, when one of them is first needed. Groups add up to sets. */
typedef enum glnn__figures_group {
    GLNN__FIGURES_WRITING = 1 << 0,  /* targets, images        */
    GLNN__FIGURES_BLENDING = 1 << 1, /* blended                */
    GLNN__FIGURES_LIMITS = 1 << 2,   /* multiply_adds, fetches */
    GLNN__FIGURES_TILED = 1 << 3,    /* products of a layout, and layered and shared */
    GLNN__FIGURES_PACKED = 1 << 4,
    GLNN__FIGURES_UNPACKED = 1 << 5,
    GLNN__FIGURES_FOLDING = 1 << 6 /* combed, in_runs */
} glnn__figures_group;

#define GLNN__FIGURES_GROUPS 7

/* The group of products into a layout that is not PAGED. */
#define GLNN__FIGURES_PRODUCTS(layout) ((unsigned)GLNN__FIGURES_TILED << (layout))

/* The figures that plans are made from, with this set of groups measured: where the tuning is not OFF
 * and the profile can be kept, so that equal products have equal plans in every run. Elsewhere they are
 * the built-in ones, and nothing is measured. The figures live as long as the context. */
glnn_status glnn__figures_for_plans(glnn_context *ctx, unsigned groups, const glnn__figures **out);

/* The figures that plans are made from, as far as they are known; nothing is measured. */
const glnn__figures *glnn__figures_known(glnn_context *ctx);

/* These groups as they are measured on the device, whatever plans are made from. Programs are made, and
 * the GPU is waited for; what can be kept is kept. */
glnn_status glnn__figures_measured(glnn_context *ctx, unsigned groups, const glnn__figures **out);

/* Images are chosen where they save a tenth: between equals it is render targets, since images cost more
 * between passes than in a sample. */
#define GLNN__WORTH_IMAGES 1.1

/* What writing small outputs costs, in the way that is chosen for them. */
const glnn__writing *glnn__figures_writing(const glnn__figures *figures);

/* How an inner product into this layout reads its operands fastest, which changes no bit. `layered`:
 * whether that is with the layers of factors as textures by themselves; NULL where it cannot. */
glnn_status glnn__figures_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered);

/* Whether a reduction is faster where neighbouring fragments read side by side. */
glnn_status glnn__figures_folding(glnn_context *ctx, bool *combs);

/* Multiply-adds a microsecond of an inner product into `layout` with so many fragments. */
double glnn__figures_product(const glnn__figures *figures, glnn_layout layout, double fragments);

/* The same where work groups of a size share what they read, or (0) where fragments compute stacks, by
 * the elements that they compute. */
double glnn__figures_shared(const glnn__figures *figures, int group, double elements);

/* Fragments that bring nine tenths of the greatest speed of inner products into `layout`. */
double glnn__figures_fill(const glnn__figures *figures, glnn_layout layout);

#endif
