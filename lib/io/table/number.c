#include "io/table/number.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

glnn_status glnn__c_locale_enter(glnn__c_locale *locale)
{
    locale->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale->own)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the C locale");
    locale->former = uselocale(locale->own);
    return GLNN_OK;
}

void glnn__c_locale_leave(glnn__c_locale *locale)
{
    uselocale(locale->former);
    freelocale(locale->own);
}

static glnn__number parse_without_digits(const char *text)
{
    text += *text == '+' || *text == '-';
    if (!strcasecmp(text, "inf") || !strcasecmp(text, "infinity") || !strcasecmp(text, "nan"))
        return GLNN__NUMBER_NOT_FINITE;
    return GLNN__NUMBER_NONE;
}

glnn__number glnn__number_parse(const char *text, float *value)
{
    /* strtof would also accept leading blanks and hexadecimal numbers. */
    if (text[strspn(text, "0123456789+-.eE")] != 0)
        return parse_without_digits(text);
    char *end;
    float number = strtof(text, &end);
    if (end == text || *end != 0)
        return GLNN__NUMBER_NONE;
    if (!isfinite(number))
        return GLNN__NUMBER_NOT_FINITE;
    *value = number;
    return GLNN__NUMBER_FINITE;
}

bool glnn__number_is_missing(const char *text)
{
    return text[0] == 0 || !strcmp(text, "?") || !strcmp(text, "NA") || !strcasecmp(text, "nan");
}
