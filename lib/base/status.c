#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
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

static bool is_public(const char *function)
{
    return strncmp(function, "glnn_", 5) == 0 && function[5] != '_';
}

/* The sentence after the public function that it begins with, if it does. */
static const char *without_function(const char *sentence)
{
    const size_t length = strspn(sentence, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return is_public(sentence) && strncmp(sentence + length, ": ", 2) == 0 ? sentence + length + 2
                                                                           : sentence;
}

glnn_status glnn__fail_in(const char *function, glnn_status status)
{
    if (status == GLNN_OK || !is_public(function))
        return status;
    return glnn__fail(status, "%s: %s", function, without_function(last_error));
}

const char *glnn__last_sentence(void)
{
    return without_function(last_error);
}

const char *glnn_last_error(void)
{
    return last_error;
}

glnn_status glnn_last_error_set(glnn_status status, const char *sentence)
{
    GLNN__NOT_NULL(sentence);
    return glnn__fail(status, "%s", sentence);
}

#define TEXT_OF(x)                        #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *glnn_version(void)
{
    return VERSION_TEXT(GLNN_VERSION_MAJOR, GLNN_VERSION_MINOR, GLNN_VERSION_PATCH);
}
