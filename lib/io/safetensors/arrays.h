/* The arrays of a learner's file. A learner lists them once: saving fills them, loading finds them
 * in the file and checks their sizes. */
#ifndef GLNN__IO_SAFETENSORS_ARRAYS_H
#define GLNN__IO_SAFETENSORS_ARRAYS_H

#include "io/safetensors/description.h"

/* The most arrays of a file, and the longest name with its zero. */
enum { GLNN__MAX_ARRAYS = 136, GLNN__ARRAY_NAME = 48 };

/* Starts as zeros; the tensors point into it, so it is not copied. */
typedef struct glnn__arrays {
    int count;
    glnn_tensor tensors[GLNN__MAX_ARRAYS];
    char names[GLNN__MAX_ARRAYS][GLNN__ARRAY_NAME];
    float *values[GLNN__MAX_ARRAYS]; /* of each array, once there is room */
} glnn__arrays;

/* Adds an array of such sizes; the name follows as for printf. */
__attribute__((format(printf, 4, 5))) void
glnn__arrays_add(glnn__arrays *arrays, int dimensions, const size_t *size, const char *name, ...);

/* Makes room for the values of all arrays that have no data, until glnn__arrays_free. The first one
 * has none. */
glnn_status glnn__arrays_make_room(glnn__arrays *arrays);
void glnn__arrays_free(glnn__arrays *arrays);

/* Lets the data of one array, or of all, be those of the file. E_FORMAT where one is missing,
 * E_SHAPE where its sizes are others. */
glnn_status glnn__array_read(const glnn__described_file *in, glnn_tensor *array);
glnn_status glnn__arrays_read(const glnn__described_file *in, glnn__arrays *arrays);

/* The product of its sizes. */
size_t glnn__array_length(const glnn_tensor *array);

/* True where `count` arrays from number `first` on have nothing but finite numbers. */
bool glnn__arrays_finite(const glnn__arrays *arrays, int first, int count);

#endif
