/* The option that a user may have meant by an unknown word. */
#ifndef EXAMPLES_SUGGESTION_H
#define EXAMPLES_SUGGESTION_H

#include "options.h"

enum { SUGGESTION_TEXT = 256 };

/* Writes the end of a sentence about a word that is not an option, such as "; did you mean
 * --rate?", or nothing. The suggestion means the same thing, or has nearly the same letters. */
void suggest_option(const option_table *table, const char *word, char out[SUGGESTION_TEXT]);

/* The same about a word that is not a choice of an option, such as "; did you mean glvq?". */
void suggest_choice(const option_row *row, const char *word, char out[SUGGESTION_TEXT]);

/* Writes the options that begin with a word: "--label, --labels". Returns their number. */
int list_options(const option_table *table, const char *word, char out[SUGGESTION_TEXT]);

#endif
