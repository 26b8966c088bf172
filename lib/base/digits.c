#include "base/digits.h"

#include <stdio.h>
#include <stdlib.h>

/* Floats are exact with 9 digits, doubles with 17. */
enum { LEAST_DIGITS = 6, FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 };

const char *glnn__digits_of_float(float value, char text[GLNN__DIGITS_TEXT])
{
    int digits = LEAST_DIGITS;
    do
        snprintf(text, GLNN__DIGITS_TEXT, "%.*g", digits, (double)value);
    while (digits++ < FLOAT_DIGITS && strtof(text, NULL) != value);
    return text;
}

const char *glnn__digits_of_double(double value, char text[GLNN__DIGITS_TEXT])
{
    int digits = LEAST_DIGITS;
    do
        snprintf(text, GLNN__DIGITS_TEXT, "%.*g", digits, value);
    while (digits++ < DOUBLE_DIGITS && strtod(text, NULL) != value);
    return text;
}
