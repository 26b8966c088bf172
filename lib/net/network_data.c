#include "net/network_data.h"

#include "base/status.h"

glnn_status glnn__network_check_data(const glnn_network *network, const glnn_dataset *data)
{
    const int outputs = glnn__network_classes(network);
    if (data->ctx != network->ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context than the network",
                          data->name);
    if (data->features != network->desc.features || data->outputs != outputs)
        return glnn__fail(
            GLNN_E_SHAPE,
            "%s: %d features and %d outputs; the network has %d inputs and %d outputs", data->name,
            data->features, data->outputs, network->desc.features, outputs);
    if (network->desc.loss == GLNN_LOSS_CROSS_ENTROPY && !data->labels)
        return glnn__fail(GLNN_E_STATE, "%s: cross-entropy needs labels", data->name);
    return network->desc.precision == GLNN_PRECISION_MIXED ? glnn__dataset_check_half(data)
                                                           : GLNN_OK;
}
