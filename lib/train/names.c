/* The names of the enumerations of training. */
#include "base/names.h"

#include <glnn/optimizer.h>
#include <glnn/train.h>

static const char *const optimizers[] = {
    [GLNN_OPTIMIZER_SGD] = "sgd",     [GLNN_OPTIMIZER_NESTEROV] = "nesterov",
    [GLNN_OPTIMIZER_ADAM] = "adam",   [GLNN_OPTIMIZER_RMSPROP] = "rmsprop",
    [GLNN_OPTIMIZER_RPROP] = "rprop",
};

static const char *const schedules[] = {
    [GLNN_SCHEDULE_CONSTANT] = "constant",       [GLNN_SCHEDULE_STEP] = "step",
    [GLNN_SCHEDULE_EXPONENTIAL] = "exponential", [GLNN_SCHEDULE_LINEAR] = "linear",
    [GLNN_SCHEDULE_COSINE] = "cosine",           [GLNN_SCHEDULE_INVERSE] = "inverse",
};

static const char *const events[] = {
    [GLNN_EVENT_BATCH] = "batch",
    [GLNN_EVENT_EPOCH] = "epoch",
};

GLNN__DEFINE_NAMES(glnn_optimizer_kind, optimizers)
GLNN__DEFINE_NAMES(glnn_schedule_kind, schedules)
GLNN__DEFINE_NAMES(glnn_event, events)
