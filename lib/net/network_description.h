/* The description of a network as texts of a safetensors file. */
#ifndef GLNN__NET_NETWORK_DESCRIPTION_H
#define GLNN__NET_NETWORK_DESCRIPTION_H

#include "io/safetensors/description.h"
#include "net/network_check.h"

/* The description of a network in a file, without its arrays. */
typedef struct glnn__network_description {
    glnn_network_desc desc;
    glnn__layer layers[GLNN_NETWORK_MAX_LAYERS]; /* that follow from it, without matrices */
    uint64_t steps;
    int states; /* of the optimizer; no text of the file: its arrays tell */
} glnn__network_description;

/* The shape of the input, whose texts come first. */
enum { GLNN__NETWORK_SHAPE_FIELDS = 3 };
extern const glnn__field glnn__network_shape_fields[GLNN__NETWORK_SHAPE_FIELDS];

/* The texts that follow. Both take a glnn__network_description, as a glnn__file_kind has them.
 * Reading has zeros to begin with; E_FORMAT where a text is missing or makes no sense. */
void glnn__network_describe(const void *description, glnn__texts *texts);
glnn_status glnn__network_undescribe(const glnn__described_file *in, void *description);

/* The texts by which a checkpoint recognises a network. */
void glnn__network_identify(const glnn_network_desc *desc, glnn__texts *texts);

/* The layers of a network for sentences: "784x1x1, dense 128 relu, dropout, dense 10 identity". */
typedef struct glnn__network_summary {
    char text[48 + GLNN_NETWORK_MAX_LAYERS * 160];
} glnn__network_summary;

glnn__network_summary glnn__network_summarise(const glnn_network_desc *desc);

#endif
