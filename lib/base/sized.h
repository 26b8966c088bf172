/* Structures that a caller allocates and the library fills. Their first member is a size_t `size`.
 * The caller sets it to the size that the structure has in the header that it was compiled with.
 * The library fills no more than that, so later versions can add members at the end. */
#ifndef GLNN__BASE_SIZED_H
#define GLNN__BASE_SIZED_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Refuses a size that no version of the structure had, with E_ARG: below `least`, that of the first
 * version, or above `size`, that of this one. */
glnn_status glnn__sized_check(const char *function, const char *type, size_t given, size_t least,
                              size_t size);

/* Copies `filled`, which has `size` bytes, to `out`, but no more than the size that is set there.
 * The size itself stays. */
void glnn__sized_fill(void *out, const void *filled, size_t size);

/* Checks the structure that `out` points to. `last` is the last member of its first version, also
 * after others have followed. */
#define GLNN__SIZED_CHECK(type, last, out)                                                         \
    glnn__sized_check(__func__, #type, (out)->size,                                                \
                      offsetof(type, last) + sizeof((type *)0)->last, sizeof(type))

/* Descriptions, which a caller fills, end with `reserved`, where later versions put new members.
 * Refuses a description with a number there, with E_ARG and a sentence that begins with the type:
 * it may be a member that this version does not know. */
glnn_status glnn__reserved_check(const char *type, const void *reserved, size_t size);

/* Checks the description that `desc` points to. */
#define GLNN__RESERVED_CHECK(type, desc)                                                           \
    glnn__reserved_check(#type, (desc)->reserved, sizeof(desc)->reserved)

#endif
