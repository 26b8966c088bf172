/* Numbers as text, with a decimal point in every locale. */
#ifndef GLNN__IO_TABLE_NUMBER_H
#define GLNN__IO_TABLE_NUMBER_H

#include <glnn/base.h>

#include <locale.h>
#include <stdbool.h>

/* Switches the calling thread to the C locale, which the functions of <stdio.h> and <stdlib.h> then
 * use. Other threads keep theirs. */
typedef struct glnn__c_locale {
    locale_t own;
    locale_t former;
} glnn__c_locale;

glnn_status glnn__c_locale_enter(glnn__c_locale *locale);
void glnn__c_locale_leave(glnn__c_locale *locale);

typedef enum glnn__number {
    GLNN__NUMBER_NONE,       /* the text is not a number                                   */
    GLNN__NUMBER_NOT_FINITE, /* infinity, NaN, or too large for a float                    */
    GLNN__NUMBER_FINITE
} glnn__number;

/* Reads a whole text as a decimal number, in the C locale. Sets *value only if the number is
 * finite. */
glnn__number glnn__number_parse(const char *text, float *value);

/* Whether a text means a missing value: it is empty, "?", "NA", or "nan" in upper or lower case. */
bool glnn__number_is_missing(const char *text);

#endif
