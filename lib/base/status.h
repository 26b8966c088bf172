/* Failing with a sentence. */
#ifndef GLNN__BASE_STATUS_H
#define GLNN__BASE_STATUS_H

#include <glnn/base.h>

/* Stores the sentence for glnn_last_error() and returns `status`, so that a check reads
 * `return glnn__fail(GLNN_E_SHAPE, "...", ...)`. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__fail(glnn_status status, const char *format,
                                                             ...);

/* Fails with E_ARG because an argument of a public function is null. */
glnn_status glnn__fail_null(const char *function, const char *argument);

/* Fails with E_ARG where the argument is null, in a public function. */
#define GLNN__NOT_NULL(argument)                                                                   \
    do {                                                                                           \
        if (!(argument))                                                                           \
            return glnn__fail_null(__func__, #argument);                                           \
    } while (0)

/* If `status` is an error and `function` is public, the sentence begins with that function after
 * this call. Another public function that it began with is replaced, because the caller knows only
 * the one that it called. Returns `status`. */
glnn_status glnn__fail_in(const char *function, glnn_status status);

/* The sentence of the last error without the public function that it begins with. */
const char *glnn__last_sentence(void);

/* Returns from the enclosing function when `call` fails. */
#define GLNN__TRY(call)                                                                            \
    do {                                                                                           \
        glnn_status glnn__try_status = (call);                                                     \
        if (glnn__try_status != GLNN_OK)                                                           \
            return glnn__try_status;                                                               \
    } while (0)

#endif
