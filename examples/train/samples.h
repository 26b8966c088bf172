/* Samples with class labels or targets to train on and to test, from any of the files that a caller
 * may have. */
#ifndef EXAMPLES_SAMPLES_H
#define EXAMPLES_SAMPLES_H

#include <glnn/dataset.h>

#include <stdint.h>

#include "classes.h"
#include "common/folder.h"
#include "table.h"

/* Where samples come from. */
typedef struct samples_source {
    const char *data;        /* a folder as mnist_load takes it, a CSV file, or a .npy file of
                                inputs                                                       */
    const char *labels;      /* a .npy file of labels, with inputs from one                  */
    const char *test;        /* the same for the test; NULL: see `holdout`                   */
    const char *test_labels; /* of it                                                        */
    table_format format;
    float holdout;      /* share of the samples, of each class alike, kept apart for the test,
                       without one                                                           */
    bool holdout_asked; /* by the caller, and not by default: then there have to be some    */
    uint64_t seed;      /* of which ones                                                         */
    bool test_only;     /* nothing is trained: without a test all samples are for it             */
} samples_source;

/* Samples that are used for one thing. */
typedef struct samples_part {
    int samples; /* 0: there is no such part                                      */
    float *inputs;
    int *labels;    /* NULL: the file has none                                       */
    float *targets; /* samples x columns.targets; NULL: the file has none            */
} samples_part;

enum { UNKNOWN_NAMES = 256 };

/* In a test part a label of -1 says that its class has no name in `classes`. */
typedef struct samples {
    char from[PATH_CAPACITY]; /* the file or folder */
    bool generated;           /* digits, because there was no MNIST          */
    int width, height;        /* of images; 0 where the samples are none     */
    int features;
    class_names classes;
    glnn_csv_columns columns; /* of what was trained on; of images and arrays only the number of
                                 features; 0 features: nothing is known yet                  */
    int64_t dropped_rows;     /* left out because of missing values                          */
    int64_t filled_values;    /* missing ones that became the means of their columns         */
    samples_part train, test;
    int unknown;                       /* test samples with a label of -1 */
    char unknown_names[UNKNOWN_NAMES]; /* their labels, the first ones     */
} samples;

/* Loads samples. Classes that out->classes has before stay, and are then the only ones; else those
 * of the training samples are added. Columns that out->columns has before stay too, and all files
 * are matched to them; else a test file is matched to those of the training file. False, with
 * nothing kept but classes and columns: a file is damaged, two do not fit together, or no test
 * sample has a label that is known. */
bool samples_load(const samples_source *from, samples *out);

/* The samples are a folder of images with their own test samples, and not tables. */
bool samples_are_images(const samples_source *from);

/* Prints where they come from and how many there are. */
void samples_show(const samples *of);

/* Says why nothing was measured. */
void show_no_test(const samples *of);

/* A part on the GPU, without test samples of unknown classes; NULL where that leaves none, or where
 * the part has neither labels nor targets. Failures end the program, as with CHECK. */
glnn_dataset *samples_upload(glnn_context *ctx, const samples *of, const samples_part *part,
                             glnn_storage storage, const char *name);

void samples_free(samples *of);

#endif
