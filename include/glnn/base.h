/** @file
 *  @ingroup glnn_base
 *  @brief Status codes, the last error, log messages and the version.
 *
 *  Every call that can fail returns a ::glnn_status. GLNN_OK is zero, so `if (status)` reads "if it
 *  failed". The library keeps the sentence that explains a failure, with names and sizes, for the
 *  calling thread; glnn_last_error() returns it.
 *
 *  Each public enumeration has two functions. `glnn_<noun>_name` returns the name of a value, and
 *  "unknown" for a number that is not in the list. `glnn_<noun>_from_name` finds the value of a
 *  name; it fails with GLNN_E_ARG if the name or `out` is null or the name is unknown, and then
 *  leaves `*out` unchanged. Files, command lines and environment variables use the same names. Both
 *  functions can be called from any thread, and the library owns the names.
 *
 *  Most structures that the library fills begin with a member `size`; the header says so where one
 *  does not. The caller sets it to the size of the structure before the call. The library fills no
 *  more than that, so that later versions can add members at the end:
 *
 *      glnn_context_info info = {.size = sizeof info};
 *      glnn_status status = glnn_context_get_info(ctx, &info);
 *
 *  A `size` that no version up to this one had fails with GLNN_E_ARG.
 *
 *  Structures of options, the *descriptions*, keep their size as long as the soname stays. They end
 *  with a member `reserved`, which must be zeros, as in every description that is initialised by
 *  `{0}` or by names of members. Later versions put new members there, and zeros then mean what the
 *  library did before. So programs and bindings that know fewer members than the library need no
 *  change. In the opposite case, a number in `reserved` that the library does not know is refused
 *  with GLNN_E_ARG. This holds for descriptions within others, too. The small structures
 *  ::glnn_shape, ::glnn_size and ::glnn_rect never change.
 *
 *  A function whose thread is "the context's own" must be called from the thread that has the
 *  context: the one that created it, unless the program has moved it (see glnn/context.h). */
#ifndef GLNN_BASE_H
#define GLNN_BASE_H

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_base
 *  @{ */

#define GLNN_VERSION_MAJOR 0 /**< the first number of the version */
#define GLNN_VERSION_MINOR 3 /**< the second number; the soname has both */
#define GLNN_VERSION_PATCH 0 /**< the third number */

/** Marks a function that the shared library exports. */
#if defined(__GNUC__)
#define GLNN_API __attribute__((visibility("default")))
#else
#define GLNN_API
#endif

/** The shape of a sample. Its numbers are ordered by channel, then by row, then by column. */
typedef struct glnn_shape {
    int channels; /**< at least 1 */
    int height;   /**< rows       */
    int width;    /**< columns    */
} glnn_shape;

/** Status codes. New codes are added at the end, so a number keeps its meaning. */
typedef enum glnn_status {
    GLNN_OK = 0,        /**< success                                                      */
    GLNN_E_ARG,         /**< an argument is null, unknown or contradicts another          */
    GLNN_E_SHAPE,       /**< rows or columns do not fit together                          */
    GLNN_E_LIMIT,       /**< a limit of the device, the library or the caller is exceeded */
    GLNN_E_NOMEM,       /**< main memory or texture memory ran out                        */
    GLNN_E_UNSUPPORTED, /**< OpenGL or this build of the library lacks a feature          */
    GLNN_E_GL,          /**< OpenGL reported an error                                     */
    GLNN_E_SHADER,      /**< a shader does not compile or link                            */
    GLNN_E_IO,          /**< a file cannot be opened, read or written                     */
    GLNN_E_FORMAT,      /**< the content of a file is damaged or of another kind          */
    GLNN_E_STATE,       /**< the object or the calling thread is not in a state for the call */
    GLNN_E_DIVERGED,    /**< a loss or a result is not finite                             */
    GLNN_E_PROCESS,     /**< another process of a training failed or does not answer      */
    GLNN_E_DEVICE_LOST, /**< the device was reset or removed, and all matrices of the context are
                             lost: see @ref device_loss "device loss"                     */
    GLNN_STATUS_COUNT
} glnn_status;

/** The name of a status code as it is spelled in C: "GLNN_E_SHAPE" for GLNN_E_SHAPE. @since 0.1 */
GLNN_API const char *glnn_status_name(glnn_status status);

/** The status code with a name. @since 0.2 */
GLNN_API glnn_status glnn_status_from_name(const char *name, glnn_status *out);

/** The sentence that explains the calling thread's most recent failure; "" before the first.
 *
 * @owner  the library; valid until the thread's next failing call.
 * @thread any.
 * @since  0.1 */
GLNN_API const char *glnn_last_error(void);

/** Sets the calling thread's sentence for glnn_last_error(), and returns `status`.
 *
 * Libraries that extend this one report their failures with it:
 *
 *     return glnn_last_error_set(GLNN_E_IO, "own_read: the file is empty");
 *
 * Sentences of more than 4095 bytes are cut.
 *
 * @errors
 *   - GLNN_E_ARG: `sentence` is null.
 *   - All others: they are the caller's.
 * @thread any.
 * @since  0.2 */
GLNN_API glnn_status glnn_last_error_set(glnn_status status, const char *sentence);

/** The version of the library that the program runs with, as "major.minor.patch".
 *
 * @owner  the library.
 * @thread any.
 * @since  0.1 */
GLNN_API const char *glnn_version(void);

/** Kinds of log messages. */
typedef enum glnn_log_level {
    GLNN_LOG_ERROR,    /**< something failed; a status reports it too                     */
    GLNN_LOG_WARNING,  /**< the call continued, but the caller should know                */
    GLNN_LOG_INFO,     /**< a choice of the library: the device, a cache that was rebuilt */
    GLNN_LOG_TRACE,    /**< each pass, if the environment has `GLNN_TRACE=1`              */
    GLNN_LOG_PROGRESS, /**< the call is about to wait: "compiling 14 programs"            */
    GLNN_LOG_LEVEL_COUNT
} glnn_log_level;

/** The name of a level: "error", "warning", "info", "trace", "progress". @since 0.2 */
GLNN_API const char *glnn_log_level_name(glnn_log_level level);

/** The level with a name. @since 0.2 */
GLNN_API glnn_status glnn_log_level_from_name(const char *name, glnn_log_level *out);

/** Receives one message without a newline. `message` is valid during the call only.
 *
 * The function must not call the library. Most messages come from the thread whose call they
 * concern. Messages of OpenGL's debug output may come from threads of the driver, at any time from
 * the creation of a context to the end of its destruction. In a debug context
 * (glnn_context_desc::debug) they too come from the calling thread. The library never calls the
 * function twice at the same time. */
typedef void (*glnn_log_fn)(void *user, glnn_log_level level, const char *message);

/** Sends the messages of the whole process to `log`.
 *
 * NULL restores the default, which writes errors, warnings and trace lines to standard error and
 * drops the others. The call waits until the former function has returned; after that, the library
 * does not call it again.
 *
 * @param  user passed to each call of `log`.
 * @owner  `user` stays the caller's and must exist until another function is set.
 * @thread any.
 * @since  0.1 */
GLNN_API void glnn_log_set(glnn_log_fn log, void *user);

/** Sends a message to the log of the process, as the library does itself.
 *
 * It is for libraries that extend this one. A log function must not call it. NULL is ignored.
 * Messages of more than 4095 bytes are cut.
 *
 * @thread any.
 * @since  0.2 */
GLNN_API void glnn_log_write(glnn_log_level level, const char *message);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
