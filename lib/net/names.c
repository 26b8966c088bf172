/* The names of a network's enumerations. */
#include "base/names.h"
#include "net/layer_types.h"

#include <glnn/map.h>

static const char *const losses[] = {
    [GLNN_LOSS_CROSS_ENTROPY] = "cross_entropy",
    [GLNN_LOSS_SQUARED] = "squared",
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
GLNN__DEFINE_NAMES(glnn_init, inits)
GLNN__DEFINE_NAMES(glnn_precision, precisions)
GLNN__DEFINE_NAMES(glnn_layer_kind, layer_kinds)

/* An activation has the name of its map. */
static const char *activation_name(int activation)
{
    if (activation == GLNN_ACTIVATION_DEFAULT)
        return "default";
    return glnn_map_name(glnn__activation_map((glnn_activation)activation));
}

const char *glnn_activation_name(glnn_activation activation)
{
    return (unsigned)activation < GLNN_ACTIVATION_COUNT ? activation_name((int)activation)
                                                        : "unknown";
}

glnn_status glnn_activation_from_name(const char *name, glnn_activation *out)
{
    const char *names[GLNN_ACTIVATION_COUNT];
    int value = 0;
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(out);
    for (int i = 0; i < GLNN_ACTIVATION_COUNT; ++i)
        names[i] = activation_name(i);
    GLNN__TRY(glnn__name_find(__func__, names, GLNN_ACTIVATION_COUNT, name, &value));
    *out = (glnn_activation)value;
    return GLNN_OK;
}
