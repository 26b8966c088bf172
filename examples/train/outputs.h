/* The files that a run reads and those that it writes: none may overwrite another. */
#ifndef TRAIN_OUTPUTS_H
#define TRAIN_OUTPUTS_H

#include "samples.h"

/* A file that an option names; without a path the option was not given. */
typedef struct option_path {
    const char *option, *path;
    const char *replaces; /* of an output: the option of an input that it may overwrite, as a model
                             that is trained further; NULL: none                              */
} option_path;

/* The files of a run; both lists end with a null option. */
typedef struct run_paths {
    const samples_source *samples;
    const option_path *inputs; /* other than the samples */
    const option_path *outputs;
    const char *plot; /* the folder of --plot; NULL: none */
} run_paths;

/* True where every output is another file than each input and each other output. Links are
 * followed. False: the sentence names both options. */
bool outputs_check(const run_paths *of);

#endif
