#include "base/locale.h"

#include "base/status.h"

#include <locale.h>
#include <stddef.h>

glnn_status glnn__c_locale_enter(glnn__c_locale *locale)
{
    locale->own = newlocale(LC_ALL_MASK, "C", NULL);
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
