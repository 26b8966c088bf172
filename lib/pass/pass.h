/* Passes: one kernel, drawn once over the block grid of its output. */
#ifndef GLNN__PASS_PASS_H
#define GLNN__PASS_PASS_H

#include "pass/blocking.h"
#include "pass/kernel.h"
#include "pass/view.h"
#include "tex/matrix.h"

/* Uniforms of a kernel's own, by the locations SCALAR_0 ... and INTEGER_0 ... of its file. */
#define GLNN__MAX_SCALARS  6
#define GLNN__MAX_INTEGERS 8

#define GLNN__MAX_UPDATE_SCALARS 6

/* What a pass makes of the gradient of parameters before it adds it to them: the step of an optimizer.
 * The values are known to include/update.glsl. */
typedef enum glnn__update {
    GLNN__UPDATE_NONE = 0,
    GLNN__UPDATE_MOMENTUM,
    GLNN__UPDATE_NESTEROV,
    GLNN__UPDATE_ADAM
} glnn__update;

/* The images of an update: the optimizer's state, its second one, and the parameters in 16 bits, which
 * go without an update too. */
enum { GLNN__STATE_IMAGE, GLNN__SQUARE_IMAGE, GLNN__COPY_IMAGE };

/* What a pass writes beside its output. include/update.glsl says which images and scalars an update
 * needs; other images are the kernel's own. No image is an operand. */
typedef struct glnn__beside {
    glnn__update update;                   /* of gemm and fold */
    glnn_matrix *images[GLNN__MAX_IMAGES]; /* NULL: absent */
    float scalars[GLNN__MAX_UPDATE_SCALARS];
} glnn__beside;

/* How a kernel reads its operands; the values are known to prelude.glsl. */
typedef enum glnn__fetching {
    GLNN__FETCHING_TEXELS = 0, /* each fragment by texelFetch                                     */
    GLNN__FETCHING_SAMPLES,    /* at the coordinates of texels' centres                           */
    GLNN__FETCHING_COUNT
} glnn__fetching;

typedef struct glnn__operand {
    const glnn_matrix *matrix; /* NULL: absent, where the kernel allows it */
    glnn__view view;           /* zeros: the identity                      */
} glnn__operand;

/* What one pass does. Zeros mean: absent, identity, 0, the whole output, no blending. */
typedef struct glnn__pass {
    glnn__kernel kernel;
    glnn__operand operands[GLNN__MAX_OPERANDS];
    glnn_matrix *output;
    glnn__beside beside;
    unsigned options[GLNN__MAX_OPTIONS];
    float scalars[GLNN__MAX_SCALARS];
    int integers[GLNN__MAX_INTEGERS];
    const char *expression;  /* text of the function `expression`, for MAP_EXPRESSION */
    glnn__fetching fetching; /* of a kernel that has a choice */
    glnn__blocking blocking; /* of a matrix product */
    bool blend;              /* add to what the output holds, times blend_factor      */
    bool blend_in_place;     /* by blending, though reading what it holds may be faster */
    float blend_factor;
    glnn__blocks region; /* the blocks to draw; width 0: all                      */
    double expected_us;  /* by the device profile; 0: not long enough to be cut into strips */
    int picks;           /* draw at most so many rows of blocks alone, those that the kernel's
                            function picked_row names, no row twice; 0: all. An operand may then
                            be the output, if each block reads no more of it than itself    */
} glnn__pass;

/* Runs a pass. Where the output is an operand too, or a shader with render targets adds to what it
 * reads of the output, the pass renders into another texture, which then becomes the output's; the
 * former excludes a region and blending. Blending into an output that is stored in 16 bits excludes
 * a region.
 * Errors: E_ARG the output is PAGED; E_SHADER, E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__pass_run(glnn_context *ctx, const glnn__pass *pass);

/* Whether a pass into `output` writes it as an image: in the compute stage, and in the fragment stage
 * where the context was told so or the figures that are known say that it is faster. */
bool glnn__pass_writes_images(glnn_context *ctx, const glnn_matrix *output);

/* Whether fragments can compute several blocks of `output`. */
bool glnn__pass_can_stack(glnn_context *ctx, const glnn_matrix *output);

/* Whether an inner product into a layout can read factors whose layers are textures by themselves:
 * there are texture units for all that it may read. */
bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout);

/* Whether the context's stage can share in inner products into a layout. */
bool glnn__pass_can_share(const glnn_context *ctx, glnn_layout layout);

#endif
