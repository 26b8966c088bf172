/* The names of the events of a training. */
#include "base/names.h"

#include <glnn/train.h>

static const char *const events[] = {
    [GLNN_EVENT_BATCH] = "batch",
    [GLNN_EVENT_EPOCH] = "epoch",
};

GLNN__DEFINE_NAMES(glnn_event, events)
