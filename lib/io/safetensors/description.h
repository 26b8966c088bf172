/* The description of a learner as texts of a safetensors file. They are written and read in the C
 * locale (io/table/number.h), which the caller enters. */
#ifndef GLNN__IO_SAFETENSORS_DESCRIPTION_H
#define GLNN__IO_SAFETENSORS_DESCRIPTION_H

#include <glnn/safetensors.h>

#include <stdbool.h>
#include <stdint.h>

#define GLNN__MAX_TEXTS   32
#define GLNN__TEXT_LENGTH 512

/* Texts on their way to a file; the entries point into `values`, and keys are the caller's. */
typedef struct glnn__texts {
    glnn_metadata entries[GLNN__MAX_TEXTS];
    char values[GLNN__MAX_TEXTS][GLNN__TEXT_LENGTH];
    int count;
} glnn__texts;

__attribute__((format(printf, 3, 4))) void glnn__texts_add(glnn__texts *texts, const char *key,
                                                           const char *format, ...);

/* A file while it is read. */
typedef struct glnn__described_file {
    const char *path;
    const char *what; /* it should hold, for error sentences: "network" */
    glnn_safetensors *file;
} glnn__described_file;

/* E_FORMAT for a text that is missing, or that should be `wanted`. */
glnn_status glnn__read_fail(const glnn__described_file *in, const char *key, const char *wanted);

/* The text under a key, as it is told; E_FORMAT where it is missing or something else. */
glnn_status glnn__read_expect(const glnn__described_file *in, const char *key, const char *wanted);
glnn_status glnn__read_count(const glnn__described_file *in, const char *key, uint64_t *value);
glnn_status glnn__read_int(const glnn__described_file *in, const char *key, int least, int *value);
glnn_status glnn__read_choice(const glnn__described_file *in, const char *key,
                              const char *const *names, int count, int *choice);
/* In [0, limit). */
glnn_status glnn__read_float(const glnn__described_file *in, const char *key, float limit,
                             float *value);

/* In [0, infinity), with all digits of a double. */
glnn_status glnn__read_double(const glnn__described_file *in, const char *key, double *value);

/* A decimal number without a sign, of at most `limit`. */
bool glnn__parse_count(const char *text, uint64_t limit, uint64_t *value);

/* Numbers that stand in a struct as floats, each in [0, limit). */
typedef struct glnn__described_number {
    const char *key;
    size_t offset;
    float limit;
} glnn__described_number;

void glnn__texts_add_numbers(glnn__texts *texts, const glnn__described_number *numbers, int count,
                             const void *from);
glnn_status glnn__read_numbers(const glnn__described_file *in,
                               const glnn__described_number *numbers, int count, void *into);

#endif
