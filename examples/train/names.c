#include "names.h"

#define NAMES(noun, ...)                                                                           \
    const char *option_##noun(int value)                                                           \
    {                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return names[value];                                                                       \
    }

NAMES(loss, "cross-entropy", "squared")
NAMES(init, "auto", "glorot", "he", "uniform")
NAMES(optimizer_kind, "sgd", "nesterov", "adam")
NAMES(schedule_kind, "constant", "step", "exponential", "linear", "cosine", "inverse")
NAMES(lvq_init, "auto", "means", "kmeans", "samples")
