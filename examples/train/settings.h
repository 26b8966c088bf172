/* The settings on the command line. */
#ifndef TRAIN_SETTINGS_H
#define TRAIN_SETTINGS_H

#include <glnn/export.h>
#include <glnn/gmm.h>
#include <glnn/lvq.h>
#include <glnn/network.h>
#include <glnn/svm.h>

#include "common/distributed.h"
#include "data_options.h"
#include "distort.h"
#include "layers.h"

enum { SETTINGS_ROWS_MAX = 128 };

/* Numbers of learners. Those of the LVQ family are LEARNER_LVQ + glnn_lvq_kind. */
enum { LEARNER_NETWORK, LEARNER_KMEANS, LEARNER_GMM, LEARNER_SVM, LEARNER_LVQ };

typedef struct settings {
    data_options data;
    int learner;

    option_list hidden;
    const char *layers; /* as text; NULL: those of `hidden`           */
    layer_list list;    /* the layers of a new network but the last   */
    glnn_activation activation;
    glnn_loss loss;
    float loss_parameter;
    const char *loss_value, *loss_derivative; /* NULL: the loss has none */
    glnn_init weights;
    glnn_optimizer_kind optimizer;
    float momentum, decay, label_smoothing, gradient_noise;
    bool two_parts;
    glnn_precision precision;

    int prototypes; /* of each class */
    glnn_lvq_init init;
    float xi, window, epsilon, sigma;
    int rank, restarts;
    glnn_covariance covariance;
    float variance_floor, shrinkage;
    glnn_search nearest;

    glnn_svm_loss svm_loss;
    float lambda;

    int epochs, batch, patience;
    glnn_batch_schedule batch_schedule;
    float rate, desired_loss, desired_error;
    glnn_schedule_kind schedule;
    bool restore_best;
    const char *class_weights; /* as text; NULL: all are 1 */
    float emphasis;
    glnn_emphasis_kind emphasis_by;
    bool advise;
    const char *distort; /* as text; NULL: no distortion */
    glnn_distortion distortion;
    uint64_t seed;

    int folds;          /* of a cross-validation; 0: none */
    int seeds;          /* each with a training, or with one of each fold; 1: only `seed` */
    const char *search; /* as text; NULL: no options are searched */
    int trials;
    int search_by;       /* a number of a figure; see figures.h                              */
    bool test_validates; /* the test samples are for validation, so they may choose the epoch */

    const char *checkpoint;
    int every; /* steps; 0: an epoch */
    bool resume, overwrite;

    glnn_stage stage;
    glnn_layout layout;
    glnn_platform platform;
    int device;
    bool list_devices, selftest;
    distributed_options distributed;
    distributed *processes; /* NULL: this process trains alone */

    const char *save, *load, *codebook_in, *codebook_out, *predict, *metrics, *classify, *plot,
        *curve;
    const char *export_c, *export_glsl, *contact_sheet;
    bool invert;                /* the images to classify */
    bool probabilities, scores; /* outputs that --predict writes */
    float threshold;            /* of the probability of class 1; 0: none */
    int top_k;                  /* most likely classes; 0: one */

    bool train;      /* false: only use the model of --load or --codebook-in              */
    bool needs_data; /* false: --load with --classify or an export needs no samples       */
    const char *given[SETTINGS_ROWS_MAX]; /* of the command line, as option_table.given says */
} settings;

/* The options, for options_parse. */
option_table settings_table(const char *program);

/* Reads the command line. Ends the program for --help, --list-devices and --selftest, and if an
 * option, or a file or folder that it names, would fail after the training. */
void settings_read(int argc, char **argv, settings *out);

/* Fills in the defaults that depend on the learner, which --load reads from its file, and on the
 * samples: those of a table have features without a shape. Ends the program if an option was given
 * that this learner does not use. */
void settings_complete(settings *with, int learner, bool is_table);

/* Called before a training with samples: a few samples are trained for more epochs, unless a number
 * was given. */
void settings_choose_epochs(settings *with, int count, bool is_table);

/* The name of the functions in an export to the file of an option; false with a failure if the name
 * of the file without its ending is not a name in C. */
enum { EXPORT_NAME = GLNN_EXPORT_MAX_NAME + 1 };
bool export_name(const char *option, const char *path, char name[EXPORT_NAME]);

/* The numbers of samples on the device. Mixed precision rounds the inputs of a batch to 16 bits. If
 * they are stored in 16 bits, they take half the memory, and the results are the same. */
glnn_storage settings_get_storage(const settings *of);

/* Makes the context that they ask for. Messages of the library are printed from now on. Failures
 * end the program. */
glnn_context *settings_open_device(const settings *of);

/* The network learns numbers, not classes. */
bool settings_learn_targets(const settings *of);

/* The optimizer has a rate of its own for each weight. */
bool settings_are_adaptive(const settings *of);

/* The outputs of a new network are sigmoid units. */
bool settings_have_sigmoids(const settings *of);

/* The name of a learner, as --learner has it; "unknown" for another number. */
const char *learner_name(int learner);

#endif
