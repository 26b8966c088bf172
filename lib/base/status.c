#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[4096];

glnn_status glnn__fail(glnn_status status, const char *format, ...)
{
    /* The arguments may point into the former sentence, so the new one has a buffer of its own. */
    char sentence[sizeof last_error];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    memcpy(last_error, sentence, sizeof sentence);
    return status;
}

glnn_status glnn__fail_null(const char *function, const char *argument)
{
    return glnn__fail(GLNN_E_ARG, "%s: `%s` is null", function, argument);
}

const char *glnn_last_error(void)
{
    return last_error;
}

#define TEXT_OF(x)                        #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *glnn_version(void)
{
    return VERSION_TEXT(GLNN_VERSION_MAJOR, GLNN_VERSION_MINOR, GLNN_VERSION_PATCH);
}
