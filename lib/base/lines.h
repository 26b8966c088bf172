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

/* A line for a sentence: "none" in place of an empty one. */
const char *glnn__line_or_none(const char *line);

#endif
