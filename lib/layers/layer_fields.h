/* The fields of a layer's description, for checks, sentences and files. A file's text has those of
 * all layers. `users` are those of glnn__layer_type.uses. */
#ifndef GLNN__LAYERS_LAYER_FIELDS_H
#define GLNN__LAYERS_LAYER_FIELDS_H

#include "io/fields.h"
#include "layers/layer.h"

/* The kind comes first. */
extern const glnn__fields glnn__layer_fields;

/* Whether the layers of a type use a field. */
bool glnn__layer_uses(const glnn__layer_type *type, const glnn__field *field);

#endif
