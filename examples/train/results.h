/* What a trainer leaves behind next to its figures: the predictions for the test samples. Failures
 * end the program, as with CHECK. */
#ifndef EXAMPLES_RESULTS_H
#define EXAMPLES_RESULTS_H

/* Writes the class of each sample by its name, a line each. */
void results_write_classes(const char *path, int samples, const int *classes, char *const *names);

/* Writes the targets of each sample, a line each with commas between. */
void results_write_targets(const char *path, int samples, int targets, const float *values);

#endif
