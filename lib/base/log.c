#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static void log_to_standard_error(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    static const char *const prefixes[] = {
        [GLNN_LOG_ERROR] = "glnn: error: ",
        [GLNN_LOG_WARNING] = "glnn: warning: ",
        [GLNN_LOG_TRACE] = "",
    };
    if (level != GLNN_LOG_INFO && level != GLNN_LOG_PROGRESS)
        fprintf(stderr, "%s%s\n", prefixes[level], message);
}

static glnn_log_fn log_function = log_to_standard_error;
static void *log_user;

void glnn_log_set(glnn_log_fn log, void *user)
{
    log_function = log ? log : log_to_standard_error;
    log_user = user;
}

void glnn__log(glnn_log_level level, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_function(log_user, level, message);
}
