/* Whether a data set is one for a network. */
#ifndef GLNN__NET_NETWORK_DATA_H
#define GLNN__NET_NETWORK_DATA_H

#include "net/network.h"

/* The data set has the network's features and outputs, and what its loss needs. */
glnn_status glnn__network_check_data(const glnn_network *network, const glnn_dataset *data);

#endif
