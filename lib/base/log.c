#include "base/log.h"

#include "base/names.h"
#include "base/thread.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const level_names[GLNN_LOG_LEVEL_COUNT] = {
    [GLNN_LOG_ERROR] = "error", [GLNN_LOG_WARNING] = "warning",   [GLNN_LOG_INFO] = "info",
    [GLNN_LOG_TRACE] = "trace", [GLNN_LOG_PROGRESS] = "progress",
};

GLNN__DEFINE_NAMES(glnn_log_level, level_names)

static void log_to_standard_error(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    if (level == GLNN_LOG_TRACE)
        fprintf(stderr, "%s\n", message);
    else if (level == GLNN_LOG_ERROR || level == GLNN_LOG_WARNING)
        fprintf(stderr, "glnn: %s: %s\n", glnn_log_level_name(level), message);
}

static glnn_log_fn log_function = log_to_standard_error;
static void *log_user;

static glnn__mutex mutex = GLNN__MUTEX;

/* Of the calling thread. A log function that calls the library against its contract does not hang.
 */
static _Thread_local int locks;

static void lock(void)
{
    if (locks++ == 0)
        glnn__mutex_lock(&mutex);
}

static void unlock(void)
{
    if (--locks == 0)
        glnn__mutex_unlock(&mutex);
}

void glnn_log_set(glnn_log_fn log, void *user)
{
    lock();
    log_function = log ? log : log_to_standard_error;
    log_user = user;
    unlock();
}

void glnn__log(glnn_log_level level, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lock();
    log_function(log_user, level, message);
    unlock();
}

void glnn_log_write(glnn_log_level level, const char *message)
{
    if (message)
        glnn__log(level, "%s", message);
}
