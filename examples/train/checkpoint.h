/* The files of --checkpoint. Functions that return false leave a failure, except
 * checkpoint_is_at. */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H

#include <stdbool.h>

#include "common/folder.h"

/* Whether a checkpoint that can be read is at the path. */
bool checkpoint_is_at(const char *path);

/* The file that keeps the former checkpoint: FILE.1, where FILE is at the end of links. */
bool checkpoint_find_former(const char *path, char former[PATH_CAPACITY]);

/* True if a training may begin with a checkpoint at the path: there is no file, or one that may be
 * replaced. `overwrites`: checkpoints may be, and nothing else. */
bool checkpoint_may_begin(const char *path, bool overwrites);

#endif
