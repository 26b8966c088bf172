/* Distortion of batches of square images in C on one core, as glnn/distortion.h describes it. */
#ifndef BENCH_DISTORT_CPU_H
#define BENCH_DISTORT_CPU_H

#include <glnn/distortion.h>

typedef struct distort_cpu distort_cpu;

/* Random images. With displacements, a field of them serves 64 batches. */
distort_cpu *distort_cpu_new(const glnn_distortion *distortion, int side, int batch);
void distort_cpu_free(distort_cpu *d);

/* Distorts the images of batch `number`. */
void distort_cpu_batch(distort_cpu *d, int number);

#endif
