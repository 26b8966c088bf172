/* Whether a description is that of a network. */
#ifndef GLNN__NET_NETWORK_CHECK_H
#define GLNN__NET_NETWORK_CHECK_H

#include "io/fields.h"
#include "layers/layer.h"

/* The fields of a description but the layers. */
extern const glnn__fields glnn__network_fields;

/* Those of an output. */
extern const glnn__fields glnn__output_fields;

/* Checks a description and fills in its defaults; `layers` become its layers, as yet without
 * matrices. */
glnn_status glnn__network_check(glnn_network_desc *desc, glnn__layer *layers);

#endif
