#include "net/network_exchange.h"

#include "base/status.h"
#include "net/network_gather.h"
#include "pass/list.h"

/* The numbers of the messages of a layer. */
static int gradient_number(int layer)
{
    return 2 * layer;
}

static int statistics_number(int layer)
{
    return 2 * layer + 1;
}

static int state_number(int layer, int state)
{
    return 2 * GLNN_NETWORK_MAX_LAYERS + GLNN__MAX_STATES * layer + state;
}

_Static_assert((2 + GLNN__MAX_STATES) * GLNN_NETWORK_MAX_LAYERS <= GLNN__EXCHANGE_LEARNER,
               "each layer has numbers of its own");

glnn_status glnn__network_exchange_begin(glnn_network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange || !step->is_last || glnn__exchange_averages(step->exchange))
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_begin(step->exchange, gradient_number(layer), of->parameters.sum));
    if (of->statistics)
        GLNN__TRY(glnn__exchange_begin_weighted(step->exchange, statistics_number(layer),
                                                (float)step->own_samples / (float)step->samples,
                                                of->statistics));
    return GLNN_OK;
}

glnn_status glnn__network_exchange_end(glnn_network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange)
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_end(step->exchange, gradient_number(layer)));
    return of->statistics ? glnn__exchange_end(step->exchange, statistics_number(layer)) : GLNN_OK;
}

glnn_status glnn__network_exchange_nothing(glnn_network *network, const glnn__step *step)
{
    if (glnn__exchange_averages(step->exchange))
        return GLNN_OK;
    for (int i = network->desc.layer_count - 1; i >= 0; --i) {
        glnn__parameters *parameters = &network->layers[i].parameters;
        if (glnn__network_gathers(i, step)) {
            GLNN__TRY(glnn__network_gather_begin(network, i, true, step));
            continue;
        }
        if (parameters->values)
            GLNN__TRY(glnn__sink_take_nothing(network->ctx, parameters));
        GLNN__TRY(glnn__network_exchange_begin(network, i, step));
    }
    return GLNN_OK;
}

/* ---- The plan */

static glnn__exchanged exchanged_of(const glnn_network *network, int layer)
{
    const glnn__layer *of = &network->layers[layer];
    const double rows = of->parameter_shape.rows, columns = of->parameter_shape.columns;
    const bool gathers =
        of->desc.kind == GLNN_LAYER_DENSE && network->desc.precision == GLNN_PRECISION_FLOAT32;
    return (glnn__exchanged){
        .layer = layer,
        .name = glnn_layer_kind_name(of->desc.kind),
        .first = gradient_number(layer),
        .messages = 2,
        .parameters = (double)glnn__layer_parameter_rows(of) * columns,
        .inputs = gathers ? rows : 0,
        .units = gathers ? columns : 0,
        .multiply_adds = rows * columns * of->out.shape.height * of->out.shape.width,
    };
}

int glnn__network_list_exchanged(const glnn_network *network, glnn__exchanged *out)
{
    int count = 0;
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (network->layers[i].parameters.values)
            out[count++] = exchanged_of(network, i);
    return count;
}

_Static_assert(GLNN_NETWORK_MAX_LAYERS <= GLNN_EXCHANGE_MAX_LAYERS, "a plan has all layers");

/* ---- Averages */

/* The matrices of a layer by their numbers; the first two are its parameters and statistics. */
typedef struct averaged {
    int number;
    glnn_matrix *matrix; /* NULL: none */
} averaged;

enum { AVERAGED_ALWAYS = 2, AVERAGED = AVERAGED_ALWAYS + GLNN__MAX_STATES };

static averaged averaged_of(const glnn_network *network, int layer, int index)
{
    const glnn__layer *of = &network->layers[layer];
    const int state = index - AVERAGED_ALWAYS;
    if (index == 0)
        return (averaged){gradient_number(layer), of->parameters.values};
    if (index == 1)
        return (averaged){statistics_number(layer), of->statistics};
    return (averaged){state_number(layer, state), of->parameters.states[state]};
}

/* Averages the first `kinds` matrices of each layer. */
static glnn_status average(glnn_network *network, int kinds)
{
    glnn__exchange *exchange = network->trained.exchange;
    const int count = kinds * network->desc.layer_count;
    const float weight = (float)(network->own_samples / network->all_samples);
    for (int i = 0; i < count; ++i) {
        const averaged of = averaged_of(network, i / kinds, i % kinds);
        if (of.matrix)
            GLNN__TRY(glnn__exchange_begin_weighted(exchange, of.number, weight, of.matrix));
    }
    for (int i = 0; i < count; ++i) {
        const averaged of = averaged_of(network, i / kinds, i % kinds);
        if (of.matrix)
            GLNN__TRY(glnn__exchange_end(exchange, of.number));
        network->layers[i / kinds].is_stale = true;
    }
    return GLNN_OK;
}

/* After the update of a step, whose means are due after every few. */
static glnn_status follow_averages(void *self, const void *of)
{
    glnn_network *network = self;
    const glnn__step *step = of;
    const uint64_t every = (uint64_t)glnn__exchange_averages(step->exchange);
    network->own_samples += step->own_samples;
    network->all_samples += step->samples;
    if (network->steps % every != 0)
        return GLNN_OK;
    GLNN__TRY(average(network, AVERAGED_ALWAYS));
    network->own_samples = network->all_samples = 0;
    return GLNN_OK;
}

glnn_status glnn__network_follow_averages(glnn_network *network, const glnn__step *step)
{
    return glnn__list_call(network->ctx, follow_averages, network, step, sizeof *step);
}

glnn_status glnn__network_average(glnn_network *network)
{
    const glnn__exchange *exchange = network->trained.exchange;
    if (network->all_samples == 0) {
        network->own_samples = glnn__exchange_weight(exchange, glnn__exchange_rank(exchange));
        network->all_samples = 1;
    }
    GLNN__TRY(average(network, AVERAGED));
    network->own_samples = network->all_samples = 0;
    return GLNN_OK;
}
