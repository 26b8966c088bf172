/* The numbers of a layer's description, for checks, sentences and files. */
#ifndef GLNN__LAYERS_LAYER_NUMBERS_H
#define GLNN__LAYERS_LAYER_NUMBERS_H

#include "io/safetensors/description.h"
#include "layers/layer.h"

typedef struct glnn__layer_number {
    glnn__field field; /* of glnn_layer_desc; a file's text has those of all layers */
    const char *name;  /* in C, for sentences                                       */
    unsigned flag;     /* of glnn__layer_type.uses; 0: all types use it             */
    bool may_differ;   /* between a network and the file that is restored into it   */
} glnn__layer_number;

/* The kind comes first. */
enum { GLNN__LAYER_NUMBERS = 12 };
extern const glnn__layer_number glnn__layer_numbers[GLNN__LAYER_NUMBERS];

double glnn__layer_number_get(const glnn__layer_number *number, const glnn_layer_desc *desc);

#endif
