#include "learn/sink.h"

#include "base/random.h"
#include "base/status.h"
#include "gl/gl.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>
#include <stdlib.h>

/* ---- Updates */

/* The epilogue turns the gradient, times the optimizer's factor, into the change of the parameters.
 * The pass adds the change to kept * parameters. */
typedef struct change {
    glnn__uniform kept;
    glnn__epilogue epilogue;
    bool is_plain; /* the epilogue has nothing to do */
} change;

/* The epilogue; NULL if the pass itself does all of it. */
static inline const glnn__epilogue *epilogue_of(const change *update)
{
    return update->is_plain ? NULL : &update->epilogue;
}

/* Random numbers of updates come from counters that no other use has. */
#define NOISE_STREAM 2

enum { UPDATE_NONE, UPDATE_MOMENTUM, UPDATE_NESTEROV, UPDATE_ADAM, UPDATE_RMSPROP };

static const glnn__enumerator updates[] = {
    GLNN__ENUMERATOR(UPDATE_NONE),     GLNN__ENUMERATOR(UPDATE_MOMENTUM),
    GLNN__ENUMERATOR(UPDATE_NESTEROV), GLNN__ENUMERATOR(UPDATE_ADAM),
    GLNN__ENUMERATOR(UPDATE_RMSPROP),  {0}};

/* Of both kernels. */
enum { NOISE, UPDATE };
enum { DECAY, DEVIATION, KEY_LOW, KEY_HIGH, SHARED_UNIFORMS };
enum { STATE, SQUARE, LOW, COPY };

#define SHARED_UNIFORM_NAMES                                                                       \
    [DECAY] = "float decay", [DEVIATION] = "float deviation", [KEY_LOW] = "int key_low",           \
    [KEY_HIGH] = "int key_high"

enum {
    STATE_FACTOR = SHARED_UNIFORMS,
    RATE,
    FORMER_RATE,
    EPSILON,
    MEAN_CORRECTION,
    SQUARE_CORRECTION,
    BETA2
};

static const glnn__kernel update_kernel = {
    .name = "optimize/update",
    .options = {[NOISE] = "NOISE", [UPDATE] = "UPDATE"},
    .uniforms = {SHARED_UNIFORM_NAMES, [STATE_FACTOR] = "float state_factor", [RATE] = "float rate",
                 [FORMER_RATE] = "float former_rate", [EPSILON] = "float epsilon",
                 [MEAN_CORRECTION] = "float mean_correction",
                 [SQUARE_CORRECTION] = "float square_correction", [BETA2] = "float beta2"},
    .side_outputs = {[STATE] = "STATE", [SQUARE] = "SQUARE", [LOW] = "LOW", [COPY] = "COPY"},
    .enumerations = {updates},
};

enum { INCREASE = SHARED_UNIFORMS, DECREASE, LEAST, MOST, FIRST };
enum { STEP = SQUARE };

static const glnn__kernel rprop_kernel = {
    .name = "optimize/rprop",
    .options = {[NOISE] = "NOISE"},
    .uniforms = {SHARED_UNIFORM_NAMES, [INCREASE] = "float step_increase",
                 [DECREASE] = "float step_decrease", [LEAST] = "float step_min",
                 [MOST] = "float step_max", [FIRST] = "float step_first"},
    .side_outputs = {[STATE] = "STATE", [STEP] = "STEP", [LOW] = "LOW", [COPY] = "COPY"},
};

/* ---- Slots */

static float factor_of(const glnn_optimizer *optimizer, float rate)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return 1 - optimizer->beta1;
    return optimizer->kind == GLNN_OPTIMIZER_SGD && optimizer->momentum == 0 ? -rate : 1;
}

static float correction(float beta, uint64_t step)
{
    return (float)(1 / (1 - pow((double)beta, (double)step)));
}

static float deviation(const glnn_optimizer *optimizer, uint64_t step)
{
    const double variance =
        (double)optimizer->gradient_noise / pow((double)step, (double)optimizer->noise_decay);
    return (float)sqrt(variance);
}

void glnn__optimizer_fill(const glnn_optimizer *optimizer, const glnn__optimizer_step *step,
                          glnn__optimizer_slots *out)
{
    const bool is_nesterov = optimizer->kind == GLNN_OPTIMIZER_NESTEROV;
    out->weight.f = step->weight;
    out->factor.f = factor_of(optimizer, step->rate);
    out->weighted_factor.f = out->factor.f * step->weight;
    out->decay.f = step->rate * optimizer->weight_decay;
    out->kept.f = 1 - out->decay.f;
    out->rate.f = is_nesterov ? step->rate * (1 + optimizer->momentum) : step->rate;
    out->former_rate.f = step->rate * optimizer->momentum;
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM) {
        out->mean_correction.f = correction(optimizer->beta1, step->step);
        out->square_correction.f = correction(optimizer->beta2, step->step);
    }
    if (optimizer->gradient_noise > 0)
        out->deviation.f = out->factor.f * deviation(optimizer, step->step);
}

/* The key depends on all that the place in the parameters does not. */
void glnn__parameters_fill(const glnn_optimizer *optimizer, const glnn__optimizer_step *step,
                           glnn__parameters *p)
{
    const uint32_t counter[4] = {(uint32_t)step->step, (uint32_t)(step->step >> 32),
                                 (uint32_t)p->number, NOISE_STREAM};
    uint32_t key[4];
    if (optimizer->gradient_noise == 0)
        return;
    glnn__philox(step->seed, counter, key);
    p->noise_key[0].i = (int)key[0];
    p->noise_key[1].i = (int)key[1];
}

/* ---- Updates */

static glnn__epilogue plain_update(void)
{
    return (glnn__epilogue){.kernel = &update_kernel};
}

static glnn__epilogue momentum_update(const glnn_optimizer *optimizer,
                                      const glnn__optimizer_slots *slots)
{
    return (glnn__epilogue){
        .kernel = &update_kernel,
        .options = {[UPDATE] = UPDATE_MOMENTUM},
        .uniforms = {[STATE_FACTOR] = {.f = optimizer->momentum}, [RATE] = {.slot = &slots->rate}}};
}

static glnn__epilogue nesterov_update(const glnn_optimizer *optimizer,
                                      const glnn__optimizer_slots *slots)
{
    return (glnn__epilogue){.kernel = &update_kernel,
                            .options = {[UPDATE] = UPDATE_NESTEROV},
                            .uniforms = {[STATE_FACTOR] = {.f = optimizer->momentum},
                                         [RATE] = {.slot = &slots->rate},
                                         [FORMER_RATE] = {.slot = &slots->former_rate}}};
}

static glnn__epilogue adam_update(const glnn_optimizer *optimizer,
                                  const glnn__optimizer_slots *slots)
{
    return (glnn__epilogue){.kernel = &update_kernel,
                            .options = {[UPDATE] = UPDATE_ADAM},
                            .uniforms = {[STATE_FACTOR] = {.f = optimizer->beta1},
                                         [RATE] = {.slot = &slots->rate},
                                         [EPSILON] = {.f = optimizer->epsilon},
                                         [MEAN_CORRECTION] = {.slot = &slots->mean_correction},
                                         [SQUARE_CORRECTION] = {.slot = &slots->square_correction},
                                         [BETA2] = {.f = optimizer->beta2}}};
}

static glnn__epilogue rmsprop_update(const glnn_optimizer *optimizer,
                                     const glnn__optimizer_slots *slots)
{
    return (glnn__epilogue){.kernel = &update_kernel,
                            .options = {[UPDATE] = UPDATE_RMSPROP},
                            .uniforms = {[STATE_FACTOR] = {.f = optimizer->momentum},
                                         [RATE] = {.slot = &slots->rate},
                                         [EPSILON] = {.f = optimizer->epsilon},
                                         [BETA2] = {.f = optimizer->beta2}}};
}

static glnn__epilogue rprop_update(const glnn_optimizer *optimizer)
{
    return (glnn__epilogue){.kernel = &rprop_kernel,
                            .uniforms = {[INCREASE] = {.f = optimizer->step_increase},
                                         [DECREASE] = {.f = optimizer->step_decrease},
                                         [LEAST] = {.f = optimizer->step_min},
                                         [MOST] = {.f = optimizer->step_max},
                                         [FIRST] = {.f = optimizer->step_first}}};
}

static glnn__epilogue update_of(const glnn_optimizer *optimizer, const glnn__optimizer_slots *slots)
{
    switch (optimizer->kind) {
    case GLNN_OPTIMIZER_NESTEROV:
        return nesterov_update(optimizer, slots);
    case GLNN_OPTIMIZER_ADAM:
        return adam_update(optimizer, slots);
    case GLNN_OPTIMIZER_RMSPROP:
        return rmsprop_update(optimizer, slots);
    case GLNN_OPTIMIZER_RPROP:
        return rprop_update(optimizer);
    default:
        return optimizer->momentum > 0 ? momentum_update(optimizer, slots) : plain_update();
    }
}

/* The states as the kernel knows them. The first state of RMSprop is the second moment. */
static void give_states(const glnn__sink *sink, const glnn__parameters *p, glnn__epilogue *epilogue)
{
    const bool is_rmsprop = sink->optimizer->kind == GLNN_OPTIMIZER_RMSPROP;
    glnn_matrix *const states[] = {p->states[0] == p->low ? NULL : p->states[0],
                                   p->states[1] == p->low ? NULL : p->states[1]};
    epilogue->side_outputs[STATE] = states[is_rmsprop ? 1 : 0];
    epilogue->side_outputs[SQUARE] = states[is_rmsprop ? 0 : 1];
    epilogue->side_outputs[LOW] = p->low;
    epilogue->side_outputs[COPY] = p->copy;
    epilogue->takes_sum = p->copy != NULL;
    epilogue->blends = p->low != NULL;
}

static void add_noise(const glnn__sink *sink, const glnn__parameters *p, glnn__epilogue *epilogue)
{
    epilogue->options[NOISE] = 1;
    epilogue->uniforms[DEVIATION].slot = &sink->slots->deviation;
    epilogue->uniforms[KEY_LOW].slot = &p->noise_key[0];
    epilogue->uniforms[KEY_HIGH].slot = &p->noise_key[1];
}

static change choose_update(const glnn__sink *sink, const glnn__parameters *p)
{
    change u = {.epilogue = update_of(sink->optimizer, sink->slots)};
    give_states(sink, p, &u.epilogue);
    u.kept =
        u.epilogue.blends ? (glnn__uniform){.f = 1} : (glnn__uniform){.slot = &sink->slots->kept};
    u.epilogue.uniforms[DECAY].slot = &sink->slots->decay;
    if (sink->optimizer->gradient_noise > 0)
        add_noise(sink, p, &u.epilogue);
    u.is_plain = u.epilogue.kernel == &update_kernel && u.epilogue.options[UPDATE] == UPDATE_NONE &&
                 !u.epilogue.options[NOISE] && !u.epilogue.takes_sum && !u.epilogue.blends;
    return u;
}

/* ---- Several processes */

typedef struct glnn__gathered {
    glnn__product own; /* of this process */
    int ranks;
    glnn_matrix *factors[]; /* the deltas of each rank, then the inputs; of this process NULL */
} gathered;

static void free_gathered(gathered *of)
{
    for (int i = 0; of && i < GLNN__SENT_COUNT * of->ranks; ++i)
        glnn_matrix_destroy(of->factors[i]);
    free(of);
}

static bool gathers(const glnn__sink *sink, const glnn__parameters *p)
{
    return sink->batch > 0 && glnn__exchange_gathers(sink->exchange, p->number);
}

/* The number of a message of the parameters. */
static int number_of(const glnn__parameters *p, int factor)
{
    return GLNN__SENT_COUNT * p->number + factor;
}

static glnn_status make_gathered(const glnn__sink *sink, glnn__parameters *p)
{
    const int ranks = glnn__exchange_ranks(sink->exchange);
    if (p->gathered && p->gathered->ranks == ranks)
        return GLNN_OK;
    free_gathered(p->gathered);
    p->gathered = calloc(1, sizeof *p->gathered +
                                GLNN__SENT_COUNT * (size_t)ranks * sizeof *p->gathered->factors);
    if (!p->gathered)
        return glnn__fail(GLNN_E_NOMEM, "no memory for matrices of %d processes", ranks);
    p->gathered->ranks = ranks;
    return GLNN_OK;
}

/* Matrices like that of this process for the most samples of each other rank. */
static glnn_status make_factors(const glnn__sink *sink, const glnn_matrix *like, glnn_matrix **out)
{
    for (int r = 0; r < glnn__exchange_ranks(sink->exchange); ++r) {
        const int rows = glnn__exchange_most(sink->exchange, sink->batch, r);
        if (r == glnn__exchange_rank(sink->exchange) || (out[r] && out[r]->rows == rows))
            continue;
        glnn_matrix_destroy(out[r]);
        out[r] = NULL;
        GLNN__TRY(glnn__matrix_create_undefined(like->ctx, like->layout, like->storage, rows,
                                                like->columns, "of another process", &out[r]));
    }
    return GLNN_OK;
}

glnn_status glnn__sink_forget_ranks(void *unused, const glnn__tensor *tensor)
{
    (void)unused;
    if (tensor->parameters)
        free_gathered(tensor->parameters->gathered);
    if (tensor->parameters)
        tensor->parameters->gathered = NULL;
    return GLNN_OK;
}

glnn_status glnn__sink_send(const glnn__sink *sink, glnn__sent factor, glnn_matrix *own,
                            glnn__parameters *p)
{
    if (!gathers(sink, p))
        return GLNN_OK;
    GLNN__TRY(make_gathered(sink, p));
    glnn_matrix **all = p->gathered->factors + (int)factor * p->gathered->ranks;
    GLNN__TRY(make_factors(sink, own, all));
    if (sink->is_empty)
        GLNN__TRY(glnn_fill(own->ctx, 0, own));
    return glnn__exchange_begin_gather(sink->exchange, number_of(p, (int)factor), own, all);
}

/* The samples of a rank are a part of the step. */
static glnn_status add_ranks(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p)
{
    const int ranks = p->gathered->ranks;
    glnn__sink part = {.optimizer = sink->optimizer, .slots = sink->slots};
    for (int r = 0; r < ranks; ++r) {
        glnn__product product = p->gathered->own;
        if (r != glnn__exchange_rank(sink->exchange)) {
            product.b = p->gathered->factors[r];
            product.a = p->gathered->factors[ranks + r];
        }
        part.is_first = r == 0;
        part.is_last = r == ranks - 1;
        GLNN__TRY(glnn__sink_take(ctx, &part, &product, p));
    }
    return GLNN_OK;
}

static glnn_status end_gather(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p)
{
    for (int f = 0; f < GLNN__SENT_COUNT; ++f)
        GLNN__TRY(glnn__exchange_end(sink->exchange, number_of(p, f)));
    const glnn__label former = glnn__label_layer(ctx, p->number, "gradient");
    return glnn__label_end(ctx, former, add_ranks(ctx, sink, p));
}

static glnn_status begin_sum(const glnn__sink *sink, const glnn__parameters *p)
{
    return sink->is_last ? glnn__exchange_begin(sink->exchange, number_of(p, 0), p->sum) : GLNN_OK;
}

/* Ends what began when the gradient was complete on this process. Factors make the update too,
 * unless it is clipped. */
static glnn_status end(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p)
{
    return gathers(sink, p) ? end_gather(ctx, sink, p)
                            : glnn__exchange_end(sink->exchange, number_of(p, 0));
}

/* ---- The sink */

static glnn_status make_sum(glnn_context *ctx, glnn__parameters *p)
{
    if (p->sum)
        return GLNN_OK;
    return glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows, p->values->columns,
                                       "gradient", &p->sum);
}

/* Adds the gradient to the sum of the parts before. */
static glnn_status accumulate(glnn_context *ctx, const glnn__sink *sink, glnn__product product,
                              glnn__parameters *p)
{
    product.c = p->sum;
    product.alpha.slot = &sink->slots->weight;
    product.output_factor.f = sink->is_first ? 0 : 1;
    return glnn__product_run(ctx, &product);
}

typedef struct filling {
    const glnn_optimizer *optimizer;
    const glnn__optimizer_step *step;
} filling;

static glnn_status fill_noise(void *user, const glnn__tensor *tensor)
{
    const filling *of = user;
    glnn__parameters_fill(of->optimizer, of->step, tensor->parameters);
    return GLNN_OK;
}

void glnn__sink_begin(glnn_learner *learner, const glnn__step *step)
{
    const glnn_optimizer *optimizer = learner->optimizer;
    const glnn__optimizer_step of = {
        .weight = step->weight,
        .rate = step->rate.f,
        .seed = learner->seed,
        .step = learner->steps,
    };
    glnn__optimizer_fill(optimizer, &of, &learner->updates);
    if (optimizer->gradient_noise > 0)
        glnn__learner_visit(learner, GLNN__ROLES_PARAMETER, fill_noise, &(filling){optimizer, &of});
}

glnn__sink glnn__sink_of(const glnn_learner *learner, const glnn__step *step)
{
    return (glnn__sink){
        .optimizer = learner->optimizer,
        .slots = &learner->updates,
        .is_first = step->is_first,
        .is_last = step->is_last,
        .exchange = step->is_summed ? step->exchange : NULL,
        .is_empty = step->own_samples == 0,
        .batch = step->has_one_part ? step->batch : 0,
    };
}

/* The gradient of so few samples is computed again in less time than a pass stores it. */
#define FEW_SAMPLES 8

/* Whether the pass of a gradient makes the update too. If it has to be drawn in parts, each
 * computes the gradient again. */
static bool joins(const glnn__sink *sink, const glnn__product *gradient, const glnn__parameters *p)
{
    const change u = choose_update(sink, p);
    const glnn_matrix *values = p->values;
    const glnn_stage stage = glnn__pass_stage(values->ctx, values, &u.epilogue);
    int count = 0;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        count += u.epilogue.side_outputs[i] != NULL;
    return count == 0 || gradient->b->rows <= FEW_SAMPLES ||
           glnn__pass_can_join(values->ctx, stage, values->layout, count);
}

bool glnn__sink_fuses(const glnn__sink *sink)
{
    return sink->optimizer->clip_norm == 0 && !sink->exchange;
}

enum { FACTOR, CLIP_NORM };

static const glnn__kernel apply_kernel = {
    .name = "optimize/apply",
    .operands = {"SQUARES", "GRADIENT"},
    .unviewed = 1,
    .uniforms = {[FACTOR] = "float factor", [CLIP_NORM] = "float clip_norm"},
};

/* Updates parameters by a gradient times `factor`, a slot; `squares` may be NULL, which clips
 * nothing. */
static glnn_status update_by(glnn_context *ctx, const glnn__sink *sink, const glnn__value *factor,
                             const glnn_matrix *gradient, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    const change u = choose_update(sink, p);
    const glnn__pass pass = {
        .kernel = &apply_kernel,
        .operands = {{.matrix = squares}, {.matrix = gradient}},
        .output = p->values,
        .epilogue = epilogue_of(&u),
        .uniforms = {[FACTOR] = {.slot = factor}, [CLIP_NORM] = {.f = sink->optimizer->clip_norm}},
        .blend = true,
        .blend_factor = u.kept,
    };
    const glnn__label former = glnn__label_layer(ctx, ctx->label.layer - 1, "update");
    return glnn__label_end(ctx, former, glnn__pass_run(ctx, &pass));
}

/* The sum of the parts is complete: it makes the update, or is summed over the processes before. */
static glnn_status end_sum(glnn_context *ctx, const glnn__sink *sink, bool fuses,
                           glnn__parameters *p)
{
    return fuses ? update_by(ctx, sink, &sink->slots->factor, p->sum, NULL, p) : begin_sum(sink, p);
}

glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *p)
{
    if (gathers(sink, p)) {
        p->gathered->own = *gradient;
        return GLNN_OK;
    }
    const bool fuses = sink->is_last && glnn__sink_fuses(sink);
    if (!fuses || !joins(sink, gradient, p)) {
        GLNN__TRY(make_sum(ctx, p));
        GLNN__TRY(sink->is_empty ? glnn_fill(ctx, 0, p->sum) : accumulate(ctx, sink, *gradient, p));
        return end_sum(ctx, sink, fuses, p);
    }
    const change u = choose_update(sink, p);
    glnn__product product = *gradient;
    product.c = p->values;
    product.alpha.slot = &sink->slots->weighted_factor;
    product.addend = sink->is_first ? NULL : p->sum;
    product.beta.slot = &sink->slots->factor;
    product.output_factor = u.kept;
    product.epilogue = epilogue_of(&u);
    return glnn__product_run(ctx, &product);
}

static glnn_status accumulate_matrix(glnn_context *ctx, const glnn__sink *sink,
                                     const glnn_matrix *gradient, glnn__parameters *p)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &apply_kernel,
                                   .operands = {{.matrix = NULL}, {.matrix = gradient}},
                                   .output = p->sum,
                                   .uniforms = {[FACTOR] = {.slot = &sink->slots->weight}},
                                   .blend = !sink->is_first,
                                   .blend_factor = {.f = 1},
                               });
}

glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *p)
{
    const bool fuses = sink->is_last && glnn__sink_fuses(sink);
    if (fuses && sink->is_first)
        return update_by(ctx, sink, &sink->slots->weighted_factor, gradient, NULL, p);
    GLNN__TRY(make_sum(ctx, p));
    GLNN__TRY(sink->is_empty ? glnn_fill(ctx, 0, p->sum)
                             : accumulate_matrix(ctx, sink, gradient, p));
    return end_sum(ctx, sink, fuses, p);
}

glnn_status glnn__squares_create(glnn_context *ctx, glnn__squares *squares)
{
    GLNN__TRY(glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, 1, "squares", &squares->sum));
    return glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, 1, "squares of a gradient",
                                    &squares->latest);
}

void glnn__squares_destroy(glnn__squares *squares)
{
    glnn_matrix_destroy(squares->sum);
    glnn_matrix_destroy(squares->latest);
}

glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__sink *sink, glnn__parameters *p,
                                   bool is_first, const glnn__squares *squares)
{
    GLNN__TRY(end(ctx, sink, p));
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, p->sum,
                          is_first ? squares->sum : squares->latest));
    return is_first ? GLNN_OK : glnn_axpby(ctx, 1, squares->latest, 1, squares->sum);
}

glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             glnn__parameters *p)
{
    if (!squares)
        GLNN__TRY(end(ctx, sink, p));
    if (!squares && gathers(sink, p))
        return GLNN_OK;
    return update_by(ctx, sink, &sink->slots->factor, p->sum, squares, p);
}

void glnn__parameters_destroy(glnn__parameters *p)
{
    glnn_matrix_destroy(p->values);
    glnn_matrix_destroy(p->sum);
    for (int s = 0; s < GLNN__MAX_STATES; ++s)
        glnn_matrix_destroy(p->states[s]);
    glnn_matrix_destroy(p->copy);
    free_gathered(p->gathered);
}
