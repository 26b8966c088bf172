/* Texts that grow as they are printed. */
#ifndef GLNN__IO_GROWING_TEXT_H
#define GLNN__IO_GROWING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros at the start. The caller frees the text. */
typedef struct glnn__growing_text {
    char *text; /* ends in a zero byte                       */
    size_t size, capacity;
    bool is_cut; /* memory ran out, so a part is missing      */
} glnn__growing_text;

/* Appends a text, as printf would print it. */
__attribute__((format(printf, 2, 3))) void glnn__text_print(glnn__growing_text *to,
                                                            const char *format, ...);

#endif
