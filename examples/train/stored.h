/* Inputs of samples that stay in their file, and those in memory, for functions that take both. */
#ifndef TRAIN_STORED_H
#define TRAIN_STORED_H

#include <glnn/csv.h>
#include <glnn/image.h>

#include "samples.h"

/* A file or folder, which the parts of its samples share. */
typedef struct stored {
    int owners;
    glnn_csv_file *table; /* NULL: pictures */
    glnn_image_folder pictures;
} stored;

/* An empty one with one owner; NULL with a failure: no memory. */
stored *stored_new(void);

/* The last owner closes it. NULL does nothing. */
void stored_release(stored *of);

/* The numbers of a row of a part: raw values of a table before it is encoded, features after. */
int part_width(const samples_part *part);

/* A glnn_dataset_reader whose user is a samples_part: reads inputs, and encodes and scales them. */
glnn_status part_read(void *part, const int *samples, int count, float *inputs);

/* The inputs of samples that follow each other. Those of a stored part are read into `room`. NULL
 * with a failure: the file cannot be read. */
const float *part_range(const samples_part *part, int first, int count, float *room);

/* Reads the inputs of a part into memory. False with a failure. */
bool part_load(samples_part *part);

/* Receives columns of all samples of a part: rows of `count` values, of the features from `first`
 * on. False with a failure. */
typedef bool (*part_visitor)(void *user, const samples_part *part, int first, int count,
                             const float *inputs);

/* Visits all columns, of a stored part a few at a time, so that they fit in memory. */
bool part_visit(const samples_part *part, part_visitor visit, void *user);

#endif
