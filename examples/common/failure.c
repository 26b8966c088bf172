#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static char sentence[2048];

bool refuse(const char *format, ...)
{
    char text[sizeof sentence];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* The arguments may include failure(), so the old sentence has to stay until here. */
    snprintf(sentence, sizeof sentence, "%s", text);
    return false;
}

int output_status(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SUCCESS;
    fprintf(stderr, "error: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_FAILURE;
}

const char *failure(void)
{
    return sentence;
}
