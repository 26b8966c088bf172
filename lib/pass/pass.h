/* Passes: one kernel, drawn once over the block grid of its output. */
#ifndef GLNN__PASS_PASS_H
#define GLNN__PASS_PASS_H

#include "pass/blocking.h"
#include "pass/kernel.h"
#include "pass/profile.h"
#include "pass/view.h"
#include "tex/matrix.h"

/* The value of a uniform, of the type that the descriptor declares. */
typedef union glnn__uniform {
    float f;
    int i;
} glnn__uniform;

/* A second descriptor, whose shader finishes the kernel's block before it is written. It has no
 * operands. Together with those of the kernel it has at most GLNN__MAX_SIDE_OUTPUTS side
 * outputs. */
typedef struct glnn__epilogue {
    const glnn__kernel *kernel;
    glnn_matrix *side_outputs[GLNN__MAX_SIDE_OUTPUTS]; /* NULL: absent */
    unsigned options[GLNN__MAX_OPTIONS];
    glnn__uniform uniforms[GLNN__MAX_UNIFORMS];
} glnn__epilogue;

typedef struct glnn__operand {
    const glnn_matrix *matrix; /* NULL: absent, if the kernel allows it */
    glnn__view view;           /* zeros: the identity                      */
} glnn__operand;

/* The stage that runs a pass, and how the fragment stage writes. */
typedef struct glnn__way {
    glnn_stage stage;
    glnn_writes writes;
} glnn__way;

/* A pass. Zeros mean: absent, identity, 0, the whole output, no blending. */
typedef struct glnn__pass {
    const glnn__kernel *kernel;
    glnn__operand operands[GLNN__MAX_OPERANDS];
    glnn_matrix *output;
    glnn_matrix *side_outputs[GLNN__MAX_SIDE_OUTPUTS]; /* no operands; NULL: absent */
    const glnn__epilogue *epilogue;
    unsigned options[GLNN__MAX_OPTIONS];
    glnn__uniform uniforms[GLNN__MAX_UNIFORMS];
    const char *expression;  /* text of a GLSL function `expression` that the kernel calls */
    glnn__fetching fetching; /* of a kernel that has_fetching; others get the faster one      */
    double fetches;          /* of elements, by all fragments; 0: of the largest matrix, once */
    glnn__blocking blocking; /* of a matrix product */
    bool blend;              /* add to the former output times blend_factor      */
    bool blend_in_place;     /* by blending, though reading the former output may be faster */
    float blend_factor;
    glnn__blocks region;  /* the blocks to draw; width 0: all                      */
    const glnn__way *way; /* NULL: that of the context                           */
    double expected_us;   /* by the device profile; 0: not long enough to be cut into strips */
    int picks;            /* draw at most so many rows of blocks alone, those that the kernel's
                             function picked_row names, no row twice; 0: all. An operand may then
                             be the output, if each block reads no more of it than itself    */
} glnn__pass;

/* Side output `place` of a pass: the kernel's from the first place on, the epilogue's from the last
 * one back. */
static inline glnn_matrix *glnn__pass_side_output(const glnn__pass *pass, int place)
{
    if (pass->side_outputs[place] || !pass->epilogue)
        return pass->side_outputs[place];
    return pass->epilogue->side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - place];
}

/* From begin to end passes only announce their programs: the driver compiles them side by side, and
 * nothing is drawn. The passes that follow need not wait for one program after the other. */
typedef struct glnn__announcement {
    bool former;       /* state of the context */
    uint64_t compiled; /* programs before      */
} glnn__announcement;

glnn__announcement glnn__announce_begin(glnn_context *ctx);
void glnn__announce_end(glnn_context *ctx, const glnn__announcement *begun);

/* Runs a pass. If the output is also an operand, or a shader with render targets reads the output
 * to add to it, the pass renders into another texture, which then becomes the output's. An output
 * that is an operand excludes a region and blending. Blending into an output that is stored in 16
 * bits excludes a region.
 * Errors: E_ARG the output is PAGED; E_SHADER, E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__pass_run_for(glnn_context *ctx, const char *call, const glnn__pass *pass);
#define glnn__pass_run(ctx, ...) glnn__pass_run_for(ctx, __func__, __VA_ARGS__)

/* Whether fragments can compute several blocks of `output`. */
bool glnn__pass_can_stack(glnn_context *ctx, const glnn_matrix *output);

/* Whether a matrix product into a layout can read factors whose layers are textures by themselves:
 * there are texture units for all that it may read. */
bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout);

/* Whether the context's stage can share in matrix products into a layout. */
bool glnn__pass_can_share(const glnn_context *ctx, glnn_layout layout);

#endif
