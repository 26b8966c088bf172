/* C files that compute what a learner predicts. A file has constant arrays, functions of templates/
 * and, at its end, code of its own that calls them. glnn/export.h describes such a file. */
#ifndef GLNN__EXPORT_C_FILE_H
#define GLNN__EXPORT_C_FILE_H

#include "io/growing_text.h"
#include "io/table/number.h"
#include "pass/embedded.h"

#include <glnn/export.h>

/* The files of templates/. */
extern const glnn__embedded_file glnn__templates[];
extern const size_t glnn__template_count;

enum { GLNN__C_MAX_TEMPLATES = 32 };

/* Begins with glnn__c_file_begin. Functions that add to a file note failures in it, which
 * glnn__c_file_end reports. */
typedef struct glnn__c_file {
    const char *name;                     /* of the export */
    char upper[GLNN_EXPORT_MAX_NAME + 1]; /* the same in upper case */
    const char *used[GLNN__C_MAX_TEMPLATES];
    int used_count;
    glnn__growing_text arrays, code;
    glnn__c_locale locale;
    size_t scratch; /* floats of static memory that the code uses */
    char odd[32];   /* the first array with a number that is not finite; "": none */
} glnn__c_file;

/* Numbers of a sample in the code. */
typedef struct glnn__c_numbers {
    char text[40];     /* an expression that points to them */
    size_t first, end; /* their place in the scratch memory; equal: they are not in it */
} glnn__c_numbers;

/* Enters the C locale, until the file is ended. Errors: E_ARG the name of the export does not fit;
 * E_NOMEM. To be ended after success. */
glnn_status glnn__c_file_begin(const char *name, glnn__c_file *out);

/* Writes the file, unless `status`, which the caller has reached, or a noted failure forbids it,
 * leaves the C locale and frees the memory. `what` describes the learner.
 * Errors: `status`; E_DIVERGED, E_NOMEM; as glnn__file_replace. */
glnn_status glnn__c_file_end(glnn__c_file *file, const char *path, const char *what, int features,
                             int outputs, glnn_status status);

/* A number as C has it. */
typedef struct glnn__c_literal {
    char text[32];
} glnn__c_literal;

glnn__c_literal glnn__c_literal_of(float value);

/* Adds an array; the name follows as for printf. */
__attribute__((format(printf, 4, 5))) void glnn__c_floats(glnn__c_file *file, const float *values,
                                                          size_t count, const char *name, ...);
void glnn__c_ints(glnn__c_file *file, const int *values, size_t count, const char *name);

/* Adds a function of templates/ once. */
void glnn__c_use(glnn__c_file *file, const char *name);

/* Numbers in the scratch memory, from number `first` on. */
glnn__c_numbers glnn__c_scratch(glnn__c_file *file, size_t first, size_t count);

/* The argument of the functions. */
extern const glnn__c_numbers glnn__c_input;

#endif
