/* The description of a network as texts of a safetensors file. */
#ifndef GLNN__NET_MLP_DESCRIPTION_H
#define GLNN__NET_MLP_DESCRIPTION_H

#include "io/safetensors/description.h"

/* What a file keeps of a network beside its arrays. */
typedef struct glnn__mlp_description {
    glnn_mlp_desc desc;
    uint64_t steps;
    int states; /* of the optimizer; no text of the file: its arrays tell */
} glnn__mlp_description;

/* Both take a glnn__mlp_description, as a glnn__file_kind has them. Reading has zeros to begin
 * with; E_FORMAT where a text is missing or makes no sense. */
void glnn__mlp_describe(const void *description, glnn__texts *texts);
glnn_status glnn__mlp_undescribe(const glnn__described_file *in, void *description);

/* The layers of a network for an error's sentence: "784-128 relu-10 identity". */
typedef struct glnn__mlp_shape {
    char text[GLNN_MLP_MAX_LAYERS * 32];
} glnn__mlp_shape;

glnn__mlp_shape glnn__mlp_shape_of(const glnn_mlp_desc *desc);

#endif
