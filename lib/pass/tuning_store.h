/* What was measured on a driver, kept as lines of text beside the programs: one file a driver and
 * version of the library, "key = value" a line. */
#ifndef GLNN__PASS_TUNING_STORE_H
#define GLNN__PASS_TUNING_STORE_H

#include "pass/program.h"

#define GLNN__TUNING_TEXT  512   /* the longest key or value, and its zero             */
#define GLNN__TUNING_LINES 65536 /* of a file; one with more is damaged, and not used   */

/* The value of a key; NULL where none is known. It lives until the next call. */
const char *glnn__tuning_get(glnn_context *ctx, glnn__programs *programs, const char *key);

/* Whether values can be kept on disk. The first call tries it. */
bool glnn__tuning_can_keep(glnn_context *ctx, glnn__programs *programs);

/* Keeps a value, on disk too where there is a folder for it, in place of the `damaged` one that the
 * caller could not read (NULL: there was none). Returns the value that is now known: that of another
 * process which was first to keep one, so that both go on alike. */
const char *glnn__tuning_put(glnn_context *ctx, glnn__programs *programs, const char *key,
                             const char *damaged, const char *value);

void glnn__tuning_forget(glnn__programs *programs);

#endif
