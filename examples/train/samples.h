/* Samples for training and test, with class labels or targets, from IDX, PNG, CSV, NumPy, .gnt or
 * .mpf files. */
#ifndef TRAIN_SAMPLES_H
#define TRAIN_SAMPLES_H

#include <glnn/dataset.h>
#include <glnn/network.h>
#include <glnn/scale.h>

#include <stdint.h>

#include "classes.h"
#include "common/folder.h"
#include "table.h"

/* Samples for training that are moved to the test part, whose own samples are left out: one of
 * `folds` equal parts of each class, or else a share of each class. Zeros: none are moved. */
typedef struct sample_split {
    int folds, fold; /* from 0 */
    float share;
    uint64_t seed; /* of the choice */
} sample_split;

/* Where samples come from. */
typedef struct samples_source {
    const char *data;        /* a folder as mnist_find takes it, a folder of pictures, a file or
                                folder of handwriting, a CSV file, or a .npy file of inputs  */
    const char *labels;      /* a .npy file of labels, with inputs from one                  */
    const char *test;        /* the same for the test; NULL: see `holdout`                   */
    const char *test_labels; /* of it                                                        */
    table_format format;
    float holdout;      /* share of each class that is kept apart for the test if `test` is NULL  */
    bool holdout_asked; /* by the user: then an empty share is an error                         */
    uint64_t seed;      /* of the choice of these samples                                       */
    sample_split split; /* made after this choice                                               */
    bool test_only;     /* nothing is trained: all samples are for the test                     */
    int most;           /* samples for training; 0: all                                         */
    int budget;         /* MiB of texture for the samples; 0: any                               */
    bool gray;          /* pictures in colour become gray                                       */
} samples_source;

/* The samples for training, or those for the test. */
typedef struct samples_part {
    int samples;              /* 0: the part is empty                                   */
    float *inputs;            /* NULL: they stay in the file                            */
    bool is_raw;              /* the inputs are raw values of a table yet               */
    bool is_encoded;          /* those of the file are encoded as they are read         */
    int *labels;              /* NULL: the file has none                                */
    float *targets;           /* samples x columns.targets; NULL: the file has none     */
    float *sample_weights;    /* NULL: all are 1                                        */
    float *class_weights;     /* one for each class; NULL: all are 1                    */
    struct stored *file;      /* NULL: the inputs are in memory                         */
    int *rows;                /* the place of each sample in the file                   */
    const struct samples *of; /* whose part it is                                       */
} samples_part;

enum { UNKNOWN_NAMES = 256 };

/* In a test part a label of -1 says that its class has no name in `classes`. */
typedef struct samples {
    char from[PATH_CAPACITY]; /* the file or folder */
    glnn_shape shape;         /* of images; zeros: the samples are not images */
    bool has_unit_range;      /* pixels from 0 to 1                           */
    int features;
    class_names classes;
    glnn_csv_columns columns; /* of the training samples; images and arrays have only the number of
                                 features; 0 features: not known yet                         */
    int64_t dropped_rows;     /* left out because of missing values                          */
    struct column_counts *counts; /* of raw values, one for each feature column; NULL: none  */
    samples_part train, test;
    samples_part known; /* the test samples of known classes, if there are others       */
    bool stays;         /* set by the caller: tables and pictures stay in their files   */
    bool silent;        /* set by the caller: nothing is printed about them             */
    bool are_for_model; /* set by the caller: a saved model brings the columns          */
    size_t budget;      /* bytes of texture for each part; 0: any                       */
    glnn_scale scale;   /* of inputs from files; no features: they are not scaled       */
    int folds;          /* of which the test is one; 0: it is not a fold                */
    int unknown;        /* test samples with a label of -1 */
    char unknown_names[UNKNOWN_NAMES]; /* their labels, the first ones     */
} samples;

/* Loads samples. If out->classes already has classes, no others are allowed; else the classes of
 * the training samples are added. If out->columns already has columns, all files are matched to
 * them; else the test file is matched to the training file. False with a failure: a file is
 * damaged, two files do not fit together, or no test sample has a known label. Classes and columns
 * then stay. */
bool samples_load(const samples_source *from, samples *out);

/* The folder, or the one found in its place, holds the files of MNIST or others of these names. */
bool samples_are_idx(const samples_source *from);

/* The folder has test samples of its own: that of IDX files, or one of pictures or handwriting for
 * training in train/ and for the test in test/. */
bool samples_have_test(const samples_source *from);

/* The share of the test samples whose class is known. The data set of samples_upload has only
 * these, so an accuracy over it times this share is one over all of them. */
double samples_known_share(const samples *of);

/* Prints their source, their columns and their numbers. */
void samples_show(const samples *of);

/* Prints why nothing was measured. */
void samples_show_no_test(const samples *of);

/* Makes a data set of a part, without test samples of unknown classes; the samples must outlive it.
 * NULL if no sample is left, or if the part has neither labels nor targets. Failures end the
 * program, as with CHECK. */
glnn_dataset *samples_upload(glnn_context *ctx, samples *of, const samples_part *part,
                             glnn_storage storage, const char *name);

void samples_free(samples *of);

#endif
