/* Program binaries on disk. If a file is damaged or was written for another driver, the program is
 * compiled and the file replaced. */
#ifndef GLNN__PASS_DISK_CACHE_H
#define GLNN__PASS_DISK_CACHE_H

#include "gl/gl.h"

/* A hash of 128 bits over the driver's names and the shader's text. */
typedef struct glnn__cache_key {
    uint64_t high, low;
} glnn__cache_key;

/* The cache folder of the context, for free(). It is made if it is missing. NULL: the context has
 * none, or it cannot be made. */
char *glnn__disk_cache_folder(const glnn_context *ctx);

glnn__cache_key glnn__disk_cache_key(const glnn_context *ctx, const char *text, size_t size);

/* Loads a linked program. False: the program has to be compiled. `folder` may be NULL. */
bool glnn__disk_cache_load(glnn_context *ctx, const char *folder, const glnn__cache_key *key,
                           GLuint program);

/* Stores a linked program. If that fails, the next run compiles it again. */
void glnn__disk_cache_store(const char *folder, const glnn__cache_key *key, GLuint program);

#endif
