/* The first uniforms of kernels that use include/sample.glsl. */
#ifndef GLNN__OPS_SAMPLE_H
#define GLNN__OPS_SAMPLE_H

#define GLNN__SAMPLE_UNIFORMS "int first", "int count", "int samples"

/* Their values; `first` is a glnn__uniform. Row i of the batch, for i < count, is entry first + i
 * of the index, or sample first + i without an index, of a data set of `samples` samples. */
#define GLNN__SAMPLE_VALUES(first, count, samples)                                                 \
    (first), {.i = (count)},                                                                       \
    {                                                                                              \
        .i = (samples)                                                                             \
    }

/* The index of the first uniform after them. */
enum { GLNN__AFTER_SAMPLE = 3 };

#endif
