/* JSON through yajl, such that a lack of memory is a status like any other. */
#ifndef GLNN__IO_SAFETENSORS_JSON_H
#define GLNN__IO_SAFETENSORS_JSON_H

#include <glnn/base.h>

#include <stddef.h>

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

/* Parses a text of UTF-8 and calls `callbacks` with `context`. A callback that returns 0 ends the
 * parsing, which then returns GLNN_OK: the callback keeps its own status. Errors: E_FORMAT the
 * text is not JSON, where the sentence starts with `path`; E_NOMEM. */
glnn_status glnn__json_parse(const char *path, const char *text, size_t size,
                             const yajl_callbacks *callbacks, void *context);

/* Writes a text through `write`. The caller frees *text, which ends in a zero byte. Errors: E_NOMEM. */
glnn_status glnn__json_write(const char *path, void (*write)(yajl_gen to, const void *context),
                             const void *context, char **text, size_t *size);

#endif
