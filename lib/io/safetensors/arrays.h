/* The arrays of a learner's file. A learner lists them once: saving fills them, and loading finds
 * them in the file and checks their sizes. */
#ifndef GLNN__IO_SAFETENSORS_ARRAYS_H
#define GLNN__IO_SAFETENSORS_ARRAYS_H

#include "io/safetensors/description.h"

/* The most arrays of a file, and the longest name with its zero. */
enum { GLNN__MAX_ARRAYS = 264, GLNN__ARRAY_NAME = 48 };

/* All zeros at the start. It cannot be copied, because the tensors point into it. */
typedef struct glnn__arrays {
    int count;
    glnn_tensor tensors[GLNN__MAX_ARRAYS];
    char names[GLNN__MAX_ARRAYS][GLNN__ARRAY_NAME];
    float *values[GLNN__MAX_ARRAYS]; /* of each array, once there is room */
} glnn__arrays;

/* Adds an array with these sizes; the name follows as for printf. */
__attribute__((format(printf, 4, 5))) void
glnn__arrays_add(glnn__arrays *arrays, int dimensions, const size_t *size, const char *name, ...);

/* Allocates the values of all arrays that have no data, until glnn__arrays_free. The first array
 * must have none. */
glnn_status glnn__arrays_make_room(glnn__arrays *arrays);
void glnn__arrays_free(glnn__arrays *arrays);

/* Sets the data of one array, or of all, to those in the file. Errors: E_FORMAT an array is
 * missing; E_SHAPE it has other sizes. */
glnn_status glnn__array_read(const glnn__described_file *in, glnn_tensor *array);
glnn_status glnn__arrays_read(const glnn__described_file *in, glnn__arrays *arrays);

/* The product of its sizes. */
size_t glnn__array_length(const glnn_tensor *array);

/* Whether all numbers of the `count` arrays from number `first` on are finite. */
bool glnn__arrays_finite(const glnn__arrays *arrays, int first, int count);

#endif
