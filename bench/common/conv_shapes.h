/* The three products of a convolution: its outputs, and the gradients of weights and inputs. */
#ifndef BENCH_CONV_SHAPES_H
#define BENCH_CONV_SHAPES_H

#include "layers/convolution.h"

typedef enum conv_part { CONV_OUTPUTS, CONV_WEIGHTS, CONV_INPUTS, CONV_PARTS } conv_part;

const char *conv_part_name(conv_part part);

/* A product of rows x inner and inner x columns, and its factors with windows and without. */
typedef struct conv_shapes {
    int rows, columns, inner;
    int a[2], b[2], plain_a[2], plain_b[2];
    bool transpose_a, transpose_b;
    glnn__window window;
} conv_shapes;

conv_shapes conv_shapes_of(const glnn__layer *layer, int batch, conv_part part);

/* The multiply-adds of a part by its definition: the product computes padding too. */
double conv_multiply_adds(const glnn__layer *layer, int batch);

/* The bytes that a part has to read and write. */
double conv_bytes(const glnn__layer *layer, int batch);

#endif
