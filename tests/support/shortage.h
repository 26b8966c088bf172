/* An allocator that fails when it is told to, for the one program that includes this. */
#ifndef TESTS_SHORTAGE_H
#define TESTS_SHORTAGE_H

#include "support.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* OWN_ALLOCATOR: the address sanitizer has its own allocator, which this must not replace. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define OWN_ALLOCATOR
#endif

/* Which of this thread's allocations fail. */
typedef struct shortage {
    bool is_armed;
    bool lasts;           /* those after the first one fail, too                            */
    bool of_library_only; /* those of OpenGL succeed: drivers end the process without memory */
    int before;           /* that succeed                                                    */
    int failures;
    int kept;       /* allocations that were not given back so far */
    bool is_paused; /* allocations are not counted in `made` */
    int made;       /* allocations so far that OpenGL did not make */
} shortage;

static _Thread_local shortage now;

#ifndef OWN_ALLOCATOR

extern const char __executable_start, etext;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *bytes, size_t size);
void __libc_free(void *bytes);

static bool fails(const void *caller)
{
    const char *code = caller;
    const bool is_foreign = code < &__executable_start || code > &etext;
    now.made += !is_foreign && !now.is_paused;
    if (!now.is_armed || (now.of_library_only && is_foreign))
        return false;
    if (now.before-- > 0)
        return false;
    now.is_armed = now.lasts;
    ++now.failures;
    errno = ENOMEM;
    return true;
}

static void *keep(void *bytes)
{
    now.kept += bytes != NULL;
    return bytes;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : keep(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : keep(__libc_calloc(count, size));
}

void *realloc(void *bytes, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return NULL;
    return bytes ? __libc_realloc(bytes, size) : keep(__libc_realloc(NULL, size));
}

void free(void *bytes)
{
    now.kept -= bytes != NULL;
    __libc_free(bytes);
}

#endif

/* Repeats a call while one of its allocations fails, each of them in turn: it says so and keeps
 * nothing. It makes at least so many. */
static inline void shortage_try_each(glnn_status (*call)(const char *path), const char *path,
                                     int least)
{
    int before = 0;
    for (bool is_short = true; is_short; ++before) {
        now = (shortage){.is_armed = true, .before = before};
        const glnn_status status = call(path);
        now.is_armed = false;
        is_short = now.failures > 0;
        if (status != (is_short ? GLNN_E_NOMEM : GLNN_OK))
            fail_msg("%s after %d allocations: %s", glnn_status_name(status), before,
                     glnn_last_error());
        assert_int_equal(now.kept, 0);
    }
    assert_true(before > least);
}

#endif
