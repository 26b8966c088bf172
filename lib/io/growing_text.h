/* Texts that are printed piece by piece. */
#ifndef GLNN__IO_GROWING_TEXT_H
#define GLNN__IO_GROWING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Starts as zeros; the text is for free(). */
typedef struct glnn__growing_text {
    char *text; /* ends in a zero byte                       */
    size_t size, capacity;
    bool is_cut; /* a piece is missing, for lack of memory   */
} glnn__growing_text;

/* Appends a piece, as printf has it. */
__attribute__((format(printf, 2, 3))) void glnn__text_print(glnn__growing_text *to,
                                                            const char *format, ...);

#endif
