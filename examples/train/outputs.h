/* Checks that no output of a run overwrites an input or another output. */
#ifndef TRAIN_OUTPUTS_H
#define TRAIN_OUTPUTS_H

#include "samples.h"

/* A file that an option names. */
typedef struct option_path {
    const char *option, *path; /* path NULL: the option was not given */
    const char *replaces; /* the option of an input that this output may overwrite; NULL: none */
    bool keeps_former;    /* the file before it is kept as FILE.1 */
} option_path;

/* The files of a run; both lists end with a null option. */
typedef struct run_paths {
    const samples_source *samples;
    const option_path *inputs; /* other than the samples */
    const option_path *outputs;
    const char *plot; /* the folder of --plot; NULL: none */
} run_paths;

/* True if every output differs from each input and each other output. Files that are written along
 * with an output count too: temporary ones, and FILE.1 of a checkpoint. Links are followed. False
 * with a failure that names both options. */
bool outputs_check(const run_paths *of);

#endif
