/* The files of shaders/. The build writes them into the library. */
#ifndef GLNN__PASS_EMBEDDED_H
#define GLNN__PASS_EMBEDDED_H

#include <stddef.h>

typedef struct glnn__embedded_file {
    const char *name;          /* relative to shaders/ */
    const unsigned char *text; /* followed by a zero byte */
} glnn__embedded_file;

extern const glnn__embedded_file glnn__embedded_files[];
extern const size_t glnn__embedded_file_count;

/* The text of a file, or NULL. */
const char *glnn__embedded_text(const char *name);

#endif
