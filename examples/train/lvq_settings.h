/* What a trainer of prototypes is told on its command line. */
#ifndef EXAMPLES_LVQ_SETTINGS_H
#define EXAMPLES_LVQ_SETTINGS_H

#include <glnn/gmm.h>
#include <glnn/lvq.h>

#include "data_options.h"
#include "device.h"

enum { LVQ_SETTINGS_ROWS_MAX = 64 };

/* What is trained: a glnn_lvq_kind, or one of these. */
enum { LEARNER_KMEANS = GLNN_LVQ_KIND_COUNT, LEARNER_GMM };

typedef struct lvq_settings {
    data_options data;

    int learner;
    int prototypes; /* of each class */
    glnn_lvq_init init;
    float xi, window, epsilon, sigma;
    int rank;
    glnn_covariance covariance;
    float variance_floor;
    glnn_search search;

    int epochs, batch;
    float rate;
    glnn_schedule_kind schedule;
    bool restore_best;
    uint64_t seed;

    device_settings on;

    const char *save, *load, *predict, *plot, *codebook_in, *codebook_out;

    bool train; /* not only use what --load or --codebook-in brings */
    bool given[LVQ_SETTINGS_ROWS_MAX];
} lvq_settings;

/* The options of the trainer, for options_parse. */
option_table lvq_settings_table(const char *program);

/* Reads the command line; ends the program where that only asks for --help or --list-devices, or
 * where a file or folder that it names would fail after the training. */
void lvq_settings_read(int argc, char **argv, lvq_settings *out);

/* The learner's name, as --learner has it. */
const char *learner_name(int learner);

#endif
