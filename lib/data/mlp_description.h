/* The description of a network as texts of a safetensors file. */
#ifndef GLNN__DATA_MLP_DESCRIPTION_H
#define GLNN__DATA_MLP_DESCRIPTION_H

#include "data/description.h"

/* What a file keeps of a network beside its arrays. */
typedef struct glnn__mlp_description {
    glnn_mlp_desc desc;
    uint64_t steps;
} glnn__mlp_description;

glnn_status glnn__mlp_describe(const glnn__mlp_description *description, glnn__texts *texts);

/* Reads the texts of a file; E_FORMAT where one is missing or makes no sense. */
glnn_status glnn__mlp_undescribe(const glnn__reading *in, glnn__mlp_description *out);

/* The layers of a network for an error's sentence: "784-128 relu-10 identity". */
typedef struct glnn__mlp_shape {
    char text[GLNN_MLP_MAX_LAYERS * 32];
} glnn__mlp_shape;

glnn__mlp_shape glnn__mlp_shape_of(const glnn_mlp_desc *desc);

#endif
