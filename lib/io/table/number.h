/* Numbers as text, with a decimal point in every locale. */
#ifndef GLNN__IO_TABLE_NUMBER_H
#define GLNN__IO_TABLE_NUMBER_H

#include <glnn/base.h>

#include <locale.h>
#include <stdbool.h>

/* The calling thread's stay in the C locale, which the functions of <stdio.h> and <stdlib.h> then
 * follow; other threads are not touched. */
typedef struct glnn__c_locale {
    locale_t own;
    locale_t former;
} glnn__c_locale;

glnn_status glnn__c_locale_enter(glnn__c_locale *locale);
void glnn__c_locale_leave(glnn__c_locale *locale);

typedef enum glnn__number {
    GLNN__NUMBER_NONE,       /* the text is no number                                      */
    GLNN__NUMBER_NOT_FINITE, /* infinity, not-a-number, or too large for a float           */
    GLNN__NUMBER_FINITE
} glnn__number;

/* Reads a whole text as a decimal number, to be called in the C locale; *value is set only where
 * the number is finite. */
glnn__number glnn__number_parse(const char *text, float *value);

/* A text that stands for a missing value: none, "?", "NA", or "nan" in upper or lower case. */
bool glnn__number_is_missing(const char *text);

#endif
