/* Calls with null pointers: a function names the argument that is null. */
#ifndef TESTS_NULLS_H
#define TESTS_NULLS_H

#include "world.h"

/* Notes a failure unless the status is E_ARG and the sentence "function: `pointer` is null". */
void expect_null_refused(glnn_status status, const char *function, const char *pointer, int line);

/* Failures so far. */
int nulls_accepted(void);

/* Makes each of up to five variables null in turn, and expects the call to refuse it. The variables
 * have the names of the parameters. The function comes first, so that a tool finds its name. */
#define NEEDS(function, arguments, ...)                                                            \
    NEEDS_OF(__VA_ARGS__, NEEDS5, NEEDS4, NEEDS3, NEEDS2, NEEDS1, 0)                               \
    (function, arguments, __VA_ARGS__)
#define NEEDS_OF(p, q, r, s, t, chosen, ...) chosen
#define NEEDS1(function, arguments, p)                                                             \
    do {                                                                                           \
        void *former = (void *)(p);                                                                \
        p = NULL;                                                                                  \
        expect_null_refused(function arguments, #function, #p, __LINE__);                          \
        p = former;                                                                                \
    } while (0)
#define NEEDS2(function, arguments, p, q)                                                          \
    NEEDS1(function, arguments, p);                                                                \
    NEEDS1(function, arguments, q)
#define NEEDS3(function, arguments, p, q, r)                                                       \
    NEEDS2(function, arguments, p, q);                                                             \
    NEEDS1(function, arguments, r)
#define NEEDS4(function, arguments, p, q, r, s)                                                    \
    NEEDS3(function, arguments, p, q, r);                                                          \
    NEEDS1(function, arguments, s)
#define NEEDS5(function, arguments, p, q, r, s, t)                                                 \
    NEEDS4(function, arguments, p, q, r, s);                                                       \
    NEEDS1(function, arguments, t)

#endif
