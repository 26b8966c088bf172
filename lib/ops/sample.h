/* The uniforms of kernels that use include/sample.glsl: they are the first ones. */
#ifndef GLNN__OPS_SAMPLE_H
#define GLNN__OPS_SAMPLE_H

#define GLNN__SAMPLE_UNIFORMS "int first", "int count", "int samples"

/* Their values: row i < `count` stands for entry first + i of the index, or sample first + i
 * without one, of a data set of `samples`. */
#define GLNN__SAMPLE_VALUES(first, count, samples)                                                 \
    {.i = (first)}, {.i = (count)},                                                                \
    {                                                                                              \
        .i = (samples)                                                                             \
    }

/* The place of the first uniform after them. */
enum { GLNN__BEHIND_SAMPLE = 3 };

#endif
