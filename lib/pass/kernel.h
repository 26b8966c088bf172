/* Kernel descriptors. The C file that runs a kernel defines its descriptor. There is no list of all
 * kernels. */
#ifndef GLNN__PASS_KERNEL_H
#define GLNN__PASS_KERNEL_H

#include <glnn/base.h>

#include <stdbool.h>

#define GLNN__MAX_OPERANDS     6
#define GLNN__MAX_OPTIONS      7
#define GLNN__MAX_UNIFORMS     18
#define GLNN__MAX_SIDE_OUTPUTS 4
#define GLNN__MAX_ENUMERATIONS 3
#define GLNN__MAX_CONSTANTS    20

/* A C enumerator that a shader uses. The shader gets a #define of the same name, but without the
 * prefix GLNN__, because GLSL reserves double underscores. */
typedef struct glnn__enumerator {
    const char *name; /* NULL ends a list */
    int value;
} glnn__enumerator;

/* clang-format off */
#define GLNN__ENUMERATOR(name) {#name, (int)(name)}
/* clang-format on */

/* Describes the GLSL file shaders/kernels/<name>.glsl, or a text that a program gave. A pass gives
 * operands, options, uniforms and side outputs in the order of these lists, so the file that
 * defines a descriptor also defines enumerations of the indices. Shaders use the names:
 *
 *   operands      functions and macros of include/operand.glsl, such as X_at(), and HAS_X
 *   options       macros that hold a number
 *   uniforms      as GLSL declares them, of type float or int: "float alpha"; the shader's text
 *                 does not declare them again
 *   side outputs  matrices that the pass writes in addition to its output (include/image.glsl), and
 *                 HAS_S. Those of an epilogue have the shape of the output, and each block is read
 *                 and written only where it lies. Those of a kernel have a texel for each row,
 *                 which its function void measure_row(int row) stores
 *   enumerations  C enumerators that the shader compares options with
 *   constants     macros that hold an integer, such as the side of an image. A program is made for
 *                 each list of values, so they must not depend on the size of a batch
 *
 * A kernel defines void block(ivec2 at), an epilogue the functions of include/epilogue.glsl. A text
 * defines float element(int row, int column), and reads each operand through a rectangle
 * (glnn__view_rectangle) by the functions of include/rectangle.glsl. */
typedef struct glnn__kernel {
    const char *name;
    const char *text; /* NULL: that of the file */
    const char *operands[GLNN__MAX_OPERANDS];
    const char *options[GLNN__MAX_OPTIONS];
    const char *uniforms[GLNN__MAX_UNIFORMS];
    const char *side_outputs[GLNN__MAX_SIDE_OUTPUTS];
    const glnn__enumerator *enumerations[GLNN__MAX_ENUMERATIONS];
    const char *constants[GLNN__MAX_CONSTANTS];
    const char *expression; /* declares the function that the pass gives the value of, as text */
    int unviewed;      /* the number of first operands that the kernel reads by row and column, not
                     through views; their views make no further variants */
    bool has_fetching; /* the pass chooses how operands are fetched, not the device profile */
    bool has_main;     /* the kernel has its own main, for whole work groups of the compute stage */
    const struct glnn__kernel *by_blocks; /* of one with a main: the kernel that computes the same
                                             block by block, with the same lists */
} glnn__kernel;

/* Fails with E_ARG if a declaration is malformed, or if a name is declared twice. A compiler would
 * report the same mistakes in other words and places. */
glnn_status glnn__kernel_check(const glnn__kernel *kernel);

/* The number of operands that are declared. */
int glnn__kernel_operands(const glnn__kernel *kernel);

#endif
