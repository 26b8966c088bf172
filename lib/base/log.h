/* Messages to the caller's log. */
#ifndef GLNN__BASE_LOG_H
#define GLNN__BASE_LOG_H

#include <glnn/base.h>

__attribute__((format(printf, 2, 3))) void glnn__log(glnn_log_level level, const char *format, ...);

#endif
