/* The header of safetensors, for reading and writing. */
#ifndef GLNN__IO_SAFETENSORS_SAFETENSORS_H
#define GLNN__IO_SAFETENSORS_SAFETENSORS_H

#include <glnn/safetensors.h>

#include <stdbool.h>

/* The key of the metadata in the header. */
#define GLNN__METADATA_KEY "__metadata__"

/* The longest header that the format allows, in bytes. */
#define GLNN__HEADER_LIMIT 100000000

/* Bytes before the header, which have its length. */
#define GLNN__HEADER_START 8

/* An array of any type in a header. */
typedef struct glnn__header_array {
    glnn_tensor tensor; /* without data                           */
    size_t begin, end;  /* in the bytes after the header         */
    bool is_readable;   /* float32 of few enough dimensions       */
} glnn__header_array;

/* Names, keys and texts point into the text of the header. */
typedef struct glnn__header {
    glnn__header_array *arrays; /* in the order of their data             */
    size_t array_count;
    glnn_metadata *texts; /* in the order of their keys             */
    size_t text_count;
} glnn__header;

/* Reads the JSON of a header, and checks that its arrays cover the `data_size` bytes after it. The
 * text is changed, and the header points into it. On failure *out is empty.
 * Errors: E_FORMAT, E_NOMEM. */
glnn_status glnn__header_read(const char *path, char *text, size_t size, size_t data_size,
                              glnn__header *out);

void glnn__header_free(glnn__header *header);

/* As glnn_safetensors_write, but the former file stays as glnn__file_replace_keeping says. */
glnn_status glnn__safetensors_write_keeping(const char *path, const glnn_tensor *tensors,
                                            size_t count, const glnn_metadata *metadata,
                                            size_t metadata_count);

/* Compares the keys of two glnn_metadata. */
int glnn__metadata_compare(const void *left, const void *right);

#endif
