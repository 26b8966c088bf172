/* The device profile: measured speeds of a stage on the context's device. Plans are made from
 * it. */
#ifndef GLNN__PASS_PROFILE_H
#define GLNN__PASS_PROFILE_H

#include "tex/matrix.h"

/* How a kernel fetches texels. Shaders know the names. */
typedef enum glnn__fetching {
    GLNN__FETCHING_TEXELS = 0, /* each fragment by texelFetch                                     */
    GLNN__FETCHING_SAMPLES,    /* at the coordinates of texels' centres                           */
    GLNN__FETCHING_COUNT
} glnn__fetching;

/* Matrix products are measured with 16, 128, 1024, 8192 and 65536 fragments (or invocations). */
#define GLNN__OCCUPANCIES 5

/* The cost of writing. */
typedef struct glnn__writing {
    double pass_us; /* microseconds of a small pass that reads the output of the pass before it */
    double copied;  /* bytes read and written by a copy, a microsecond            */
} glnn__writing;

/* Multiply-adds a microsecond of matrix products into a layout. */
typedef struct glnn__products {
    double speeds[GLNN__OCCUPANCIES]; /* read by texelFetch                                     */
    double sampled; /* with the most fragments, read at sampled coordinates; 0: not faster */
} glnn__products;

/* Which factor of a matrix product is transposed: none, the second one, the first one. */
typedef enum glnn__form { GLNN__FORM_NN = 0, GLNN__FORM_NT, GLNN__FORM_TN, GLNN__FORMS } glnn__form;

/* Speeds are per microsecond. The numbers of each group below are adjacent, in the order of the
 * groups. */
typedef struct glnn__profile {
    /* If only one way to write is measured, both have its numbers, and the other one is not
     * chosen. */
    glnn__writing targets; /* by render targets */
    glnn__writing images;
    double blended;       /* bytes read and written by blending                 */
    double multiply_adds; /* of registers alone                                 */
    double fetches;       /* of RGBA32F texels                                  */
    /* Multiply-adds of matrix products into TILED: with the most fragments, which sample factors
     * whose layers are textures of their own; 0: not faster than in products. */
    double layered;
    /* The same with the fragments above. COMPUTE: large and small work groups that share their
     * fetches. FRAGMENT: a fragment computes a stack of tiles. */
    double shared[2][GLNN__OCCUPANCIES];
    glnn__products products[GLNN__RENDERED_LAYOUTS]; /* by GLNN__RENDERED(layout) */
    double interleaved; /* elements reduced if neighbouring fragments read side by side      */
    double contiguous;  /* the same if each fragment reads adjacent elements                 */
    /* Multiply-adds of large work groups if factors and product are TILED, or PACKED. Measured in
     * the compute stage of a GPU. */
    double tiled[GLNN__FORMS], packed[GLNN__FORMS];
} glnn__profile;

/* Numbers that are measured together. Groups can be combined to a set with |. */
typedef enum glnn__profile_group {
    GLNN__PROFILE_TARGETS = 1 << 0,
    GLNN__PROFILE_IMAGES = 1 << 1,
    GLNN__PROFILE_BLENDING = 1 << 2, /* blended                */
    GLNN__PROFILE_LIMITS = 1 << 3,   /* multiply_adds, fetches */
    GLNN__PROFILE_TILED = 1 << 4,    /* products of a layout, and layered and shared */
    GLNN__PROFILE_PACKED = 1 << 5,
    GLNN__PROFILE_UNPACKED = 1 << 6,
    GLNN__PROFILE_REDUCTIONS = 1 << 7, /* interleaved, contiguous */
    GLNN__PROFILE_LAYOUTS = 1 << 8     /* tiled, packed */
} glnn__profile_group;

#define GLNN__PROFILE_GROUPS 9

#define GLNN__PROFILE_WRITING ((unsigned)GLNN__PROFILE_TARGETS | GLNN__PROFILE_IMAGES)

/* The group of products into a layout that is not PAGED. */
#define GLNN__PROFILE_PRODUCTS(layout) ((unsigned)GLNN__PROFILE_TILED << GLNN__RENDERED(layout))

/* Functions of a higher room, which each context has from its creation on. */
typedef struct glnn__device {
    unsigned profile_age; /* changes whenever the profile is measured anew */

    /* The profile that plans of a stage are made from. The set of groups is measured first if the
     * tuning allows it and the profile can be stored. 0 measures nothing. */
    glnn_status (*ask_profile)(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out);

    /* Whether blending rounds the product with the factor, and then the sum. Each context tries it
     * once. */
    glnn_status (*ask_blending)(glnn_context *ctx, bool *is_exact);

    /* Before a kernel of the program runs: warns if the compiler is known to break kernels. */
    glnn_status (*note_kernel)(glnn_context *ctx);
} glnn__device;

extern glnn__slot glnn__device_slot;

static inline glnn__device *glnn__device_of(const glnn_context *ctx)
{
    return glnn__slot_state(ctx, &glnn__device_slot);
}

/* The built-in profile of a stage: that of a middling GPU, or of a software rasteriser. */
const glnn__profile *glnn__profile_builtin(const glnn_context *ctx, glnn_stage stage);

/* The profile that plans are made from, which lives as long as the context. The set of groups is
 * measured first if the tuning is not OFF and the profile can be stored: equal products then have
 * equal plans in every run. Otherwise it is the built-in profile. */
glnn_status glnn__profile_for_plans(glnn_context *ctx, unsigned groups, const glnn__profile **out);

/* The same for a stage that may not be the context's. */
glnn_status glnn__profile_of_stage(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                   const glnn__profile **out);

/* The profile that plans are made from, as far as it is known. Nothing is measured. */
const glnn__profile *glnn__profile_known(glnn_context *ctx, glnn_stage stage);

/* Images are chosen if they save at least a tenth of the time, because a training pays more for
 * them than a measurement does. */
#define GLNN__WORTH_IMAGES 1.1

/* The cost of writing small outputs in the chosen way. */
const glnn__writing *glnn__profile_writing(const glnn__profile *profile);

/* The fastest way for a matrix product into this layout to read its operands. All ways give the
 * same bits. `layered`: whether to read the layers of factors as single textures; NULL if the
 * product cannot. */
glnn_status glnn__profile_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered);

/* Whether reductions should be interleaved. */
glnn_status glnn__profile_interleaves(glnn_context *ctx, bool *interleaves);

/* The time that a pass with this many multiply-adds takes by the device profile, in
 * microseconds. It is 0, and nothing is measured, if the context has no limit or the pass is
 * short anyway. */
glnn_status glnn__pass_time(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                            double *us);

/* Multiply-adds per microsecond of a matrix product into `layout` with this many fragments. */
double glnn__profile_product(const glnn__profile *profile, glnn_layout layout, double fragments);

/* The same for large or small work groups that share their fetches, or for stacks, by the number of
 * elements that are computed. */
double glnn__profile_shared(const glnn__profile *profile, bool small, double elements);

/* Fragments that reach nine tenths of the greatest speed of matrix products into `layout`. */
double glnn__profile_fill(const glnn__profile *profile, glnn_layout layout);

#endif
