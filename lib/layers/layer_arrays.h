/* The parameters and statistics of a layer as arrays with the shapes of files. */
#ifndef GLNN__LAYERS_LAYER_ARRAYS_H
#define GLNN__LAYERS_LAYER_ARRAYS_H

#include "layers/layer.h"
#include "learn/learner_file.h"

typedef struct glnn__layer_arrays {
    glnn__layer_array list[GLNN__LAYER_ARRAYS];
    int count; /* 0: there are no parameters */
} glnn__layer_arrays;

glnn__layer_arrays glnn__layer_list_arrays(const glnn__layer *layer);

/* The number of elements. */
size_t glnn__layer_array_length(const glnn__layer_array *array);

/* Modules of PyTorch that the layer is: itself, and its activation. */
int glnn__layer_module_count(const glnn__layer *layer);

/* The tensors of a layer are its arrays and then the states of the optimizer. These are as the
 * functions of glnn__file_form, for the tensor of this number within the layer. */
glnn__tensor_place glnn__layer_place(const glnn__layer *layer, int number);
glnn_status glnn__layer_read(glnn_context *ctx, const glnn__layer *layer, int number,
                             float *values);
glnn_status glnn__layer_check(const glnn__layer *layer, int number, const float *values);
glnn_status glnn__layer_write(glnn_context *ctx, const glnn__layer *layer, int number,
                              const float *values);

/* Reads the elements of all arrays. Errors: E_NOMEM; as glnn_matrix_download. */
glnn_status glnn__layer_download(glnn_context *ctx, const glnn__layer *layer, float *const *values);

#endif
