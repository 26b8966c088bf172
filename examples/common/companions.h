/* A classifier in files: its own, and beside it the names of its classes and what its features are
 * made by. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_COMPANIONS_H
#define EXAMPLES_COMPANIONS_H

#include <glnn/projection.h>

#include "classifier.h"

/* Writes FILE, FILE.classes and, unless the projection is NULL, FILE.projection. */
void companions_save(const classifier *model, const glnn_projection *projection,
                     const class_names *classes, const char *path);

/* Reads what companions_save wrote and returns the projection; NULL: there is none. A classifier
 * without names beside it numbers its classes. */
glnn_projection *companions_load(glnn_context *ctx, const char *path, glnn_layout layout,
                                 classifier *model, class_names *classes);

/* Reads prototypes as text, and adds their classes. */
void companions_read_codebook(const char *path, glnn_codebook *out, class_names *classes);

#endif
