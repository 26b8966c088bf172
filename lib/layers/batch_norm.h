/* The parts of batch normalisation that other normalisations share. */
#ifndef GLNN__LAYERS_BATCH_NORM_H
#define GLNN__LAYERS_BATCH_NORM_H

#include "layers/layer.h"

/* Added to a variance before its square root divides. */
#define GLNN__NORM_EPSILON 1e-5f

/* gamma and beta are numbers of a channel. The output has the shape of the input. */
glnn_status glnn__norm_shape(glnn__layer *layer, const glnn__layer *layers);

/* Sets a row of a matrix to a number. */
glnn_status glnn__norm_set_row(glnn_context *ctx, glnn_matrix *matrix, int row, float value);

/* gamma and beta as arrays of a file, and then the running statistics. Returns their number. */
int glnn__norm_arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS]);

/* The gradient of gamma and beta: out = the sums of D n and of D over each column, where D is the
 * delta of the output and n are the normalised inputs. `moments` has mean and 1 / deviation of each
 * column in rows 2 and 3. With `pixels` it has those of each sample, in columns 0 and 1. A sample
 * then has that many rows of the input. */
glnn_status glnn__norm_sums(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input, const glnn_matrix *moments, int pixels,
                            glnn_matrix *out);

#endif
