/* Names that are nearly the same. */
#ifndef GLNN__BASE_SIMILAR_H
#define GLNN__BASE_SIMILAR_H

#include <stddef.h>

/* The name of a list that a misspelt one probably means: it differs in few letters, and in small
 * and capital ones. NULL: none is similar. */
const char *glnn__similar_name(const char *name, char *const *names, size_t count);

#endif
