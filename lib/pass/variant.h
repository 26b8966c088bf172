/* Variants: kernels with all choices made, such as layouts and options, and their texts. */
#ifndef GLNN__PASS_VARIANT_H
#define GLNN__PASS_VARIANT_H

#include "io/growing_text.h"
#include "pass/pass.h"

/* How a kernel samples an operand between texels. */
typedef enum glnn__filter {
    GLNN__FILTER_NONE,    /* it does not                 */
    GLNN__FILTER_SAMPLER, /* by the filter of a sampler  */
    GLNN__FILTER_SHADER   /* the shader mixes four texels */
} glnn__filter;

/* The choices that distinguish one program from another. Padding bytes are zero, so that variants
 * can be compared and hashed as bytes. */
typedef struct glnn__variant {
    const glnn__kernel *kernel, *epilogue; /* epilogue NULL: none */
    unsigned char fetching;                /* a glnn__fetching */
    unsigned char shares; /* the fragments of a quad share their fetches             */
    unsigned char stage;  /* FRAGMENT or COMPUTE                                     */
    unsigned char group;  /* COMPUTE: invocations along a side of a work group; of a kernel
                               with a main of its own, elements that the group computes */
    unsigned char slices; /* COMPUTE: invocations that share a block; 0: one         */
    unsigned char blends; /* the shader adds to the former output, and not blending  */
    unsigned char picks;  /* the kernel picks the rows of blocks that are drawn      */
    unsigned char output_layout, output_storage, output_wrap;
    unsigned char counted;       /* 1 + the operand whose fetches are counted; 0: none       */
    unsigned char targets, rows; /* those of the part; zeros: side outputs are images */
    unsigned char images;        /* the block is written to an image, not to render targets */
    unsigned char stack;         /* blocks of the layout in a block of the kernel           */
    struct {
        unsigned char is_present, layout, storage, wrap;
    } side_outputs[GLNN__MAX_SIDE_OUTPUTS]; /* by the places of glnn__pass_side_output */
    struct {
        unsigned char is_present, layout, wrap, reading, layered;
        unsigned char is_array, is_placed, channels; /* of the texture */
        unsigned char filter;                        /* a glnn__filter */
    } operands[GLNN__MAX_OPERANDS];
    unsigned char options[GLNN__MAX_OPTIONS], epilogue_options[GLNN__MAX_OPTIONS];
    unsigned char takes_sum, epilogue_blends; /* those of the epilogue */
    uint32_t expression;                      /* number of an expression, from 1; 0: none */
    const int *constants; /* the copy that glnn__constants_keep made; NULL: zeros */
} glnn__variant;

/* Whether the draw writes the output. */
static inline bool glnn__variant_writes_output(const glnn__variant *variant)
{
    return variant->rows == 0 && (variant->targets == 0 || variant->targets & 1);
}

/* Whether the draw has a point for each row, which the vertex shader measures. */
static inline bool glnn__variant_draws_points(const glnn__variant *variant)
{
    return variant->rows > 0 && variant->counted == 0;
}

/* Whether the shader adds to the former output and fetches it from a texture. Otherwise it loads it
 * from the image that it writes. */
static inline bool glnn__variant_fetches_former(const glnn_context *ctx,
                                                const glnn__variant *variant)
{
    return variant->blends && !(variant->images && ctx->has_images);
}

/* The number of the image of target `place`, of which those of a part follow each other; -1: the
 * part does not write it. */
static inline int glnn__variant_image(const glnn__variant *variant, int place)
{
    int image = 0;
    if (!variant->targets)
        return place;
    for (int i = 0; i < place; ++i)
        image += variant->targets >> i & 1;
    return variant->targets >> place & 1 ? image : -1;
}

/* Chooses how a pass writes, adds and fetches. Fills in the variant, except its expression and its
 * constants. It may have the device measured (run.c). */
glnn_status glnn__choose_variant(glnn_context *ctx, const glnn__pass *pass, glnn__variant *variant);

#define GLNN__MAX_PARTS 48

/* The numbers of uniforms, which are their locations where shaders can choose these. An operand
 * takes four: its map two, its size one and its half texel, or its level and layer, one. */
#define GLNN__LOCATION_UNIFORMS     0
#define GLNN__LOCATION_EPILOGUE     (GLNN__LOCATION_UNIFORMS + GLNN__MAX_UNIFORMS)
#define GLNN__LOCATION_OUTPUT_SIZE  (GLNN__LOCATION_EPILOGUE + GLNN__MAX_UNIFORMS)
#define GLNN__LOCATION_REGION       (GLNN__LOCATION_OUTPUT_SIZE + 1)
#define GLNN__LOCATION_BLEND_FACTOR (GLNN__LOCATION_REGION + 1)
#define GLNN__LOCATION_TEXELS       (GLNN__LOCATION_BLEND_FACTOR + 1)
#define GLNN__LOCATION_OPERANDS     (GLNN__LOCATION_TEXELS + 1)

/* The samplers and images of a program, numbered: operands, the former output, the layers of the
 * factors, the output as an image, side outputs as images. Where shaders cannot load from images,
 * the former texels of side outputs have the numbers of the layers, which are not used then. Each
 * has a uniform, the unit that it reads. In a host's context the number is the unit, counted for
 * images from GLNN__BINDING_IMAGES on. */
#define GLNN__BINDING_FORMER         GLNN__MAX_OPERANDS
#define GLNN__BINDING_LAYERS(factor) (GLNN__BINDING_FORMER + 1 + GLNN__TILE_LAYERS * (factor))
#define GLNN__BINDING_SIDE(i)        GLNN__BINDING_LAYERS(0) + (i)
#define GLNN__BINDING_IMAGES         GLNN__BINDING_LAYERS(GLNN__FACTORS)
#define GLNN__BINDINGS               (GLNN__BINDING_IMAGES + 1 + GLNN__MAX_SIDE_OUTPUTS)
#define GLNN__LOCATION_BINDINGS      64
#define GLNN__LOCATIONS              (GLNN__LOCATION_BINDINGS + GLNN__BINDINGS)

_Static_assert(GLNN__LOCATION_OPERANDS + 4 * GLNN__MAX_OPERANDS <= GLNN__LOCATION_BINDINGS, "");
_Static_assert(GLNN__BINDING_IMAGES == GLNN__TEXTURE_UNITS, "");
_Static_assert(1 + GLNN__MAX_SIDE_OUTPUTS == GLNN__IMAGE_UNITS, "");

/* The text of a shader, and the files that its parts come from. */
typedef struct glnn__text {
    glnn__growing_text content;
    char *parts[GLNN__MAX_PARTS]; /* names of files, or of generated parts */
    int part_count;
    int end_of; /* the parts from this one on come after a text of the program; 0: there is none */
} glnn__text;

/* Assemble the shader of a variant, and the other shader of its program, which is a vertex shader:
 * the kernel's if it picks rows of blocks, otherwise the one that covers the viewport. If the
 * variant writes rows, its own is the vertex shader. The caller passes `out` to glnn__text_free
 * even if the call fails. */
glnn_status glnn__variant_assemble(glnn_context *ctx, const glnn__variant *variant,
                                   const char *expression, glnn__text *out);
glnn_status glnn__partner_assemble(glnn_context *ctx, const glnn__variant *variant,
                                   glnn__text *out);

/* The number of the uniform with this name; -1: the variant has none of this name. */
int glnn__variant_uniform(const glnn__variant *variant, const char *name);

void glnn__text_free(glnn__text *text);

/* Copies a compiler's message, with names and lines of shader files in place of numbers. */
void glnn__text_explain(const glnn__text *text, const char *log, char *out, size_t size);

#endif
