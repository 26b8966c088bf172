/* Files that compute what a learner predicts, in one of the languages of exports. A file has the
 * numbers that were learnt, functions of templates/ and, at its end, code of its own that calls
 * them. glnn/export.h describes such files. */
#ifndef GLNN__EXPORT_FILE_H
#define GLNN__EXPORT_FILE_H

#include "base/locale.h"
#include "io/growing_text.h"
#include "pass/embedded.h"

#include <glnn/export.h>

enum { GLNN__EXPORT_MAX_TEMPLATES = 48 };

typedef struct glnn__language glnn__language;
extern const glnn__language glnn__c_language, glnn__glsl_language;

/* Begins with glnn__export_begin. Functions that add to a file note failures in it, which
 * glnn__export_end reports. */
typedef struct glnn__export_file {
    const glnn__language *language;
    const char *name;                      /* of the export */
    char upper[GLNN_EXPORT_MAX_NAME + 1];  /* the same in upper case */
    char prefix[GLNN_EXPORT_MAX_NAME + 2]; /* of the names of functions of templates/ */
    const char *used[GLNN__EXPORT_MAX_TEMPLATES];
    int used_count;
    glnn__growing_text arrays, code;
    glnn__c_locale locale;
    size_t constants; /* numbers in the arrays */
    size_t left_out;  /* bytes of arrays, at least, that are not in the text, which is too large */
    size_t scratch;   /* floats of memory that the code uses */
    const glnn_csv_columns *columns; /* of a row of a table, which the code encodes; NULL: none */
    char *const *class_names;        /* that the file has; NULL: none                          */
    int classes;                     /* the number of these names                              */
    char odd[32]; /* the first array with a number that is not finite; "": none */
} glnn__export_file;

/* An expression of the code. */
typedef struct glnn__export_text {
    char text[40];
} glnn__export_text;

/* Numbers of a sample in the code. */
typedef struct glnn__export_numbers {
    char text[40];     /* an expression for their place, which functions of templates/ take */
    size_t first, end; /* their place in the scratch memory; equal: they are not in it */
} glnn__export_numbers;

/* Enters the C locale, until the file is ended. Errors: E_ARG the name of the export does not fit;
 * E_NOMEM. To be ended after success. */
glnn_status glnn__export_begin(const glnn__language *language, const char *name,
                               glnn__export_file *out);

/* Writes the file, unless `status`, which the caller has reached, or a noted failure forbids it,
 * leaves the C locale and frees the memory. `what` describes the learner.
 * Errors: `status`; E_DIVERGED, E_LIMIT, E_NOMEM; as glnn__file_replace. */
glnn_status glnn__export_end(glnn__export_file *file, const char *path, const char *what,
                             int features, int outputs, glnn_status status);

/* A number as all languages have it. */
glnn__export_text glnn__export_literal(float value);

/* Adds an array, and gives the expression by which functions of templates/ take it. The name
 * follows as for printf. */
__attribute__((format(printf, 4, 5))) glnn__export_text glnn__export_floats(glnn__export_file *file,
                                                                            const float *values,
                                                                            size_t count,
                                                                            const char *name, ...);

/* Adds an array of ints to a C file. */
void glnn__export_ints(glnn__export_file *file, const int *values, size_t count, const char *name);

/* Adds a constant structure of ints, whose type is that of a template, and gives the expression by
 * which functions take it. */
glnn__export_text glnn__export_struct(glnn__export_file *file, const char *type, int number,
                                      const int *values, size_t count);

/* Adds a function of templates/ once. */
void glnn__export_use(glnn__export_file *file, const char *name);

/* Adds a function of templates/ once, and a call to it. The arguments follow as for printf. */
__attribute__((format(printf, 3, 4))) void
glnn__export_call(glnn__export_file *file, const char *name, const char *arguments, ...);

/* The same, and the code returns the result. */
__attribute__((format(printf, 3, 4))) void
glnn__export_return(glnn__export_file *file, const char *name, const char *arguments, ...);

/* Numbers in the scratch memory, from number `first` on. */
glnn__export_numbers glnn__export_scratch(glnn__export_file *file, size_t first, size_t count);

/* The numbers that the code of a file has to compute; without a text: those that it chooses. */
glnn__export_numbers glnn__export_output(const glnn__export_file *file);

/* ---- Languages */

/* The files of templates/. */
extern const glnn__embedded_file glnn__templates[];
extern const size_t glnn__template_count;

/* The subject of a file, for its head. */
typedef struct glnn__export_summary {
    const char *what; /* describes the learner */
    int features, outputs;
} glnn__export_summary;

struct glnn__language {
    const char *ending; /* of the names of its templates                                        */
    bool shares_names;  /* with other code of its user, so that functions have the prefix       */
    bool has_texts;     /* it has names of classes, and encodes the texts of a row              */
    size_t limit;       /* bytes of a file; 0: there is none                                    */
    const char *output; /* the numbers that have to be computed; NULL: the code chooses         */
    const char *struct_end, *foot; /* of a constant structure; of a file */

    /* NULL: a name that fits all languages fits. */
    glnn_status (*check_name)(const glnn__export_file *file);

    /* As glnn__export_floats, glnn__export_struct and glnn__export_scratch. */
    glnn__export_text (*add_floats)(glnn__export_file *file, const float *values, size_t count,
                                    const char *name);
    glnn__export_text (*begin_struct)(glnn__export_file *file, const char *type, int number);
    glnn__export_text (*place)(size_t first);

    /* Begins the function that computes outputs, and gives the numbers of the sample. */
    glnn__export_numbers (*begin_predict)(glnn__export_file *file, int features);

    /* Ends the function, which has computed these numbers. */
    void (*end_predict)(glnn__export_file *file, const glnn__export_numbers *outputs);

    /* Begins the function that finds the class, calls the first one, and gives the outputs. */
    glnn__export_numbers (*begin_classify)(glnn__export_file *file,
                                           const glnn__export_numbers *outputs, int count);

    /* Print the text before the arrays, and between them and the functions of templates/. */
    void (*print_head)(const glnn__export_file *file, const glnn__export_summary *of,
                       glnn__growing_text *to);
    void (*print_scratch)(const glnn__export_file *file, glnn__growing_text *to);
};

/* A template in C begins with the headers that it needs, which stand at the head of the file. Gives
 * the text after them. */
const char *glnn__export_skip_includes(const char *text);

/* The text of a template. */
const char *glnn__export_template(const glnn__export_file *file, const char *name);

/* Prints the first lines of a comment: the name, the learner and the library. */
void glnn__export_print_title(const glnn__export_file *file, const char *what,
                              glnn__growing_text *to);

/* Prints what stands before a number of an array with so many in a line. */
void glnn__export_separate(size_t index, size_t columns, const char *between,
                           glnn__growing_text *to);

#endif
