/* The options that say where samples come from and how they are prepared. */
#ifndef TRAIN_DATA_OPTIONS_H
#define TRAIN_DATA_OPTIONS_H

#include <limits.h>

#include "common/options.h"
#include "samples.h"

/* The numbers that the learner gets of a sample. */
typedef enum feature_kind { FEATURES_RAW, FEATURES_GRADIENT } feature_kind;

typedef struct data_options {
    samples_source from;
    const char *shape; /* as text; NULL: not given */
    float validation;  /* share of the training samples kept apart to measure each epoch; 0: none */
    int features;      /* a feature_kind */
    bool standardise;
    int pca, lda; /* components; 0: none */
    bool whiten;
} data_options;

/* The places of the rows below in a table that begins with them. */
enum {
    DATA_HEADING,
    DATA_DATA,
    DATA_LABELS,
    DATA_TEST,
    DATA_TEST_LABELS,
    DATA_LABEL,
    DATA_TARGET,
    DATA_DROP,
    DATA_TYPE,
    DATA_ENCODE,
    DATA_RARE,
    DATA_MISSING,
    DATA_HEADER,
    DATA_SEPARATOR,
    DATA_DECIMAL,
    DATA_SHAPE,
    DATA_SAMPLES,
    DATA_BUDGET,
    DATA_HOLDOUT,
    DATA_VALIDATION,
    DATA_FEATURES,
    DATA_STANDARDISE,
    DATA_PCA,
    DATA_LDA,
    DATA_WHITEN,
    DATA_ROWS_END
};

/* The rows of these options, for settings whose member `member` is a data_options. */
/* clang-format off */
#define DATA_ROWS(settings, member)                                                                \
    [DATA_HEADING] = {.help = "Data"},                                                             \
    [DATA_DATA] = {"data", OPTION_TEXT, .field = offsetof(settings, member.from.data), "PATH",     \
     NULL, "a folder with four IDX files named as those of MNIST, plain or .gz; a folder with " \
     "a folder of PNG files for each class; a .gnt or .mpf file of handwriting, or a folder of "   \
     "them; either in train/ and test/; a CSV file; or "                                           \
     "a .npy file of inputs, whose integers are not scaled. Unless given, and without --load: "    \
     "$GLNN_DATA_DIR, then data/mnist, then generated digits"},                                    \
    [DATA_LABELS] = {"labels", OPTION_TEXT, .field = offsetof(settings, member.from.labels),       \
     "FILE", NULL, ".npy file with a label for each row of the inputs"},                           \
    [DATA_TEST] = {"test", OPTION_TEXT, .field = offsetof(settings, member.from.test), "PATH",     \
     NULL, "the samples for the test: a folder of pictures, a file or folder of handwriting, a "   \
     "CSV file or a .npy file"},           \
    [DATA_TEST_LABELS] = {"test-labels", OPTION_TEXT,                                              \
     .field = offsetof(settings, member.from.test_labels), "FILE", NULL,                           \
     ".npy file with their labels"},                                                               \
    [DATA_LABEL] = {"label", OPTION_TEXT, .field = offsetof(settings, member.from.format.label),   \
     "COLUMN", NULL, "column of a CSV file with the class labels: its name in the header, its "    \
     "number from 1, first, last or none. Unless given: last, or with --load that of the model"},  \
    [DATA_TARGET] = {"target", OPTION_TEXT,                                                        \
     .field = offsetof(settings, member.from.format.targets), "COLUMNS", NULL,                     \
     "columns of a CSV file with numbers to predict instead of labels, separated by commas; "      \
     "networks only", .is_list = true},                                                            \
    [DATA_DROP] = {"drop", OPTION_TEXT, .field = offsetof(settings, member.from.format.drop),      \
     "COLUMNS", NULL, "columns of a CSV file to leave out, separated by commas", .is_list = true}, \
    [DATA_TYPE] = {"type", OPTION_TEXT, .field = offsetof(settings, member.from.format.types),     \
     "NAME=TYPE", NULL, "types of columns of a CSV file, separated by commas, where those that "   \
     "the program finds and prints are not meant: number, category, date, text or row_number. "    \
     "The last two are left out. one_hot and ordinal are categories that are encoded so; days "    \
     "are dates as one number, without the cycles of year, week and day", .is_list = true},        \
    [DATA_ENCODE] = {"encode", OPTION_CHOICE,                                                      \
     .field = offsetof(settings, member.from.format.encoding), NULL, "one_hot",                    \
     "features of categories. one_hot: one feature for each category, 1 or 0; ordinal: one "       \
     "feature, the number of the category", .high = 1, .name_of = data_options_encoding_name},     \
    [DATA_RARE] = {"rare", OPTION_NUMBER, .field = offsetof(settings, member.from.format.rare),    \
     "SHARE", "0.005", "share of the training samples below which a category is not kept, but "    \
     "pooled with others", .high = 1, .below = true},                                              \
    [DATA_MISSING] = {"missing", OPTION_CHOICE,                                                    \
     .field = offsetof(settings, member.from.format.missing), NULL, "refuse",                      \
     "treatment of missing values in a CSV file: fields that are empty, ?, NA, N/A, nan, null or " \
     "None, and - among numbers. refuse: stop; drop: leave the row out; fill: use the mean, or "   \
     "the most frequent category, of the training samples; indicator: fill, and add a "            \
     "feature that is 1 if the value is missing; category: "                                       \
     "a missing category is one of its own, and numbers are filled",                               \
     .high = GLNN_CSV_MISSING_CATEGORY, .name_of = option_csv_missing},                            \
    [DATA_HEADER] = {"header", OPTION_CHOICE,                                                      \
     .field = offsetof(settings, member.from.format.header), NULL, "auto",                         \
     "whether the first row of a CSV file names the columns; auto: if it has names and no "        \
     "numbers. Columns with names are matched to those of the training file by their names",       \
     .high = GLNN_CSV_HEADER_NO, .name_of = option_csv_header},                                    \
    [DATA_SEPARATOR] = {"separator", OPTION_TEXT,                                                  \
     .field = offsetof(settings, member.from.format.separator), "C", ",",                          \
     "character between the fields of a CSV file, or tab"},                                        \
    [DATA_DECIMAL] = {"decimal", OPTION_TEXT,                                                      \
     .field = offsetof(settings, member.from.format.decimal), "C", ".",                            \
     "decimal mark of the numbers of a CSV file: a point, or a comma if --separator is another "   \
     "character"},                                                                                 \
    [DATA_SHAPE] = {"shape", OPTION_TEXT, .field = offsetof(settings, member.shape), "HxW[xC]",    \
     NULL, "shape of the samples: height, width and channels. All pictures of a folder are "       \
     "scaled to this size, or to that of the first one by the order of their names, and become "  \
     "coloured with 3 channels. The shape of a CSV or .npy file is for convolutions: "             \
     "the features of a row are the rows of its first channel, then those of the next. "           \
     "Images of .gnt files are made this large, 64x64 unless given. A .npy file of three or four " \
     "dimensions has its own shape. In one of four, the channels come last if the last size is "   \
     "below the second one, before height and width if it is above; if both are equal, "  \
     "--shape decides"},                                                                           \
    [DATA_SAMPLES] = {"samples", OPTION_INTEGER, .field = offsetof(settings, member.from.most),    \
     "N", "0", "train with N samples, chosen at random, for a quick trial; 0: with all",           \
     .high = INT_MAX},                                                                             \
    [DATA_BUDGET] = {"budget", OPTION_INTEGER, .field = offsetof(settings, member.from.budget),    \
     "MIB", "0", "MiB of texture for the samples of training, and as many for those of the test. " \
     "If they need more, they stream: threads read them while the GPU computes. PNG and CSV "      \
     "files are then read in each epoch anew, unless --pca or --lda is given. 0: any number",      \
     .high = 1 << 20},                                                                             \
    [DATA_HOLDOUT] = {"holdout", OPTION_NUMBER, .field = offsetof(settings, member.from.holdout),  \
     "SHARE", "0.2", "share of the samples of each class that is kept apart for the test if "      \
     "there is no --test: from 0 to below 1", .high = 1},                                          \
    [DATA_VALIDATION] = {"validation", OPTION_NUMBER,                                              \
     .field = offsetof(settings, member.validation), "SHARE", "0",                                 \
     "share of the training samples that is kept apart to measure each epoch; the model of the "   \
     "best epoch is kept. 0: each epoch is measured on the test samples", .high = 1,               \
     .below = true},                                                                               \
    [DATA_FEATURES] = {"features", OPTION_CHOICE,                                                  \
     .field = offsetof(settings, member.features), NULL, "raw",                                    \
     "raw: the numbers of the samples as they are; gradient: 512 numbers of each image, the "      \
     "gradients of its pixels summed by 8 directions at 8 x 8 points, which recognise handwriting "\
     "better. Pictures in colour become gray", .high = FEATURES_GRADIENT,                          \
     .name_of = data_options_feature_name},                                                        \
    [DATA_STANDARDISE] = {"standardise", OPTION_FLAG,                                              \
     .field = offsetof(settings, member.standardise), NULL, NULL,                                  \
     "scale each feature to mean 0 and deviation 1 over the training samples"},                    \
    [DATA_PCA] = {"pca", OPTION_INTEGER, .field = offsetof(settings, member.pca), "N", "0",        \
     "learn from N principal components of the features; 0: from the features",                    \
     .high = 65536},                                                                               \
    [DATA_LDA] = {"lda", OPTION_INTEGER, .field = offsetof(settings, member.lda), "N", "0",        \
     "learn from N linear discriminants of the features; 0: from the features",                    \
     .high = 65536},                                                                               \
    [DATA_WHITEN] = {"whiten", OPTION_FLAG, .field = offsetof(settings, member.whiten), NULL,      \
     NULL, "scale these components or discriminants to variance 1"}
/* clang-format on */

/* The name of an encoding of categories, 0 or 1. */
const char *data_options_encoding_name(int encoding);

/* The name of a feature_kind. */
const char *data_options_feature_name(int kind);

/* Reads the text of the shape. False with a failure: it is not one, or it is for other samples than
 * those of tables and arrays. */
bool data_options_read_shape(data_options *of);

/* False with a failure: the options contradict each other. `given` are the entries of their rows,
 * `load` is a model that brings its own preparation, and `predict` is the file of --predict. Both
 * may be NULL. */
bool data_options_check(const data_options *of, const char *const *given, const char *load,
                        const char *predict);

/* False with a failure: --load without --data and --test. The samples that a new model uses by
 * default need not be like those of a loaded model. */
bool data_options_check_brought(const data_options *of, const char *load);

#endif
