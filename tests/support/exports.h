/* Exported C files, compiled and called. */
#ifndef TESTS_EXPORTS_H
#define TESTS_EXPORTS_H

#include "learner_files.h"

/* The functions of a file; a second one can be open at the same time. */
typedef struct exported {
    void *library;
    void (*predict)(const float *input, float *output);
    int (*classify)(const float *input);
    int features, outputs; /* by the file's macros */
} exported;

/* Compiles a file as C99, without any warning, together with one that includes its declarations.
 * Closed by release_exports(). */
exported export_open(const char *path, const char *name);
void release_exports(void);

/* Outputs of both are equal to 1e-5, relative to those above 1, and classes are equal. */
void expect_same_outputs(const exported *of, int count, const float *inputs, const float *outputs,
                         const int *classes, const char *what);

#endif
