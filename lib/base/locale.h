/* The C locale, in which numbers have a decimal point. */
#ifndef GLNN__BASE_LOCALE_H
#define GLNN__BASE_LOCALE_H

#include <glnn/base.h>

/* Switches the calling thread to the C locale, which the functions of <stdio.h> and <stdlib.h> then
 * use. Other threads keep theirs. */
typedef struct glnn__c_locale {
    void *own, *former; /* of the system */
} glnn__c_locale;

glnn_status glnn__c_locale_enter(glnn__c_locale *locale);
void glnn__c_locale_leave(glnn__c_locale *locale);

#endif
