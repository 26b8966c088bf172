/* Exchanges of single layers, one after the other, without anything else to do: how long they take,
 * and which kind is faster. */
#ifndef BENCH_SCALING_LAYERS_H
#define BENCH_SCALING_LAYERS_H

#include "common/scaling_figures.h"
#include "common/scaling_group.h"

/* Seconds of the readback, the message and the upload of a matrix of gradients; and of those of
 * inputs and deltas, of which each process has `samples` rows. */
double scaling_time_gradients(bench *b, const group *g, int rows, int columns);
double scaling_time_activations(bench *b, const group *g, int inputs, int units, int samples);

/* Writes scaling_layers.csv: for dense layers and batches, the seconds until each process has the
 * gradient of all samples, by GRADIENTS and by ACTIVATIONS, predicted and measured. */
void scaling_measure_layers(bench *b, const group *g, const scaling_figures *figures);

#endif
