/* The languages of exports. */
#ifndef GLNN__EXPORT_LANGUAGE_H
#define GLNN__EXPORT_LANGUAGE_H

#include "export/file.h"
#include "pass/embedded.h"

/* The files of templates/. */
extern const glnn__embedded_file glnn__templates[];
extern const size_t glnn__template_count;

/* What a file is about, for its head. */
typedef struct glnn__export_summary {
    const char *what; /* describes the learner */
    int features, outputs;
} glnn__export_summary;

struct glnn__language {
    const char *ending; /* of the names of its templates                                        */
    bool shares_names;  /* with other code of its user, so that functions have the prefix       */
    size_t limit;       /* bytes of a file; 0: there is none                                    */
    const char *output; /* the numbers that have to be computed; NULL: the code chooses         */
    const char *struct_end, *foot; /* of a constant structure; of a file */

    /* NULL: a name that fits all languages fits. */
    glnn_status (*check_name)(const glnn__export_file *file);

    /* As the functions of export/file.h. */
    glnn__export_text (*add_floats)(glnn__export_file *file, const float *values, size_t count,
                                    const char *name);
    glnn__export_text (*begin_struct)(glnn__export_file *file, const char *type, int number);
    glnn__export_text (*place)(size_t first);
    glnn__export_numbers (*begin_predict)(glnn__export_file *file, int features);
    void (*end_predict)(glnn__export_file *file, const glnn__export_numbers *outputs);
    glnn__export_numbers (*begin_classify)(glnn__export_file *file,
                                           const glnn__export_numbers *outputs, int count);

    /* Print the text before the arrays, and between them and the functions of templates/. */
    void (*print_head)(const glnn__export_file *file, const glnn__export_summary *of,
                       glnn__growing_text *to);
    void (*print_scratch)(const glnn__export_file *file, glnn__growing_text *to);
};

/* A template in C that needs the header begins with this. It stands at the head of the file. */
#define GLNN__EXPORT_MATH "#include <math.h>\n\n"

/* The text of a template. */
const char *glnn__export_template(const glnn__export_file *file, const char *name);

/* Prints the first lines of a comment: the name, the learner and the library. */
void glnn__export_print_title(const glnn__export_file *file, const char *what,
                              glnn__growing_text *to);

/* Prints what stands before a number of an array with so many in a line. */
void glnn__export_separate(size_t index, size_t columns, const char *between,
                           glnn__growing_text *to);

#endif
