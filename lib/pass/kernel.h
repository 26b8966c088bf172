/* Kernel descriptors. The file that fills the passes of a kernel defines its descriptor; nothing
 * lists all of them. */
#ifndef GLNN__PASS_KERNEL_H
#define GLNN__PASS_KERNEL_H

#include <stdbool.h>

#define GLNN__MAX_OPERANDS     6
#define GLNN__MAX_OPTIONS      6
#define GLNN__MAX_UNIFORMS     8
#define GLNN__MAX_SIDE_OUTPUTS 3
#define GLNN__MAX_ENUMERATIONS 3

/* An enumerator of C that a shader uses. It becomes a #define of the same name, without the prefix
 * GLNN__ if it has one, because GLSL reserves double underscores. */
typedef struct glnn__enumerator {
    const char *name; /* NULL ends a list */
    int value;
} glnn__enumerator;

#define GLNN__ENUMERATOR(name)                                                                     \
    {                                                                                              \
#name, (int)(name)                                                                         \
    }

/* Describes the GLSL file shaders/kernels/<name>.glsl to passes. A pass gives operands,
 * options, uniforms and side outputs in the order in which they stand here; the file that defines a
 * descriptor has an enumeration of their indices. Shaders read all of them by name:
 *
 *   operands      functions and macros of include/operand.glsl, such as X_at(); HAS_X
 *   options       macros that hold a number
 *   uniforms      as GLSL declares them, of type float or int: "float alpha"; the shader's text
 *                 does not declare them again
 *   side outputs  images that the pass writes in addition to its output: S_texture; HAS_S
 *   enumerations  lists of the C enumerators that the GLSL compares options with
 *
 * A kernel defines void block(ivec2 at), an epilogue the functions of include/epilogue.glsl. */
typedef struct glnn__kernel {
    const char *name;
    const char *operands[GLNN__MAX_OPERANDS];
    const char *options[GLNN__MAX_OPTIONS];
    const char *uniforms[GLNN__MAX_UNIFORMS];
    const char *side_outputs[GLNN__MAX_SIDE_OUTPUTS];
    const glnn__enumerator *enumerations[GLNN__MAX_ENUMERATIONS];
    int unviewed; /* the first operands, read by row and column and not through their views: how a
                     view could be followed makes no variants of them */
    bool has_fetching; /* the pass says how operands are fetched, and the profile does not choose */
    bool has_main;     /* for the compute stage alone, and written for whole work groups */
    bool takes_sum; /* of an epilogue: it defines epilogue_sum(), so the shader, not blending, adds
                          to what the output held */
} glnn__kernel;

#endif
