/* The names of the kinds of exchange. */
#include "base/names.h"

#include <glnn/exchange.h>

static const char *const kinds[] = {
    [GLNN_EXCHANGE_AUTO] = "auto",
    [GLNN_EXCHANGE_GRADIENTS] = "gradients",
    [GLNN_EXCHANGE_ACTIVATIONS] = "activations",
    [GLNN_EXCHANGE_AVERAGES] = "averages",
};

GLNN__DEFINE_NAMES(glnn_exchange_kind, kinds)
