/* Prototypes in C files. */
#ifndef GLNN__PROTOTYPES_EXPORT_H
#define GLNN__PROTOTYPES_EXPORT_H

#include "prototypes/prototypes.h"

/* Writes the C file of a learner; `what` describes it. precision_half is as for
 * glnn__prototypes_predict. Errors: E_ARG the name or the path does not fit; E_DIVERGED; E_NOMEM;
 * E_GL; as glnn__file_replace. */
glnn_status glnn__prototypes_export(const glnn__prototypes *p, double precision_half,
                                    const char *what, const char *path, const char *name);

#endif
