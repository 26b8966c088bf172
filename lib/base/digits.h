/* Numbers with few digits, in the locale of the calling thread. */
#ifndef GLNN__BASE_DIGITS_H
#define GLNN__BASE_DIGITS_H

enum { GLNN__DIGITS_TEXT = 32 };

/* Writes the number with the fewest digits, at least six, from which a float or a double is read
 * back; returns `text`. */
const char *glnn__digits_of_float(float value, char text[GLNN__DIGITS_TEXT]);
const char *glnn__digits_of_double(double value, char text[GLNN__DIGITS_TEXT]);

#endif
