/* glnn/base.h - status codes, the last error, log messages, the library's version
 *
 * Every fallible call of libglnn returns a glnn_status. GLNN_OK is zero, so `if (status)` reads
 * "if it failed". The sentence that goes with a failure, with the names and sizes in it, is kept
 * per thread and returned by glnn_last_error(). */
#ifndef GLNN_BASE_H
#define GLNN_BASE_H

#ifdef __cplusplus
extern "C" {
#endif

#define GLNN_VERSION_MAJOR 0
#define GLNN_VERSION_MINOR 2
#define GLNN_VERSION_PATCH 0

#if defined(__GNUC__)
#define GLNN_API __attribute__((visibility("default")))
#else
#define GLNN_API
#endif

/* Status codes. The list only grows at its end, so that a number keeps its meaning. */
typedef enum glnn_status {
    GLNN_OK = 0,
    GLNN_E_ARG,         /* an argument is null, unknown or contradicts another            */
    GLNN_E_SHAPE,       /* rows or columns do not fit together                            */
    GLNN_E_LIMIT,       /* a limit of the device or of the caller's budget is exceeded    */
    GLNN_E_NOMEM,       /* main memory or texture memory ran out                          */
    GLNN_E_UNSUPPORTED, /* the OpenGL at hand or this build of libglnn lacks what is needed */
    GLNN_E_GL,          /* OpenGL reported an error                                       */
    GLNN_E_SHADER,      /* a shader does not compile or link                              */
    GLNN_E_IO,          /* a file cannot be opened, read or written                       */
    GLNN_E_FORMAT,      /* a file's content is damaged or of another kind                 */
    GLNN_E_STATE,       /* the call does not fit the object's state or the calling thread */
    GLNN_E_DIVERGED,    /* a loss or a result is not a finite number                      */
    GLNN_STATUS_COUNT
} glnn_status;

/* The name of a status code: "GLNN_E_SHAPE" for GLNN_E_SHAPE, "unknown status" past the list.
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_status_name(glnn_status status);

/* The sentence that explains the calling thread's most recent failure; "" before the first.
 * Owner: the library; valid until the thread's next failing call. Thread: any. Since 0.1 */
GLNN_API const char *glnn_last_error(void);

/* The version of the library that is linked, as "major.minor.patch".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_version(void);

typedef enum glnn_log_level {
    GLNN_LOG_ERROR,   /* something failed; a status says so too                */
    GLNN_LOG_WARNING, /* the call went on, but the caller will want to know    */
    GLNN_LOG_INFO,    /* what was chosen: the device, a cache that was rebuilt */
    GLNN_LOG_TRACE,   /* one line a pass, only under GLNN_TRACE=1              */
    GLNN_LOG_PROGRESS /* what the call is about to wait for: "compiling 14 programs" */
} glnn_log_level;

/* Receives one message without a newline; `message` is valid during the call only. It must not
 * call back into the library. OpenGL's debug output (KHR_debug) arrives here as well. */
typedef void (*glnn_log_fn)(void *user, glnn_log_level level, const char *message);

/* Sends the messages of the whole process to `log`; NULL restores the default, which writes
 * warnings, errors and trace lines to standard error and drops the rest.
 * Owner: `user` stays the caller's and must outlive the setting.
 * Thread: any, but not while another thread is inside the library. Since 0.1 */
GLNN_API void glnn_log_set(glnn_log_fn log, void *user);

#ifdef __cplusplus
}
#endif
#endif
