/* A pass draws one kernel once, over the block grid of its output. */
#ifndef GLNN__PASS_PASS_H
#define GLNN__PASS_PASS_H

#include "pass/kernel.h"
#include "pass/profile.h"
#include "pass/view.h"
#include "tex/matrix.h"

/* A number that a uniform can have. The descriptor of the kernel declares its type. */
typedef union glnn__value {
    float f;
    int i;
} glnn__value;

/* The value of a uniform: a number, or that in a slot. A recorded pass (list.h) reads its slots
 * whenever it is replayed, so they have to live as long as the list. */
typedef struct glnn__uniform {
    union {
        float f;
        int i;
    };
    const glnn__value *slot; /* NULL: the number */
} glnn__uniform;

/* The number of a uniform as of now. */
static inline glnn__value glnn__uniform_get(const glnn__uniform *uniform)
{
    return uniform->slot ? *uniform->slot : (glnn__value){.i = uniform->i};
}

/* Whether a factor may have to be multiplied by: it is not the number 0. */
static inline bool glnn__uniform_is_set(const glnn__uniform *factor)
{
    return factor->slot || factor->f != 0;
}

/* A second descriptor, whose shader finishes the kernel's block before it is written. It has no
 * operands. Kernel and epilogue together have at most GLNN__MAX_SIDE_OUTPUTS side outputs. */
typedef struct glnn__epilogue {
    const glnn__kernel *kernel;
    glnn_matrix *side_outputs[GLNN__MAX_SIDE_OUTPUTS]; /* NULL: absent */
    unsigned options[GLNN__MAX_OPTIONS];
    glnn__uniform uniforms[GLNN__MAX_UNIFORMS];
    /* It defines epilogue_sum() or epilogue_blended(). If the pass blends, the shader then adds to
     * the former output, and not blending. */
    bool takes_sum, blends;
} glnn__epilogue;

/* ---- How a matrix product, or another long sum, is cut into blocks */

/* Blocks in the stack of one fragment. Two tiles of 4 x 8 elements are a square, and of all
 * rectangles of that size a square needs the fewest fetches. */
#define GLNN__STACK 2

/* The factors of a product are its first operands. */
#define GLNN__FACTORS 2

/* Elements along a side of the output of a work group of GEMM_SHARED. */
#define GLNN__LARGE_GROUP 64
#define GLNN__SMALL_GROUP 32

/* Slices of a block, if one work group computes all of them. */
#define GLNN__GROUP_SLICES 32

/* With zeros, each fragment or invocation computes one block and reads whole textures. */
typedef struct glnn__blocking {
    bool layered[GLNN__FACTORS]; /* each layer of the TILED factor is read as a texture */
    bool shares;                 /* the fragments of a quad share their fetches         */
    int stack; /* blocks of a fragment, one below the other; only if glnn__pass_can_stack */
    /* For the compute stage: */
    int group_slices; /* of a kernel that has finish() and slice_blocks: GLNN__GROUP_SLICES */
    int group_side;   /* of gemm_shared: elements along a side of a group's output       */
    int group_layers; /* of gemm_shared: layers of groups, each `group_rows` elements high */
    int group_rows;
} glnn__blocking;

/* ---- Passes */

typedef struct glnn__operand {
    const glnn_matrix *matrix; /* NULL: absent, if the kernel allows it */
    glnn__view view;           /* zeros: the identity                      */
    bool is_filtered; /* the kernel has the function of include/filter.glsl, which samples the
                         texture between texels */
} glnn__operand;

/* The stage that runs a pass, and the way in which the fragment stage writes. */
typedef struct glnn__way {
    glnn_stage stage;
    glnn_writes writes;
} glnn__way;

/* Where shaders cannot load from images, a pass with side outputs is drawn in parts, each of which
 * writes render targets alone, or images alone. All parts read the former texels, so the textures
 * that they write become those of the matrices after the last part. Zeros: the pass is drawn at
 * once. */
typedef struct glnn__part {
    unsigned char
        targets;        /* bit 0: the output, bit 1 + i: side output i, which is the epilogue's */
    unsigned char rows; /* 1 + a side output of the kernel, which points are drawn into */
    bool is_last;
} glnn__part;

/* A pass that does not write its output: it counts how often one block fetches each texel of an
 * operand. Of a part that draws points, it is the point that writes the block. */
typedef struct glnn__counting {
    int operand;
    int column, row;     /* of the block, in the grid of blocks of the matrix that is written   */
    glnn_matrix *counts; /* UNPACKED if the operand is, else PACKED; NULL: the pass is ordinary */
} glnn__counting;

/* Zeros mean: absent, identity, 0, the whole output, no blending. */
typedef struct glnn__pass {
    const glnn__kernel *kernel;
    glnn__operand operands[GLNN__MAX_OPERANDS];
    glnn_matrix *output;
    glnn_matrix *side_outputs[GLNN__MAX_SIDE_OUTPUTS]; /* no operands; NULL: absent */
    bool side_adds[GLNN__MAX_SIDE_OUTPUTS]; /* the kernel adds to the former texels of its side
                                               output, and does not replace them */
    const glnn__epilogue *epilogue;
    unsigned options[GLNN__MAX_OPTIONS];
    glnn__uniform uniforms[GLNN__MAX_UNIFORMS];
    const int *constants;    /* GLNN__MAX_CONSTANTS values; NULL: zeros                         */
    const char *expression;  /* the value of the function that the kernel declares */
    glnn__fetching fetching; /* of a kernel that has_fetching                               */
    double fetches;          /* elements that all fragments fetch; 0: the largest matrix once */
    glnn__blocking blocking; /* of a matrix product */
    bool blend;              /* add to the former output times blend_factor    */
    bool blend_in_place;     /* add by blending, even if reading the former output is faster */
    glnn__uniform blend_factor;
    glnn__blocks region;  /* the blocks to draw; width 0: all                      */
    const glnn__way *way; /* NULL: that of the context                           */
    double expected_us;   /* by the device profile; 0: too short to be cut into strips */
    glnn__part part;      /* set when the pass is run: see there */
    int picks; /* draw only the rows of blocks that the kernel's function picked_row names, at most
                  so many and none twice; 0: all. The output may then be an operand, of which each
                  block reads only itself */
    glnn__counting counting;
} glnn__pass;

/* Side output `place` of a pass. Those of the kernel begin at the first place, those of the
 * epilogue at the last one, in reverse order. */
static inline glnn_matrix *glnn__pass_side_output(const glnn__pass *pass, int place)
{
    if (pass->side_outputs[place] || !pass->epilogue)
        return pass->side_outputs[place];
    return pass->epilogue->side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - place];
}

/* The name that the kernel's or the epilogue's shader has for side output `place`; NULL: there is
 * none. */
static inline const char *glnn__pass_side_output_name(const glnn__pass *pass, int place)
{
    if (pass->side_outputs[place])
        return pass->kernel->side_outputs[place];
    return glnn__pass_side_output(pass, place)
               ? pass->epilogue->kernel->side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - place]
               : NULL;
}

/* Whether a pass, or this part of one, writes a matrix: the output, or side output `place` - 1. */
static inline bool glnn__pass_writes(const glnn__pass *pass, int place)
{
    if (place > 0 && !glnn__pass_side_output(pass, place - 1))
        return false;
    if (pass->part.rows)
        return pass->part.rows == place;
    return !pass->part.targets || (pass->part.targets >> place & 1);
}

/* The output, or the first side output that a part writes without the output. */
static inline glnn_matrix *glnn__pass_written(const glnn__pass *pass)
{
    int place = 0;
    while (!glnn__pass_writes(pass, place))
        ++place;
    return place == 0 ? pass->output : glnn__pass_side_output(pass, place - 1);
}

/* Whether one draw into a layout can also write so many side outputs of an epilogue. Otherwise each
 * part computes the kernel again. */
bool glnn__pass_can_join(const glnn_context *ctx, glnn_stage stage, glnn_layout layout,
                         int side_outputs);

/* The stage that computes a pass: that of the context, unless OpenGL ES has no image of the format
 * of the output, or of the epilogue's side outputs. `epilogue` NULL: none. */
glnn_stage glnn__pass_stage(const glnn_context *ctx, const glnn_matrix *output,
                            const glnn__epilogue *epilogue);

/* Runs a pass, or records it (list.h). If the output is also an operand, the pass renders into
 * another texture, which then becomes the output's. The same happens if a shader with render
 * targets reads the output to add to it. A pass whose output is an operand has no region and does
 * not blend. A pass that blends into an output of 16 bits has no region.
 * Errors: E_ARG the output is PAGED, the descriptor is malformed, or an operand that the kernel
 * reads has no matrix; E_SHADER, E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__pass_run_for(glnn_context *ctx, const char *call, const glnn__pass *pass);
#define glnn__pass_run(ctx, ...) glnn__pass_run_for(ctx, __func__, __VA_ARGS__)

/* The elements of a block of glnn__pass_written(), which a fragment or a point computes. */
void glnn__pass_block_size(const glnn__pass *pass, int *rows, int *columns);

/* Counts the fetches of a block in the fragment stage, whatever the way of the pass. The counts
 * have the shape of the operand. */
glnn_status glnn__pass_count_fetches(glnn_context *ctx, const glnn__pass *pass,
                                     const glnn__counting *counting);

/* Hands the program of a pass to the driver, which may compile several of them in parallel. */
glnn_status glnn__pass_start(glnn_context *ctx, const glnn__pass *pass);

/* Whether one fragment can compute several blocks of `output`. */
bool glnn__pass_can_stack(glnn_context *ctx, const glnn_matrix *output);

/* Whether a matrix product into a layout can read the layers of factors as single textures. That
 * takes a texture unit for each layer. */
bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout);

/* Whether fragments can share their fetches in matrix products into `output`. In a wrapped texture
 * the fragments of a quad do not have the rows and columns of blocks in common. */
bool glnn__pass_can_share(const glnn_context *ctx, const glnn_matrix *output);

#endif
