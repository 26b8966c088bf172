/* Program binaries on disk. A file that is damaged, foreign or from another driver is not used; the
 * program is then compiled and the file written anew. */
#ifndef GLNN__PASS_DISK_CACHE_H
#define GLNN__PASS_DISK_CACHE_H

#include "gl/gl.h"

/* 128 bits over the driver's names and the shader's text. */
typedef struct glnn__cache_key {
    uint64_t high, low;
} glnn__cache_key;

/* The folder for the context's cache, made if it is missing; freed by the caller. NULL if
 * there is none. */
char *glnn__disk_cache_folder(const glnn_context *ctx);

glnn__cache_key glnn__disk_cache_key(const glnn_context *ctx, const char *text, size_t size);

/* Loads and links; false if the program has to be compiled. `folder` may be NULL. */
bool glnn__disk_cache_load(glnn_context *ctx, const char *folder, const glnn__cache_key *key,
                           GLuint program);

/* Stores a linked program. A failure is silent: the next run compiles again. */
void glnn__disk_cache_store(const char *folder, const glnn__cache_key *key, GLuint program);

#endif
