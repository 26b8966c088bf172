/* Files of predictions. Failures end the program, as with CHECK. */
#ifndef TRAIN_PREDICTED_FILE_H
#define TRAIN_PREDICTED_FILE_H

#include "predictions.h"

/* Writes predictions to the file of --predict, whose ending says the format: .npy is a matrix,
 * .jsonl and .json have an object of JSON for each sample, and others are CSV with a header. */
void predicted_file_write(const settings *with, const samples *data, const predictions *of);

#endif
