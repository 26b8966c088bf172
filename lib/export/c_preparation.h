/* The preparation of a learner in its C file. A preparation may be NULL: there is none. */
#ifndef GLNN__EXPORT_C_PREPARATION_H
#define GLNN__EXPORT_C_PREPARATION_H

#include "export/c_file.h"

/* The numbers of a raw sample; `features` are those of the learner. */
int glnn__c_features(const glnn_preparation *preparation, int features);

/* Adds code that makes the features of the learner from the argument, and returns them. */
glnn__c_numbers glnn__c_prepare(glnn__c_file *file, const glnn_preparation *preparation);

/* Adds code that undoes the scale of the targets in these numbers. */
void glnn__c_unscale_targets(glnn__c_file *file, const glnn_preparation *preparation,
                             const char *numbers);

#endif
