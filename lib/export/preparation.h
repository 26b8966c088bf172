/* The preparation of a learner in its export. A preparation may be NULL: there is none. */
#ifndef GLNN__EXPORT_PREPARATION_H
#define GLNN__EXPORT_PREPARATION_H

#include "export/file.h"

/* The numbers of a raw sample; `features` are those of the learner. */
int glnn__export_features(const glnn_preparation *preparation, int features);

/* Adds code that makes the features of the learner from a raw sample, and returns them. */
glnn__export_numbers glnn__export_prepare(glnn__export_file *file,
                                          const glnn_preparation *preparation,
                                          const glnn__export_numbers *sample);

/* Adds the function that makes a sample of the texts of a row, if the preparation has columns of a
 * table and the language can read texts. */
void glnn__export_encode(glnn__export_file *file, const glnn_preparation *preparation);

/* Adds code that undoes the scale of the targets in these numbers. */
void glnn__export_unscale_targets(glnn__export_file *file, const glnn_preparation *preparation,
                                  const glnn__export_numbers *targets);

#endif
