/* The search of options at random. */
#ifndef TRAIN_SEARCH_H
#define TRAIN_SEARCH_H

#include "settings.h"

/* Runs the trials of with->search, each in a process of its own, so that one that fails is a row of
 * the table and not the end. Prints the table and the command line of the best trial. Returns the
 * exit status of the program. Other failures end it. */
int search_run(const char *program, const settings *with);

#endif
