#include "settings_rows.h"

#include <limits.h>

#include "figures.h"

OPTION_NAMES(activation)
OPTION_NAMES(precision)
OPTION_NAMES(search)
OPTION_NAMES(covariance)
OPTION_NAMES(stage)
OPTION_NAMES(exchange_kind)
OPTION_NAMES(emphasis_kind)
OPTION_NAMES(layout)
OPTION_NAMES(platform)
OPTION_NAMES(lvq_init)
OPTION_NAMES(schedule_kind)
OPTION_NAMES(optimizer_kind)
OPTION_NAMES(init)
OPTION_NAMES(loss)
OPTION_NAMES(svm_loss)
OPTION_NAMES(csv_header)
OPTION_NAMES(csv_missing)

#define FIELD(member)            .field = offsetof(settings, member)
#define NAMES(noun, first, last) .low = first, .high = last, .name_of = option_##noun

/* A field of the library has the range, and the default unless the row has another one. */
#define LIBRARY(description, name) .of = GLNN_DESCRIPTION_##description, .library_field = name

const option_row settings_rows[] = {
    DATA_ROWS(settings, data),

    {.help = "Learner"},
    [LEARNER] = {"learner", OPTION_CHOICE, FIELD(learner), NULL, "network",
                 "a network; prototypes of the LVQ family; k-means or a mixture of Gaussians "
                 "within each class; a linear support vector machine",
                 .high = LEARNER_LVQ + GLNN_LVQ_KIND_COUNT - 1, .name_of = learner_name},

    {.help = "Networks"},
    [HIDDEN] = {"hidden", OPTION_LIST, FIELD(hidden), "N[,N...]", "128",
                "units of each hidden layer; 0: none, so that the model is linear", .low = 0,
                .high = 65536},
    [LAYERS] =
        {"layers", OPTION_TEXT, FIELD(layers), "LIST", NULL,
         "all layers but the last, instead of --hidden. Commas separate layers: dense UNITS, "
         "convolution CHANNELS KERNEL, transposed_convolution CHANNELS KERNEL, max_pool KERNEL, "
         "average_pool KERNEL, upsample STRIDE, flatten, unflatten CxHxW; batch_norm, layer_norm, "
         "local_response_norm, gelu, dropout RATE; recurrent UNITS, gru UNITS, spectrogram BANDS "
         "KERNEL. Layers of graphs are residual SKIP, slice CHANNELS FIRST, and add, multiply or "
         "concatenate INPUTS. Inputs are layers counted back, such as 1+3. An activation can "
         "follow, or stride, padding, dilation, groups, window or inputs with a number, or "
         "all_states. Names can be cut short: 'conv 6 5 pad "
         "2, max 2, flat, dense 120'"},
    [ACTIVATION] = {"activation", OPTION_CHOICE, FIELD(activation), NULL, "relu",
                    "activation of hidden units whose layer has no other",
                    NAMES(activation, GLNN_ACTIVATION_DEFAULT + 1, GLNN_ACTIVATION_COUNT - 1)},
    [LOSS] = {"loss", OPTION_CHOICE, FIELD(loss), NULL, "cross_entropy",
              "the loss to minimise. Outputs of classes are sigmoid units, but with cross_entropy, "
              "binary_cross_entropy and hinge; those of --target are identity units, with squared "
              "unless given, or absolute, huber, quantile or expression",
              NAMES(loss, 0, GLNN_LOSS_COUNT - 1)},
    [LOSS_PARAMETER] = {"loss-parameter", OPTION_NUMBER, FIELD(loss_parameter), "P", NULL,
                        "the width of huber's square, unless given 1, or the quantile, unless "
                        "given 0.5",
                        LIBRARY(NETWORK, "loss_parameter")},
    [LOSS_VALUE] = {"loss-value", OPTION_TEXT, FIELD(loss_value), "TEXT", NULL,
                    "--loss expression: the loss of an output y with the target t, in GLSL, such "
                    "as 'sqrt(1.0 + (y - t) * (y - t))'"},
    [LOSS_DERIVATIVE] = {"loss-derivative", OPTION_TEXT, FIELD(loss_derivative), "TEXT", NULL,
                         "the same: its derivative by y, such as 'tanh(y - t)'"},
    [WEIGHTS] = {"weights", OPTION_CHOICE, FIELD(weights), NULL, "auto",
                 "random numbers that weights start from. Unless given, tables have glorot",
                 NAMES(init, 0, GLNN_INIT_COUNT - 1)},
    [OPTIMIZER] =
        {"optimizer", OPTION_CHOICE, FIELD(optimizer), NULL, "sgd",
         "the method that changes the weights; rprop takes all samples a step. Unless it or "
         "--momentum is given, tables have adam: samples without a shape, and --target",
         NAMES(optimizer_kind, 0, GLNN_OPTIMIZER_COUNT - 1)},
    [MOMENTUM] =
        {"momentum", OPTION_NUMBER, FIELD(momentum), "M", "0.9",
         "share of the former step, for sgd, nesterov, rmsprop and svm. Unless given, 0 with "
         "rmsprop, with svm on images, and with sigmoid outputs",
         LIBRARY(NETWORK, "optimizer.momentum")},
    [DECAY] = {"decay", OPTION_NUMBER, FIELD(decay), "D", "0", "weight decay",
               LIBRARY(NETWORK, "optimizer.weight_decay")},
    [LABEL_SMOOTHING] = {"label-smoothing", OPTION_NUMBER, FIELD(label_smoothing), "E", "0",
                         "share of each target that is spread evenly over all classes",
                         LIBRARY(NETWORK, "label_smoothing")},
    [GRADIENT_NOISE] = {"gradient-noise", OPTION_NUMBER, FIELD(gradient_noise), "V", "0",
                        "variance of normal noise that is added to gradients at the first step, "
                        "and falls with later ones; 0: none",
                        LIBRARY(NETWORK, "optimizer.gradient_noise")},
    [TWO_PARTS] =
        {"two-parts", OPTION_FLAG, FIELD(two_parts), NULL, NULL,
         "keep weights or prototypes as sums of two numbers, which have the digits of small steps"},
    [PRECISION] = {"precision", OPTION_CHOICE, FIELD(precision), NULL, "float32",
                   "mixed: operands of products in 16 bits, weights and sums in 32",
                   NAMES(precision, 0, GLNN_PRECISION_COUNT - 1)},

    {.help = "Prototypes, k-means and mixtures"},
    [PROTOTYPES] = {"prototypes", OPTION_INTEGER, FIELD(prototypes), "N", "1",
                    "prototypes, centres or components of each class", LIBRARY(KMEANS, "centres")},
    [INIT] = {"init", OPTION_CHOICE, FIELD(init), NULL, "auto",
              "where prototypes start: the means of their classes, k-means within each, or "
              "samples; k-means: auto or samples",
              NAMES(lvq_init, 0, GLNN_LVQ_INIT_COUNT - 1)},
    [XI] = {"xi", OPTION_NUMBER, FIELD(xi), "XI", NULL, "glvq, grlvq, gmlvq: steepness of the loss",
            LIBRARY(LVQ, "xi")},
    [WINDOW] = {"window", OPTION_NUMBER, FIELD(window), "W", NULL,
                "lvq2.1, lvq3: width of the window around the border between two classes; only "
                "samples in it teach",
                LIBRARY(LVQ, "window")},
    [EPSILON] = {"epsilon", OPTION_NUMBER, FIELD(epsilon), "E", NULL,
                 "lvq3: share of the rate for two prototypes of the right class",
                 LIBRARY(LVQ, "epsilon")},
    [SIGMA] = {"sigma", OPTION_NUMBER, FIELD(sigma), "S", NULL,
               "rslvq: deviation of a prototype's Gaussian. The data give an eighth of the root "
               "mean squared distance of samples from their mean",
               LIBRARY(LVQ, "sigma")},
    [RANK] = {"rank", OPTION_INTEGER, FIELD(rank), "N", NULL, "gmlvq: rows of Omega",
              LIBRARY(LVQ, "rank")},
    [NEAREST] = {"nearest", OPTION_CHOICE, FIELD(nearest), NULL, "auto",
                 "the way to find the nearest prototypes; changes speed and memory, not results",
                 NAMES(search, 0, GLNN_SEARCH_COUNT - 1)},
    [RESTARTS] = {"restarts", OPTION_INTEGER, FIELD(restarts), "N", "0",
                  "kmeans: further runs from other first centres; the epoch with the least loss of "
                  "all runs is kept, and --epochs counts all of them",
                  LIBRARY(KMEANS, "restarts")},
    [COVARIANCE] = {"covariance", OPTION_CHOICE, FIELD(covariance), NULL, "full",
                    "of each component of gmm", NAMES(covariance, 0, GLNN_COVARIANCE_COUNT - 1)},
    [VARIANCE_FLOOR] = {"variance-floor", OPTION_NUMBER, FIELD(variance_floor), "V", NULL,
                        "gmm: least variance of a component, as a share of the features' mean "
                        "variance",
                        LIBRARY(GMM, "variance_floor")},
    [SHRINKAGE] = {"shrinkage", OPTION_NUMBER, FIELD(shrinkage), "S", NULL,
                   "gmm: samples for each feature that the mean covariance of a class counts as in "
                   "that of a component; below 0: none",
                   LIBRARY(GMM, "shrinkage")},

    {.help = "Support vector machines"},
    [SVM_LOSS] = {"svm-loss", OPTION_CHOICE, FIELD(svm_loss), NULL, "hinge",
                  "the loss to minimise, summed over one class versus the rest for each class",
                  NAMES(svm_loss, 0, GLNN_SVM_LOSS_COUNT - 1)},
    [LAMBDA] = {"lambda", OPTION_NUMBER, FIELD(lambda), "L", NULL,
                "strength of the penalty of the weights", LIBRARY(SVM, "lambda")},

    {.help = "Training"},
    [EPOCHS] =
        {"epochs", OPTION_INTEGER, FIELD(epochs), "N", NULL,
         "passes over the training samples. Unless given, others than kmeans and gmm have as many "
         "as make 2000 steps, but at least 10 and at most 50. With adam and rmsprop, networks with "
         "hidden layers on classes of tables have as many as make 200 steps, but at least 12. "
         "kmeans and gmm end when they gain nothing; unless given, each run of kmeans has so many",
         LIBRARY(TRAIN, "epochs")},
    [BATCH] = {"batch", OPTION_INTEGER, FIELD(batch), "N", NULL,
               "samples a step; 1: per sample; more than there are: all. Unless given, networks "
               "on tables take 32 with adam and rmsprop; networks with another loss than "
               "cross_entropy, binary_cross_entropy and hinge take 16 with sgd and nesterov",
               LIBRARY(TRAIN, "batch")},
    [BATCH_SCHEDULE_FACTOR] = {"batch-schedule-factor", OPTION_NUMBER, FIELD(batch_schedule.factor),
                               "F", NULL,
                               "multiply the batch by F every --batch-schedule-every epochs",
                               LIBRARY(TRAIN, "batch_schedule.factor")},
    [BATCH_SCHEDULE_EVERY] = {"batch-schedule-every", OPTION_INTEGER, FIELD(batch_schedule.every),
                              "N", NULL,
                              "epochs between two changes of the batch by --batch-schedule-factor",
                              LIBRARY(TRAIN, "batch_schedule.every")},
    [BATCH_SCHEDULE_MOST] = {"batch-schedule-most", OPTION_INTEGER, FIELD(batch_schedule.most), "N",
                             NULL,
                             "samples of the largest batch that --batch-schedule-factor leads to",
                             LIBRARY(TRAIN, "batch_schedule.most")},
    [RATE] = {"rate", OPTION_NUMBER, FIELD(rate), "R", NULL,
              "initial learning rate. Unless given: networks 0.1, with adam and rmsprop 0.01, "
              "otherwise with sigmoid outputs 0.5 and with --target 0.01; with --load, and for "
              "prototypes and svm, the library's choice",
              LIBRARY(TRAIN, "schedule.rate")},
    [SCHEDULE] = {"schedule", OPTION_CHOICE, FIELD(schedule), NULL, NULL,
                  "the rate over time (step: a tenth after each third of the epochs). Unless "
                  "given: networks cosine, prototypes and svm linear",
                  NAMES(schedule_kind, 0, GLNN_SCHEDULE_COUNT - 1)},
    [PATIENCE] = {"patience", OPTION_INTEGER, FIELD(patience), "N", NULL,
                  "stop after N epochs without a better validation loss; needs --validation",
                  LIBRARY(TRAIN, "patience")},
    [DESIRED_LOSS] = {"desired-loss", OPTION_NUMBER, FIELD(desired_loss), "L", NULL,
                      "stop after an epoch with at most this loss: of the --validation samples, or "
                      "without them of training; the test samples are then measured at the end",
                      LIBRARY(TRAIN, "desired_loss")},
    [DESIRED_ERROR] = {"desired-error", OPTION_NUMBER, FIELD(desired_error), "E", NULL,
                       "the same for the share of samples whose class is wrong, such as 0.02",
                       LIBRARY(TRAIN, "desired_error")},
    [RESTORE_BEST] = {"restore-best", OPTION_FLAG, FIELD(restore_best), NULL, NULL,
                      "end with the best epoch, by the loss of the --validation samples, or "
                      "without them by that of training; "
                      "the test samples are then measured only once, at the end"},
    [CLASS_WEIGHTS] =
        {"class-weights", OPTION_TEXT, FIELD(class_weights), "LIST", NULL,
         "weights of the losses of training samples by their classes: balanced, where "
         "all classes count the same, or NAME=WEIGHT with commas, such as "
         "'healthy=1,ill=20'; other classes have 1. none: all have 1. The losses of --validation "
         "samples have weights too, those of the test have none"},
    [SAMPLE_WEIGHTS] =
        {"sample-weights", OPTION_TEXT, FIELD(data.from.format.weights), "COLUMN", NULL,
         "column of the CSV file of --data with a weight for the loss of each "
         "training sample, from 0 on. It does not become a feature, and other files need not "
         "have it"},
    [EMPHASIS] =
        {"emphasis", OPTION_NUMBER, FIELD(emphasis), "E", "0",
         "let samples with a high recent loss count more, by that power of it; 0: all count the "
         "same",
         LIBRARY(TRAIN, "emphasis")},
    [EMPHASIS_BY] = {"emphasis-by", OPTION_CHOICE, FIELD(emphasis_by), NULL, NULL,
                     "how samples of --emphasis count more: they are presented more often, or once "
                     "with more weight",
                     NAMES(emphasis_kind, 0, GLNN_EMPHASIS_KIND_COUNT - 1)},
    [DISTORT] = {"distort", OPTION_TEXT, FIELD(distort), "LIST", NULL,
                 "distort the images of each step anew. Commas separate affine, elastic, and "
                 "numbers such as rotation 15; the others are shift, scale, shear, elastic, sigma, "
                 "probability and background"},
    [ADVISE] = {"advise", OPTION_FLAG, FIELD(advise), NULL, NULL,
                "compare the time that a step should take with that in plain C on the CPU, and "
                "measure the device for it if it was not yet. Without this option, a note says so "
                "only if the CPU should be faster and the device was measured"},
    [SEED] = {"seed", OPTION_SEED, FIELD(seed), "N", "1",
              "of random starts, the order of samples and those kept apart"},

    {.help = "Comparison of models, of which none is kept"},
    [CV] = {"cv", OPTION_INTEGER, FIELD(folds), "K", NULL,
            "cross-validation: divide the training samples of each class into K folds at random, "
            "train on all folds but one and measure that one, for each of them. Prints a line for "
            "each fold, the means and the standard deviations. Scales and projections are those of "
            "the other folds. Each class needs K samples. All samples of --data are in the folds, "
            "unless --holdout or --search keeps some apart",
            .low = 2, .high = 1000},
    [SEEDS] = {"seeds", OPTION_INTEGER, FIELD(seeds), "N", "1",
               "train N times, with N seeds from --seed on, and print the means and the standard "
               "deviations; with --cv, N times for each fold",
               .low = 1, .high = 1000},
    [SEARCH] =
        {"search", OPTION_TEXT, FIELD(search), "LIST", NULL,
         "search options at random: each trial trains with other values. Commas separate "
         "options of the learner, its training or --standardise to --whiten; each has values, "
         "or a range, which log makes even in its logarithms: 'rate 0.01..0.3 log, hidden 64 "
         "128,64 256, standardise on off'. A trial is measured on --validation samples, 0.2 "
         "of those for training unless given, or by --cv; the test samples are left out. "
         "Prints a table, and the command line of the best trial"},
    [TRIALS] = {"trials", OPTION_INTEGER, FIELD(trials), "N", "20",
                "trials of --search; fewer if there are fewer combinations", .low = 1,
                .high = 10000},
    [SEARCH_BY] = {"search-by", OPTION_CHOICE, FIELD(search_by), NULL, "auto",
                   "the metric that says which trial is the best. auto: the accuracy, or R^2 of "
                   "targets, in which all targets count the same, whatever their units",
                   .high = FIGURE_COUNT - 1, .name_of = figure_name},

    {.help = "Files"},
    {"classify", OPTION_TEXT, FIELD(classify), "FILE", NULL,
     "classify a PNG or the images of an IDX file, scaled to the size of the training images; "
     "with --load and no other use for samples none are read"},
    {"invert", OPTION_FLAG, FIELD(invert), NULL, NULL,
     "invert what --classify reads, for example dark ink on paper, if training images have "
     "bright ink on dark ground"},
    {"predict", OPTION_TEXT, FIELD(predict), "FILE", NULL,
     "write the class or the targets of each test sample, which need not have labels. FILE.jsonl "
     "and FILE.json have an object of JSON a line; FILE.npy is a matrix of targets or of the "
     "numbers "
     "of classes; any other file is CSV with a header"},
    {"probabilities", OPTION_FLAG, FIELD(probabilities), NULL, NULL,
     "--predict: write the probability of each class too. Networks with the loss cross_entropy, "
     "rslvq and gmm have probabilities"},
    {"scores", OPTION_FLAG, FIELD(scores), NULL, NULL,
     "--predict: write the output of each class too, whatever it is: the greatest one is that of "
     "the most likely class. Other networks have activations, other prototypes and kmeans minus "
     "the squared distance to the nearest one, and svm has distances from hyperplanes"},
    {"threshold", OPTION_NUMBER, FIELD(threshold), "P", NULL,
     "of two classes, predict the second one if its probability is at least P. Unless given, "
     "predict the more probable one",
     .high = 1, .above = true, .below = true},
    {"top-k", OPTION_INTEGER, FIELD(top_k), "K", NULL,
     "write the K most likely classes with --predict, and measure how often the right one is among "
     "them",
     .low = 1, .high = 1 << 20},
    [METRICS] = {"metrics", OPTION_TEXT, FIELD(metrics), "FILE", NULL,
                 "write all metrics of the test samples as JSON; with --cv, --seeds and --search "
                 "those of each training or trial, means and standard deviations"},
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL,
     "write the model, its classes or targets and the scale of its samples, as safetensors. Ctrl-C "
     "ends the training early: this file and the others are written with the model so far, and the "
     "exit status is 130. A second Ctrl-C ends the program at once"},
    {"load", OPTION_TEXT, FIELD(load), "FILE", NULL,
     "start from a model that --save wrote: it is measured on the samples of --data or --test, "
     "and trained further with those of --data if --epochs is given. They have no default then; "
     "--classify and exports alone need none"},
    {"codebook-in", OPTION_TEXT, FIELD(codebook_in), "FILE", NULL,
     "start from prototypes as text, in the format of LVQ_PAK: they are measured, and trained if "
     "--epochs is given"},
    {"codebook-out", OPTION_TEXT, FIELD(codebook_out), "FILE", NULL,
     "write the prototypes in this format, without a learnt metric"},
    {"export-c", OPTION_TEXT, FIELD(export_c), "FILE", NULL,
     "write the model as C source without dependencies, for use in other programs"},
    {"export-glsl", OPTION_TEXT, FIELD(export_glsl), "FILE", NULL,
     "write a small network as GLSL functions, for use in shaders"},
    {"checkpoint", OPTION_TEXT, FIELD(checkpoint), "FILE", NULL,
     "save checkpoints, from which --resume continues after the program has ended, was "
     "interrupted or was killed; the one before the last is FILE.1. If the driver resets the "
     "device, the training continues from there by itself, except with --distributed"},
    {"every", OPTION_INTEGER, FIELD(every), "STEPS", NULL, "steps between two checkpoints",
     LIBRARY(TRAIN, "checkpoint_every")},
    {"resume", OPTION_FLAG, FIELD(resume), NULL, NULL,
     "continue from the --checkpoint if there is one. A checkpoint has no samples, so --data and "
     "the other options must be those of the former run. Only --epochs may be more, except with "
     "the schedule step. Unless the schedule is constant, the rates that remain are then those of "
     "the longer training"},
    {"overwrite", OPTION_FLAG, FIELD(overwrite), NULL, NULL,
     "begin anew, and replace the --checkpoint of a former run; no other file is replaced"},
    {"curve", OPTION_TEXT, FIELD(curve), "FILE", NULL,
     "write loss and accuracy of each epoch as CSV; gnuplot draws them if FILE ends in .png or "
     ".svg"},
    {"contact-sheet", OPTION_TEXT, FIELD(contact_sheet), "FILE", NULL,
     "draw some training images and what --distort makes of them, as PNG"},
    {"plot", OPTION_TEXT, FIELD(plot), "DIR", NULL,
     "draw curve, confusion matrix and, of images, weights or prototypes, as CSV and PNG"},

    {.help = "Device"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, NULL,
     "the shaders that compute; auto: the faster ones. Unless given: $GLNN_STAGE, or fragment",
     NAMES(stage, GLNN_STAGE_FRAGMENT, GLNN_STAGE_AUTO)},
    {"layout", OPTION_CHOICE, FIELD(layout), NULL, "auto",
     "the way matrices lie in textures; auto: the faster of tiled and packed",
     NAMES(layout, GLNN_LAYOUT_AUTO, GLNN_LAYOUT_UNPACKED)},
    {"platform", OPTION_CHOICE, FIELD(platform), NULL, "egl", "headless, or a hidden window",
     NAMES(platform, GLNN_PLATFORM_EGL, GLNN_PLATFORM_GLFW)},
    {"device", OPTION_INTEGER, FIELD(device), "N", "0", "EGL device by its number", .high = 1023},
    DISTRIBUTED_ROWS(distributed),
    {"list-devices", OPTION_FLAG, FIELD(list_devices), NULL, NULL, "list the EGL devices and end"},
    {"selftest", OPTION_FLAG, FIELD(selftest), NULL, NULL,
     "compare each operation on the device with a reference, for bug reports, and end; the exit "
     "status is 1 if one is wrong"},
};

_Static_assert(sizeof settings_rows / sizeof settings_rows[0] <= SETTINGS_ROWS_MAX,
               "settings.given has an entry per row");

const int settings_row_count = (int)(sizeof settings_rows / sizeof settings_rows[0]);

const char *learner_name(int learner)
{
    static const char *const names[] = {"network", "kmeans", "gmm", "svm"};
    return learner < LEARNER_LVQ ? names[learner]
                                 : glnn_lvq_kind_name((glnn_lvq_kind)(learner - LEARNER_LVQ));
}
