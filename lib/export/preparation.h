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

/* Adds texts, if the language has them. These are the names of classes, if the code finds `classes`
 * classes that have names. If the preparation has columns of a table, a function that makes a
 * sample of the texts of a row follows. The preparation has to outlive the file. */
void glnn__export_texts(glnn__export_file *file, const glnn_preparation *preparation, int classes);

/* Print a line of a comment for each field of a row, and for each target. */
void glnn__export_list_fields(const glnn__export_file *file, glnn__growing_text *to);
void glnn__export_list_targets(const glnn__export_file *file, glnn__growing_text *to);

/* Adds code that undoes the scale of the targets in these numbers. */
void glnn__export_unscale_targets(glnn__export_file *file, const glnn_preparation *preparation,
                                  const glnn__export_numbers *targets);

#endif
