/* The description of a network as texts of a safetensors file. */
#ifndef GLNN__NET_NETWORK_DESCRIPTION_H
#define GLNN__NET_NETWORK_DESCRIPTION_H

#include "io/safetensors/description.h"
#include "net/network_check.h"

/* The description of a network in a file, without its arrays. */
typedef struct glnn__network_description {
    glnn_network_desc desc;
    glnn__layer layers[GLNN_NETWORK_MAX_LAYERS];         /* that follow from it, without matrices */
    glnn_kernel_desc functions[GLNN_NETWORK_MAX_LAYERS]; /* of a file that is read */
    uint64_t steps;
    int states; /* of the optimizer; no text of the file: its arrays tell */
} glnn__network_description;

/* The fields but the layers and outputs, whose texts follow. Both take a
 * glnn__network_description, as a glnn__file_form has them. Reading checks all of it; E_FORMAT
 * where a text is missing or makes no sense. */
extern const glnn__fields glnn__network_file_fields;
void glnn__network_add_layers(const void *description, glnn__texts *texts);
glnn_status glnn__network_read_layers(const glnn__described_file *in, void *description);

/* The layers of a network for sentences: "784x1x1, dense 128 relu, dropout, dense 10 identity". */
typedef struct glnn__network_summary {
    char text[48 + GLNN_NETWORK_MAX_LAYERS * 160];
} glnn__network_summary;

glnn__network_summary glnn__network_summarise(const glnn_network_desc *desc);

#endif
