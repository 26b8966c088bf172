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

/* The types of elements that are read. */
typedef enum glnn__element {
    GLNN__ELEMENT_OTHER,
    GLNN__ELEMENT_FLOAT32,
    GLNN__ELEMENT_FLOAT16, /* IEEE 754 binary16                   */
    GLNN__ELEMENT_BFLOAT16 /* the upper half of a float32          */
} glnn__element;

/* An array of any type in a header. */
typedef struct glnn__header_array {
    glnn_tensor tensor;    /* without data; its dimensions are 0 if they are too many */
    size_t begin, end;     /* in the bytes after the header                           */
    const char *type;      /* its name in the format, such as "F32"                   */
    glnn__element element; /* OTHER also if there are too many dimensions             */
    size_t dimensions;     /* all of them                                             */
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

/* As the public functions, for other arguments than null or negative ones. The sentence of an error
 * begins with the path. */
glnn_status glnn__safetensors_read(const char *path, glnn_safetensors **out);
glnn_status glnn__safetensors_write(const char *path, const glnn_tensor *tensors, size_t count,
                                    const glnn_metadata *metadata, size_t metadata_count);

/* Finds an array by its name. Errors: E_FORMAT there is none that is read. */
glnn_status glnn__safetensors_find(const glnn_safetensors *file, const char *path, const char *name,
                                   const glnn_tensor **out);

/* As glnn__safetensors_write, but the former file stays as glnn__file_replace_keeping says. */
glnn_status glnn__safetensors_write_keeping(const char *path, const glnn_tensor *tensors,
                                            size_t count, const glnn_metadata *metadata,
                                            size_t metadata_count);

/* Compares the keys of two glnn_metadata. */
int glnn__metadata_compare(const void *left, const void *right);

#endif
