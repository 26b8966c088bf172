/* A data set that passes through windows of texture, against the same set resident. */
#ifndef BENCH_GLVQ_STREAM_H
#define BENCH_GLVQ_STREAM_H

#include "common/glvq_device.h"

/* Epochs of training on `samples` samples, resident and through `window` bytes of texture: the bits
 * of the prototypes have to be the same. Writes the table "lvq_stream". */
void glvq_stream(bench *b, const glvq_case *of, int samples, size_t window);

#endif
