/* How fast a stage of the pipeline is on the device at hand: what plans are made from. */
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

/* All a microsecond. */
typedef struct glnn__figures {
    glnn__writing targets; /* by render targets; in the compute stage as by images */
    glnn__writing images;
    double blended;       /* bytes read and written by blending, likewise       */
    double multiply_adds; /* of registers alone                                 */
    double fetches;       /* of RGBA32F texels                                  */
    double products[GLNN_LAYOUT_PAGED][GLNN__OCCUPANCIES]; /* multiply-adds of inner products */
    /* Into as many tiles as there are fragments above: COMPUTE, where work groups share what they
     * read, large ones and small ones; FRAGMENT, where a fragment computes a stack of tiles. */
    double shared[2][GLNN__OCCUPANCIES];
    double sampled[GLNN_LAYOUT_PAGED];    /* with the most fragments, read at sampled coordinates */
    double layered[GLNN__FETCHING_COUNT]; /* TILED, likewise, layers being textures by themselves;
                                             without units for that as fast as the other way */
    double combed;  /* elements folded by a reduction whose neighbours read side by side */
    double in_runs; /* the same where each reads a run of its own                        */
} glnn__figures;

/* The figures of the context's stage, measured where that was not done yet; without room to measure,
 * those of a middling device. They live as long as the context. Programs are made, and the GPU is
 * waited for. */
glnn_status glnn__figures_measured(glnn_context *ctx, const glnn__figures **out);

/* The figures that plans are made from: the measured ones if they can be kept, else those of a
 * middling device, so that equal products have equal plans in every run. */
glnn_status glnn__figures_for_plans(glnn_context *ctx, const glnn__figures **out);

/* The figures, where they have been measured, in this run or before; else NULL, and nothing is done. */
const glnn__figures *glnn__figures_known(glnn_context *ctx);

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

#endif
