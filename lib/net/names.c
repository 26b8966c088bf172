/* The names of a network's enumerations. */
#include "base/names.h"
#include "layers/layer_types.h"
#include "ops/map.h"

static const char *const losses[] = {
    [GLNN_LOSS_CROSS_ENTROPY] = "cross_entropy",
    [GLNN_LOSS_SQUARED] = "squared",
    [GLNN_LOSS_ABSOLUTE] = "absolute",
    [GLNN_LOSS_HUBER] = "huber",
    [GLNN_LOSS_HINGE] = "hinge",
    [GLNN_LOSS_BINARY_CROSS_ENTROPY] = "binary_cross_entropy",
    [GLNN_LOSS_QUANTILE] = "quantile",
    [GLNN_LOSS_EXPRESSION] = "expression",
};

static const char *const activations[] = {
    [GLNN_ACTIVATION_DEFAULT] = "default",
    [GLNN_ACTIVATION_SIGMOID] = GLNN__NAME_SIGMOID,
    [GLNN_ACTIVATION_TANH] = GLNN__NAME_TANH,
    [GLNN_ACTIVATION_SCALED_TANH] = GLNN__NAME_SCALED_TANH,
    [GLNN_ACTIVATION_RELU] = GLNN__NAME_RELU,
    [GLNN_ACTIVATION_LEAKY_RELU] = GLNN__NAME_LEAKY_RELU,
    [GLNN_ACTIVATION_IDENTITY] = GLNN__NAME_IDENTITY,
    [GLNN_ACTIVATION_ELU] = GLNN__NAME_ELU,
    [GLNN_ACTIVATION_SOFTSIGN] = GLNN__NAME_SOFTSIGN,
};

static const char *const inits[] = {
    [GLNN_INIT_AUTO] = "auto",
    [GLNN_INIT_GLOROT] = "glorot",
    [GLNN_INIT_HE] = "he",
    [GLNN_INIT_UNIFORM] = "uniform",
};

static const char *const precisions[] = {
    [GLNN_PRECISION_FLOAT32] = "float32",
    [GLNN_PRECISION_MIXED] = "mixed",
};

#define LAYER_NAME(KIND, name) [GLNN_LAYER_##KIND] = #name,
static const char *const layer_kinds[] = {GLNN__LAYER_TYPES(LAYER_NAME)};

GLNN__DEFINE_NAMES(glnn_loss, losses)
GLNN__DEFINE_NAMES(glnn_activation, activations)
GLNN__DEFINE_NAMES(glnn_init, inits)
GLNN__DEFINE_NAMES(glnn_precision, precisions)
GLNN__DEFINE_NAMES(glnn_layer_kind, layer_kinds)
