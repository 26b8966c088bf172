/* Texts of lines with a name, "=" and a value. */
#ifndef GLNN__BASE_LINES_H
#define GLNN__BASE_LINES_H

/* Characters of the first line of a text. */
int glnn__line_length(const char *text);

/* The line of a text with the name of this line; "": there is none. */
const char *glnn__line_find(const char *text, const char *line);

/* The first line that the other text does not have as well; NULL: it has all. */
const char *glnn__line_difference(const char *text, const char *other);

/* The subject of a line whose name is "checksum of SUBJECT"; NULL: it has another name. */
const char *glnn__line_summed(const char *line, int *length);

/* Writes the first line of a text for a sentence, or "none" if it is empty. Floats, which the texts
 * have with nine digits, get as few as they need. Returns `out`. */
enum { GLNN__LINE_SHOWN = 1024 };
const char *glnn__line_show(const char *text, char out[GLNN__LINE_SHOWN]);

#endif
