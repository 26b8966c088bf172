/* Samples with class labels to train on and to test, from any of the files that a caller may have. */
#ifndef EXAMPLES_SAMPLES_H
#define EXAMPLES_SAMPLES_H

#include <glnn/dataset.h>

#include <stdint.h>

#include "classes.h"
#include "mnist.h"
#include "table.h"

/* Where samples come from. */
typedef struct samples_source {
    const char *data; /* a folder as mnist_load takes it, a CSV file, or a .npy file of inputs    */
    const char
        *labels; /* a .npy file of labels, with inputs from one                              */
    const char *test,
        *test_labels; /* the same for the test; NULL: see `holdout`                   */
    table_format format;
    float
        holdout; /* share of the samples of each class kept apart for the test, without one      */
    uint64_t
        seed; /* of which ones                                                                */
    bool test_only; /* nothing is trained: without a test all samples are for it                  */
} samples_source;

/* In a test part a label of -1 says that its class has no name in `classes`. */
typedef struct samples {
    char from[PATH_CAPACITY]; /* the file or folder */
    bool generated;           /* digits, because there was no MNIST          */
    int width, height;        /* of images; 0 where the samples are none     */
    int features;
    class_names classes;
    glnn_csv_columns columns; /* of the table that was trained on; 0 features: of none */
    int dropped_rows;         /* left out because of missing values                    */
    long long filled_values;  /* missing ones that became the means of their columns   */
    mnist_part train, test;   /* labels NULL: the file has none; 0 samples: there is no such part */
    int unknown;              /* test samples with a label of -1 */
} samples;

/* Loads samples. Classes that out->classes has before stay, and are then the only ones; else those
 * of the training samples are added. Columns that out->columns has before stay too, and all files
 * are matched to them; else a test file is matched to those of the training file. False, with
 * nothing kept but classes and columns: a file is damaged, or two do not fit together. */
bool samples_load(const samples_source *from, samples *out);

/* Prints where they come from and how many there are. */
void samples_show(const samples *of);

/* A part on the GPU, without test samples of unknown classes; NULL where that leaves none. Failures
 * end the program, as with CHECK. */
glnn_dataset *samples_upload(glnn_context *ctx, const samples *of, const mnist_part *part,
                             const char *name);

void samples_free(samples *of);

#endif
