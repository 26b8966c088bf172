#include "failure.h"

#include <stdarg.h>

static char sentence[2048];

bool refuse(const char *format, ...)
{
    char text[sizeof sentence];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* The arguments may include failure() itself, so the former sentence lives until here. */
    snprintf(sentence, sizeof sentence, "%s", text);
    return false;
}

const char *failure(void)
{
    return sentence;
}
