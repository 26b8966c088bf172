/* Making data sets, whose samples become resident or stream. */
#ifndef GLNN__DATA_DATASET_CREATE_H
#define GLNN__DATA_DATASET_CREATE_H

#include "data/stream.h"

/* As glnn_dataset_create, but the inputs are the samples x features float32 at `inputs`, at any
 * address. They lie in `file`, which the data set takes over, also where this fails; an empty one
 * stands for the program's own memory. */
glnn_status glnn__dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                 const unsigned char *inputs, glnn__mapping *file,
                                 glnn_dataset **out);

#endif
