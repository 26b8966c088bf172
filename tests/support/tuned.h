/* Contexts with a cache and a tuning, and products that are long enough to be planned by a
 * profile. */
#ifndef TESTS_TUNED_H
#define TESTS_TUNED_H

#include "tree.h"

glnn_context *context_with(const char *cache, glnn_tuning tuning);

glnn_matrix *random_matrix(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                           uint64_t seed);

/* Runs a product with a long inner dimension, and describes its plan. */
void run_long_product(glnn_context *ctx, char *plan, size_t size);

/* The one file of profiles in a folder. */
const char *tuning_path(const char *cache);

#endif
