/* Layers in the C file of a network. */
#ifndef GLNN__NET_LAYER_EXPORT_H
#define GLNN__NET_LAYER_EXPORT_H

#include "export/c_file.h"
#include "layers/layer.h"

/* Whether the code computes the layer. If not, its output is its input. */
bool glnn__layer_is_exported(const glnn__layer *layer);

/* Whether the output may replace the input. */
bool glnn__layer_exports_in_place(const glnn__layer *layer);

/* Whether the weights of a layer can include the batch normalisation that follows it. */
bool glnn__layer_takes_norm(const glnn__layer *layer, const glnn__layer *next);

/* Adds the numbers of a layer and the code that computes its output; these are expressions that
 * point to them. `norm` is the batch normalisation that the weights take over, or NULL. `source` is
 * the output that the layer also reads. Errors: E_NOMEM; as glnn_matrix_download. */
glnn_status glnn__layer_export(glnn_context *ctx, const glnn__layer *layer, const glnn__layer *norm,
                               const char *input, const char *source, const char *output,
                               glnn__c_file *file);

#endif
