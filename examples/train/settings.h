/* The settings on the command line of the trainer of networks. */
#ifndef EXAMPLES_SETTINGS_H
#define EXAMPLES_SETTINGS_H

#include <glnn/network.h>

#include "data_options.h"
#include "device.h"

enum { SETTINGS_ROWS_MAX = 56 };

typedef struct settings {
    data_options data;

    option_list hidden;
    glnn_activation activation;
    glnn_loss loss;
    glnn_init init;

    int epochs, batch, patience;
    float rate, momentum, decay;
    glnn_optimizer_kind optimizer;
    glnn_schedule_kind schedule;
    bool restore_best;
    uint64_t seed;

    device_settings on;
    glnn_precision precision;

    const char *save, *load, *predict, *classify, *plot;

    bool train;      /* not only use what --load brings                                 */
    bool needs_data; /* train or measure: false where --load and --classify say it all */
    bool given[SETTINGS_ROWS_MAX];
} settings;

/* The options of a trainer, for options_parse. */
option_table settings_table(const char *program);

/* Numbers are learnt, and not classes. */
bool settings_learn_targets(const settings *of);

/* Reads the command line; ends the program where that only asks for --help or --list-devices, or
 * where a file or folder that it names would fail after the training. */
void settings_read(int argc, char **argv, settings *out);

#endif
