/* A network as a learner: training, measuring and using it. */
#include "net/network.h"

#include "base/status.h"
#include "net/loss.h"
#include "net/network_description.h"
#include "net/network_exchange.h"
#include "net/network_gather.h"
#include "net/network_passes.h"
#include "net/network_predict.h"
#include "train/functions.h"

static glnn_status prepare(void *self, int rows, int group)
{
    (void)group;
    return glnn__network_prepare(self, rows);
}

static void begin_step(void *self, const glnn__step *step)
{
    glnn_network *network = self;
    const glnn_optimizer *optimizer = &network->desc.optimizer;
    const bool averages = glnn__exchange_averages(step->exchange) > 0;
    const glnn__optimizer_step of = {
        .weight = 1 / (float)(averages ? step->own_samples : step->samples),
        .rate = step->rate.f,
        .seed = network->desc.seed,
        .step = ++network->steps,
    };
    network->step.i = (int)(uint32_t)network->steps;
    glnn__optimizer_fill(optimizer, &of, &network->slots);
    for (int i = 0; i < network->desc.layer_count; ++i)
        glnn__parameters_fill(optimizer, &of, &network->layers[i].parameters);
}

static glnn__sink sink_of(const glnn_network *network, const glnn__step *step)
{
    return (glnn__sink){
        .optimizer = &network->desc.optimizer,
        .slots = &network->slots,
        .is_first = step->is_first,
        .is_last = step->is_last,
        .is_exchanged = step->exchange && !glnn__exchange_averages(step->exchange),
    };
}

/* The gradients come after all deltas, so that they need not wait for each other: an update stores
 * to weights that a delta reads, and each gradient between two deltas would cost a barrier. */
static glnn_status find_gradients(glnn_network *network, const glnn__flow *flow,
                                  const glnn__batch *part, const glnn__sink *sink)
{
    GLNN__TRY(glnn__network_backward(network, flow, part, &network->trained.metrics));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(glnn__network_layer_gradient(network, flow, i, sink));
    return GLNN_OK;
}

/* Each gradient follows its delta, so that it can travel while the others are computed. */
static glnn_status exchange_gradients(glnn_network *network, const glnn__flow *flow,
                                      const glnn__batch *part, const glnn__sink *sink,
                                      const glnn__step *step)
{
    GLNN__TRY(glnn__network_loss(network, part, &network->trained.metrics));
    for (int i = network->desc.layer_count - 1; i >= 0; --i) {
        const bool gathers = glnn__network_gathers(i, step);
        GLNN__TRY(glnn__network_layer_backward(network, flow, i));
        if (!gathers)
            GLNN__TRY(glnn__network_layer_gradient(network, flow, i, sink));
        GLNN__TRY(gathers ? glnn__network_gather_begin(network, i, false, step)
                          : glnn__network_exchange_begin(network, i, step));
    }
    return GLNN_OK;
}

static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn_network *network = self;
    const glnn__sink sink = sink_of(network, step);
    if (part->count == 0)
        return glnn__network_exchange_nothing(network, step);
    glnn__flow flow = glnn__network_flow(network, part->count);
    flow.trains = flow.learns = true;
    flow.seed = network->desc.seed;
    flow.step.slot = &network->step;
    flow.first = glnn__batch_place(part);
    GLNN__TRY(glnn__network_forward(network, &flow, part));
    return sink.is_exchanged ? exchange_gradients(network, &flow, part, &sink, step)
                             : find_gradients(network, &flow, part, &sink);
}

/* Updates each layer as soon as its gradient is there. */
static glnn_status apply_as_they_come(glnn_network *network, const glnn__sink *sink,
                                      const glnn__step *step)
{
    for (int i = network->desc.layer_count - 1; i >= 0; --i) {
        const bool gathers = glnn__network_gathers(i, step);
        GLNN__TRY(gathers ? glnn__network_gather_end(network, i, sink, step)
                          : glnn__network_exchange_end(network, i, step));
        if (network->layers[i].parameters.values && !gathers)
            GLNN__TRY(glnn__sink_apply(network->ctx, sink, NULL, &network->layers[i].parameters));
    }
    return GLNN_OK;
}

/* The updates that need the whole gradient. */
static glnn_status update(glnn_network *network, const glnn__step *step)
{
    const glnn__sink sink = sink_of(network, step);
    if (glnn__sink_fuses(&sink))
        return GLNN_OK;
    if (network->desc.optimizer.clip_norm == 0)
        return apply_as_they_come(network, &sink, step);
    bool is_first = true;
    for (int i = network->desc.layer_count - 1; i >= 0; --i)
        GLNN__TRY(glnn__network_gathers(i, step) ? glnn__network_gather_end(network, i, &sink, step)
                                                 : glnn__network_exchange_end(network, i, step));
    for (int i = 0; i < network->desc.layer_count; ++i) {
        const glnn__parameters *parameters = &network->layers[i].parameters;
        if (parameters->values)
            GLNN__TRY(
                glnn__sink_add_squares(network->ctx, parameters, is_first, &network->squares));
        is_first = is_first && !parameters->values;
    }
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (network->layers[i].parameters.values)
            GLNN__TRY(glnn__sink_apply(network->ctx, &sink, network->squares.sum,
                                       &network->layers[i].parameters));
    return GLNN_OK;
}

/* With averages, a process updates by its own gradients. */
static glnn_status apply(void *self, const glnn__step *step)
{
    const bool has_none = glnn__exchange_averages(step->exchange) && step->own_samples == 0;
    return has_none ? GLNN_OK : update(self, step);
}

static int exchanged(const void *self, glnn__exchanged *out)
{
    return glnn__network_list_exchanged(self, out);
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn_network *network = self;
    const glnn__flow flow = glnn__network_flow(network, part->count);
    GLNN__TRY(glnn__network_forward(network, &flow, part));
    return glnn__loss_metrics(network, part, &network->trained.measured);
}

static void visit(void *self, glnn__visitor *visitor)
{
    glnn_network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        glnn__layer_visit(&network->layers[i], visitor);
}

static void changed(void *self)
{
    glnn_network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        network->layers[i].is_stale = true;
}

static void state(void *self, glnn__state *state)
{
    glnn_network *network = self;
    glnn__state_count(state, &network->steps, "steps");
}

static void identify(const void *self, glnn__texts *texts)
{
    const glnn_network *network = self;
    glnn__network_identify(&network->desc, texts);
}

static glnn_status save(const void *self, const char *path)
{
    return glnn_network_save(self, path);
}

/* The full batch is the default of an optimizer that needs it. */
static void describe(glnn__learner *learner, glnn_train_desc *desc)
{
    if (learner->compares_steps && desc->batch == 0)
        desc->batch = GLNN_FULL_BATCH;
}

/* The mean of the high digits and that of the low ones would not be the mean of both. */
static glnn_status begin(glnn__learner *learner, const glnn_dataset *data, glnn_train_desc *desc)
{
    glnn_network *network = learner->self;
    (void)data;
    (void)desc;
    if (glnn__exchange_averages(network->trained.exchange) && network->desc.optimizer.two_parts)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "exchange: averages, but optimizer.two_parts keeps each parameter in two "
                          "numbers");
    return GLNN_OK;
}

/* Those of ADAM and RMSPROP are above the usual 0.001, with which ten epochs of some thousand
 * samples end far from where descent with momentum does. */
static float default_rate(glnn_optimizer_kind kind)
{
    switch (kind) {
    case GLNN_OPTIMIZER_ADAM:
    case GLNN_OPTIMIZER_RMSPROP:
        return 0.003f;
    case GLNN_OPTIMIZER_RPROP:
        return 0;
    default:
        return 0.05f;
    }
}

glnn__learner glnn__network_learner(glnn_network *network)
{
    static const glnn__learner_type type = {
        .name = "network",
        .prepare = prepare,
        .begin_step = begin_step,
        .gradient = gradient,
        .apply = apply,
        .measure = measure,
        .classify = glnn__network_classify,
        .predict = glnn__network_predict,
        .store = glnn__network_store,
        .place = glnn__network_place,
        .visit = visit,
        .changed = changed,
        .state = state,
        .exchanged = exchanged,
        .identify = identify,
        .save = save,
        .describe = describe,
        .begin = begin,
    };
    const glnn_optimizer_kind optimizer = network->desc.optimizer.kind;
    return (glnn__learner){
        .type = &type,
        .ctx = network->ctx,
        .self = network,
        .trained = &network->trained,
        .features = network->desc.features,
        .shape = network->desc.shape,
        .outputs = glnn__network_classes(network),
        .predicted = glnn__network_outputs(network),
        .labelled = network->desc.loss == GLNN_LOSS_CROSS_ENTROPY ? "cross-entropy" : NULL,
        .capacity = network->desc.capacity,
        .layout = network->desc.layout,
        .default_rate = default_rate(optimizer),
        .compares_steps =
            optimizer == GLNN_OPTIMIZER_RPROP ? glnn_optimizer_kind_name(optimizer) : NULL,
        .learns_targets = true,
        .uses_weights = true,
        .records_losses = true,
        .reads_half = network->desc.precision == GLNN_PRECISION_MIXED,
        .exchanges = true,
        .is_checked = true,
        .averages = !network->desc.optimizer.two_parts && optimizer != GLNN_OPTIMIZER_RPROP,
    };
}

GLNN__LEARNER_FUNCTIONS(network)
