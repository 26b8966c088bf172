/* What the trainer of networks does with one once it is trained: predictions, and their errors in
 * the units of the targets. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_NETWORK_H
#define EXAMPLES_NETWORK_H

#include <glnn/network.h>

#include "samples.h"

/* Writes the classes or targets that the network predicts for the test samples. */
void network_predict(glnn_network *network, const samples *data, const char *path);

/* Prints the mean squared error and R^2, 1 - (squared error) / (squared deviation from the mean of
 * the test samples), of each target. */
void network_show_errors(glnn_network *network, const samples *data);

/* Classifies the pictures of a PNG or IDX file, brought to the size of the images that the network
 * was made for: a line each, with the class and all outputs. `width` is that of the images; 0 where
 * it is not known, which means square ones. */
void network_classify(glnn_context *ctx, glnn_network *network, const char *path, int width);

#endif
