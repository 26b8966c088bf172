#include "learn/train/training.h"

#include "base/status.h"
#include "base/string.h"
#include "data/dataset.h"
#include "distortions/distortion.h"
#include "learn/sink.h"
#include "learn/train/curve.h"
#include "learn/visits.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- The description */

static const char *const emphasis_kinds[] = {
    [GLNN_EMPHASIS_FREQUENCY] = "frequency",
    [GLNN_EMPHASIS_WEIGHT] = "weight",
};

GLNN__DEFINE_NAMES(glnn_emphasis_kind, emphasis_kinds)

#define DEFAULT_EPOCHS 10
#define DEFAULT_BATCH  128

#define AT(member) offsetof(glnn_train_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(INT, epochs, GLNN__IN_CHECKPOINTS, .least = 1,
              .zero = GLNN__TEXT(DEFAULT_EPOCHS) ", or 100 for k-means and mixtures"),
    GLNN__ROW(
        INT, batch, GLNN__IN_CHECKPOINTS, .least = GLNN_FULL_BATCH,
        .zero = GLNN__TEXT(DEFAULT_BATCH) ", or all samples, -1, for k-means, mixtures and rprop"),
    GLNN__ROW(INT, accumulate, GLNN__IN_CHECKPOINTS, .standard = 1, .least = 1),
    {"batch_schedule", .offset = AT(batch_schedule), .nested = &glnn__batch_schedule_fields},
    {"schedule", .offset = AT(schedule), .nested = &glnn__schedule_fields},
    GLNN__ROW(UINT64, seed, GLNN__IN_CHECKPOINTS),
    GLNN__ROW(BOOL, keep_order, GLNN__IN_CHECKPOINTS),
    GLNN__ROW(FLOAT, emphasis, GLNN__IN_CHECKPOINTS, .most = GLNN__MAX_EMPHASIS),
    GLNN__ROW(CHOICE, emphasis_kind, GLNN__IN_CHECKPOINTS,
              .names = &glnn__names_of_glnn_emphasis_kind),
    GLNN__ROW(FLOAT, validation_split, GLNN__IN_CHECKPOINTS, .most = 1, .below = true),
    {"distortion", .offset = AT(distortion), .nested = &glnn__distortion_fields},
    GLNN__ROW(INT, patience, GLNN__IN_CHECKPOINTS, .least = 1, .zero = "never"),
    GLNN__ROW(FLOAT, min_improvement, GLNN__IN_CHECKPOINTS),
    GLNN__ROW(FLOAT, desired_loss, GLNN__NOT_KEPT, .zero = "none", .least = -INFINITY),
    GLNN__ROW(FLOAT, desired_error, GLNN__NOT_KEPT, .zero = "none", .above = true, .most = 1,
              .below = true),
    GLNN__ROW(BOOL, restore_best, GLNN__IN_CHECKPOINTS),
    GLNN__ROW(INT, report_every, GLNN__NOT_KEPT, .standard = 64, .least = 1),
    GLNN__ROW(INT, checkpoint_every, GLNN__NOT_KEPT, .least = 1, .zero = "the steps of an epoch"),
    GLNN__ROW(BOOL, resume, GLNN__NOT_KEPT),
    GLNN__ROW(BOOL, overwrite, GLNN__NOT_KEPT),
    {"exchange", .offset = AT(exchange), .nested = &glnn__exchange_fields},
};

const glnn__fields glnn__train_fields = GLNN__DESCRIPTION(glnn_train_desc, fields);

static glnn_status check_schedule(const glnn_schedule *schedule)
{
    const bool steps = schedule->kind == GLNN_SCHEDULE_STEP;
    if (!steps && (schedule->factor != 0 || schedule->every != 0))
        return glnn__fail(GLNN_E_ARG,
                          "a factor of %g every %d epochs is for the schedule step, but "
                          "the schedule is %s",
                          (double)schedule->factor, schedule->every,
                          glnn_schedule_kind_name(schedule->kind));
    if ((steps || schedule->kind == GLNN_SCHEDULE_CONSTANT) && schedule->final_rate != 0)
        return glnn__fail(GLNN_E_ARG,
                          "a final rate of %g, but the schedule %s does not lead to one",
                          (double)schedule->final_rate, glnn_schedule_kind_name(schedule->kind));
    return GLNN_OK;
}

static glnn_status check_batches(const glnn_train_desc *desc, const glnn_learner *learner,
                                 bool updates_by_epoch)
{
    const glnn_batch_schedule *schedule = &desc->batch_schedule;
    if (schedule->factor == 0 && (schedule->every != 0 || schedule->most != 0))
        return glnn__fail(GLNN_E_ARG,
                          "a batch of at most %d that changes every %d epochs, but "
                          "batch_schedule.factor is 0, so that it stays",
                          schedule->most, schedule->every);
    if (schedule->factor != 0 && (desc->batch < 0 || updates_by_epoch))
        return glnn__fail(GLNN_E_ARG,
                          "batch_schedule.factor is %g, but this %s takes all samples in each "
                          "step; a batch of at least 1 can grow",
                          (double)schedule->factor, learner->type->name);
    if (schedule->most > 0 && desc->batch > schedule->most)
        return glnn__fail(GLNN_E_ARG,
                          "the batch is %d and grows to batch_schedule.most, %d, which has to be "
                          "at least as large",
                          desc->batch, schedule->most);
    return GLNN_OK;
}

static glnn_status check_validation(const glnn_train_desc *desc, const glnn_dataset *data)
{
    if (desc->validation && desc->validation_split > 0)
        return glnn__fail(GLNN_E_ARG, "a validation set and a split exclude each other");
    if (desc->patience > 0 && !desc->validation && desc->validation_split == 0)
        return glnn__fail(GLNN_E_ARG,
                          "a patience of %d epochs needs a validation set or a split, "
                          "because it counts epochs without a better validation loss",
                          desc->patience);
    const int kept_apart = glnn__samples_kept_apart(desc, data);
    if (desc->validation_split > 0 && (kept_apart < 1 || kept_apart >= data->samples))
        return glnn__fail(GLNN_E_ARG,
                          "a split of %g keeps %d of %d samples apart; there must be one "
                          "on either side",
                          (double)desc->validation_split, kept_apart, data->samples);
    return GLNN_OK;
}

/* Mixtures classify no samples while they are trained. */
static glnn_status check_error(const glnn_train_desc *desc, const glnn_dataset *data,
                               const glnn_learner *learner)
{
    const bool validates = desc->validation || desc->validation_split > 0;
    if (desc->desired_error > 0 && (!data->labels || learner->outputs == 0))
        return glnn__fail(GLNN_E_ARG,
                          "an error of %g is desired, but the %s learns no classes; desired_loss "
                          "ends a training by its loss",
                          (double)desc->desired_error, learner->type->name);
    if (desc->desired_error > 0 && learner->takes_full_batch && !validates)
        return glnn__fail(GLNN_E_ARG,
                          "an error of %g is desired, but a %s classifies no training samples; a "
                          "validation set or a split gives it samples to classify",
                          (double)desc->desired_error, learner->type->name);
    return GLNN_OK;
}

static glnn_status check_checkpoint(const glnn_train_desc *desc)
{
    if (desc->checkpoint && !*desc->checkpoint)
        return glnn__fail(GLNN_E_ARG, "the path of the checkpoint is empty");
    if (!desc->checkpoint &&
        (desc->resume || desc->overwrite || desc->checkpoint_every > 0 || desc->on_device_lost))
        return glnn__fail(GLNN_E_ARG, "%s, but there is no path of a checkpoint",
                          desc->resume      ? "the training is to be resumed"
                          : desc->overwrite ? "a checkpoint is to be replaced"
                          : desc->on_device_lost
                              ? "the training is to continue when the device was lost"
                              : "there is a number of steps between two checkpoints");
    if (desc->resume && desc->overwrite)
        return glnn__fail(GLNN_E_ARG, "a checkpoint is to be continued by resume, and to be "
                                      "replaced by overwrite; a training does one of them");
    return GLNN_OK;
}

/* The part of a learner that compares the gradients of steps, so that these have to be those of all
 * samples; NULL: none. */
static const char *compared_by(const glnn_learner *learner)
{
    return learner->optimizer && learner->optimizer->kind == GLNN_OPTIMIZER_RPROP
               ? glnn_optimizer_kind_name(GLNN_OPTIMIZER_RPROP)
               : NULL;
}

static glnn_status check_emphasis(const glnn_train_desc *desc, const glnn_dataset *data,
                                  const glnn_learner *learner)
{
    const bool weighs = desc->emphasis_kind == GLNN_EMPHASIS_WEIGHT;
    if (desc->emphasis == 0)
        return weighs ? glnn__fail(GLNN_E_ARG, "an emphasis by weight, but emphasis is 0; its "
                                               "exponent says how much a loss counts")
                      : GLNN_OK;
    if (!learner->records_losses)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "an emphasis of %g, but a %s is not trained with emphasis: each sample "
                          "counts once in its means",
                          (double)desc->emphasis, learner->type->name);
    if (desc->keep_order && !weighs)
        return glnn__fail(GLNN_E_ARG,
                          "an emphasis of %g and keep_order exclude each other, because emphasis "
                          "draws the samples at random",
                          (double)desc->emphasis);
    if (compared_by(learner))
        return glnn__fail(GLNN_E_ARG,
                          "an emphasis of %g and %s exclude each other, because emphasis changes "
                          "the samples from step to step",
                          (double)desc->emphasis, compared_by(learner));
    if (data->samples > GLNN__MAX_NUMBERED)
        return glnn__fail(GLNN_E_LIMIT,
                          "an emphasis of %g, but %s has %d samples; emphasis takes at most %d",
                          (double)desc->emphasis, data->name, data->samples, GLNN__MAX_NUMBERED);
    return GLNN_OK;
}

glnn_status glnn__training_check_rate(float rate, const glnn_learner *learner)
{
    if (learner->default_rate == 0)
        return glnn__fail(GLNN_E_ARG, "a rate of %g, but this learner has no learning rate",
                          (double)rate);
    if (learner->rate_limit > 0 && rate >= learner->rate_limit)
        return glnn__fail(GLNN_E_ARG, "a rate of %g; for this %s it has to be below %g",
                          (double)rate, learner->type->name, (double)learner->rate_limit);
    return GLNN_OK;
}

glnn_status glnn__training_choose_rate(const char *function, const glnn_learner *learner,
                                       float *rate)
{
    if (!(*rate >= 0 && isfinite(*rate)))
        return glnn__fail(GLNN_E_ARG,
                          "%s: rate is %g; it has to be a finite number above 0, or 0 for the "
                          "default",
                          function, (double)*rate);
    if (*rate > 0)
        return glnn__fail_in(function, glnn__training_check_rate(*rate, learner));
    *rate = learner->default_rate;
    return GLNN_OK;
}

static glnn_status check_learner(const glnn_train_desc *desc, const glnn_learner *learner,
                                 bool updates_by_epoch)
{
    if (compared_by(learner) && glnn__distortion_is_active(&desc->distortion))
        return glnn__fail(GLNN_E_ARG,
                          "a distortion and %s exclude each other, because distortion changes the "
                          "samples from step to step",
                          compared_by(learner));
    if (desc->schedule.rate != 0)
        GLNN__TRY(glnn__training_check_rate(desc->schedule.rate, learner));
    if (learner->default_rate == 0 && desc->schedule.kind != GLNN_SCHEDULE_CONSTANT)
        return glnn__fail(GLNN_E_ARG, "schedule %s, but this learner has no learning rate",
                          glnn_schedule_kind_name(desc->schedule.kind));
    if (updates_by_epoch && desc->accumulate > 1)
        return glnn__fail(GLNN_E_ARG,
                          "%d batches to an update, but this learner is updated once an epoch",
                          desc->accumulate);
    return GLNN_OK;
}

/* The mean of the high digits and that of the low ones would not be the mean of both. */
bool glnn__training_averages(const glnn_learner *learner)
{
    return learner->optimizer && !learner->optimizer->two_parts && !compared_by(learner);
}

static glnn_status check_averages(const glnn_learner *learner)
{
    if (glnn__training_averages(learner))
        return GLNN_OK;
    if (compared_by(learner))
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "exchange: averages, but %s needs the gradient of all samples",
                          compared_by(learner));
    return learner->optimizer
               ? glnn__fail(GLNN_E_UNSUPPORTED, "exchange: averages, but optimizer.two_parts keeps "
                                                "each parameter in two numbers")
               : glnn__fail(GLNN_E_UNSUPPORTED, "exchange: averages, which a %s does not exchange",
                            learner->type->name);
}

static glnn_status check_exchange(const glnn_train_desc *desc, glnn_learner *learner)
{
    const glnn_messenger *messenger = desc->exchange.messenger;
    glnn__exchanged layers[GLNN_EXCHANGE_MAX_LAYERS];
    if (!messenger || messenger->ranks == 1)
        return GLNN_OK;
    if (desc->exchange.kind == GLNN_EXCHANGE_ACTIVATIONS &&
        glnn__learner_list_exchanged(learner, layers) == 0)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "exchange: activations, which only networks exchange; this learner is a "
                          "%s",
                          learner->type->name);
    if (desc->exchange.kind == GLNN_EXCHANGE_AVERAGES)
        GLNN__TRY(check_averages(learner));
    if (desc->emphasis > 0)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "an emphasis of %g, but %d processes train together; each of them would "
                          "know the losses of its own samples only",
                          (double)desc->emphasis, messenger->ranks);
    if (desc->on_device_lost)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "the training is to continue when the device was lost, but %d processes "
                          "train together; a loss ends the training of all",
                          messenger->ranks);
    return GLNN_OK;
}

static glnn_status check_distortion(const glnn_learner *learner, const glnn_dataset *data,
                                    glnn_train_desc *desc)
{
    const glnn_distortion asked = desc->distortion;
    if (!glnn__distortion_is_asked(&asked))
        return GLNN_OK;
    if (data->may_change)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: a distortion, but the samples are in a matrix of the program, which "
                          "may change; distortion makes a copy of the images once",
                          data->name);
    return glnn__distortion_resolve(&asked, learner->shape, learner->features, &desc->distortion);
}

static glnn_status check(glnn_learner *learner, const glnn_dataset *data, glnn_train_desc *desc,
                         bool is_taken, bool updates_by_epoch)
{
    GLNN__TRY(glnn__check_data(learner, data, true));
    if (desc->validation)
        GLNN__TRY(glnn__check_data(learner, desc->validation, true));
    if (is_taken)
        return glnn__fail(GLNN_E_STATE, "another trainer of this %s has not finished",
                          learner->type->name);
    GLNN__TRY(check_schedule(&desc->schedule));
    GLNN__TRY(check_batches(desc, learner, updates_by_epoch));
    GLNN__TRY(check_checkpoint(desc));
    GLNN__TRY(check_emphasis(desc, data, learner));
    GLNN__TRY(check_learner(desc, learner, updates_by_epoch));
    GLNN__TRY(check_exchange(desc, learner));
    GLNN__TRY(check_error(desc, data, learner));
    GLNN__TRY(check_validation(desc, data));
    return check_distortion(learner, data, desc);
}

/* ---- The learner */

/* Ends the connection of a learner and its trainer, if there is one. */
static void release(glnn_learner *learner)
{
    if (!learner || !learner->trainer)
        return;
    if (learner->type->end_training)
        learner->type->end_training(learner);
    *learner->held_by = NULL;
    learner->metrics.losses = NULL;
    learner->metrics.factors = NULL;
    learner->trainer = NULL;
    learner->held_by = NULL;
}

/* Those that the checks look at. */
static void fill_first_defaults(const glnn_learner *learner, bool updates_by_epoch,
                                glnn_train_desc *desc)
{
    desc->epochs = desc->epochs == 0 ? learner->default_epochs : desc->epochs;
    desc->restore_best = desc->restore_best || learner->restores_best;
    if (updates_by_epoch) {
        desc->batch = learner->capacity;
        desc->keep_order = true;
    } else if (compared_by(learner) && desc->batch == 0) {
        desc->batch = GLNN_FULL_BATCH;
    }
}

glnn_status glnn__training_create(glnn_learner *learner, const glnn_dataset *data,
                                  const glnn_train_desc *desc, bool is_taken, glnn_trainer *trainer,
                                  glnn__training *out)
{
    *out = (glnn__training){.ctx = learner->ctx, .learner_name = learner->type->name};
    if (desc)
        out->desc = *desc;
    /* The program may destroy all of these before the trainer. */
    out->data = glnn__dataset_share(data);
    if (out->desc.validation)
        out->validation = glnn__dataset_share(out->desc.validation);
    if (out->desc.curve)
        out->curve = glnn__curve_share(out->desc.curve);
    GLNN__TRY(glnn__exchange_check(&out->desc.exchange));
    GLNN__TRY(glnn__exchange_create(learner->ctx, &out->desc.exchange, &out->exchange));
    GLNN__TRY(glnn__fields_check(&glnn__train_fields, &out->desc));
    if (out->desc.batch > 0 && learner->takes_full_batch)
        return glnn__fail(GLNN_E_ARG,
                          "a batch of %d samples, but this learner always takes the full batch",
                          out->desc.batch);
    const bool updates_by_epoch = learner->sums_epochs && out->desc.batch <= 0;
    fill_first_defaults(learner, updates_by_epoch, &out->desc);
    GLNN__TRY(check(learner, data, &out->desc, is_taken, updates_by_epoch));
    release(learner);
    out->learner = learner;
    learner->trainer = trainer;
    learner->held_by = &out->learner;
    learner->updates_by_epoch = updates_by_epoch;
    if (!out->desc.checkpoint)
        return GLNN_OK;
    out->desc.checkpoint = out->checkpoint = glnn__string_copy(out->desc.checkpoint);
    return out->checkpoint ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for a file name");
}

void glnn__training_destroy(glnn__training *training)
{
    glnn__exchange_destroy(training->exchange);
    glnn__samples_destroy(&training->samples);
    glnn__distorter_destroy(training->distorter);
    release(training->learner);
    glnn__emphasis_destroy(&training->emphasis);
    glnn__dataset_release(training->data);
    glnn__dataset_release(training->validation);
    glnn_curve_destroy(training->curve);
    free(training->checkpoint);
}

/* ---- Beginning */

static void fill_defaults(const glnn_learner *learner, glnn_train_desc *desc)
{
    glnn_schedule *schedule = &desc->schedule;
    desc->epochs = desc->epochs == 0 ? DEFAULT_EPOCHS : desc->epochs;
    schedule->rate = schedule->rate == 0 ? learner->default_rate : schedule->rate;
    desc->batch = desc->batch == 0 ? DEFAULT_BATCH : desc->batch;
}

static glnn_status choose_samples(glnn__training *of)
{
    const char *part = compared_by(of->learner);
    GLNN__TRY(glnn__samples_choose(of->learner, of->data, &of->desc, of->exchange, &of->samples));
    of->desc.batch = of->samples.batch;
    if (!part || of->samples.step == of->samples.count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "a step of %d samples; %s needs all %d training samples in each step, as "
                      "GLNN_FULL_BATCH gives them",
                      of->samples.step, part, of->samples.count);
}

/* The copy of resident images is reserved now, so that training does not fail later. */
static glnn_status create_distorter(glnn__training *of)
{
    if (!glnn__distortion_is_active(&of->desc.distortion))
        return GLNN_OK;
    GLNN__TRY(glnn__distorter_create(of->ctx, &of->desc.distortion, of->desc.seed, &of->distorter));
    return of->data->stream ? GLNN_OK : glnn__distorter_reserve(of->distorter, of->data->inputs);
}

/* The passes of the learner may be other ones than in the training before. */
glnn_status glnn__training_begin(glnn__training *of)
{
    glnn_learner *learner = of->learner;
    if (learner->type->begin)
        GLNN__TRY(learner->type->begin(learner, of->data, &of->desc));
    glnn__lists_destroy(&learner->lists);
    fill_defaults(learner, &of->desc);
    GLNN__TRY(choose_samples(of));
    GLNN__TRY(create_distorter(of));
    if (of->desc.emphasis == 0)
        return GLNN_OK;
    const glnn_status status =
        glnn__emphasis_create(of->ctx, of->desc.emphasis, of->desc.emphasis_kind, of->desc.seed,
                              &of->samples.order, of->samples.count, &of->emphasis);
    learner->metrics.losses = of->emphasis.presented;
    learner->metrics.factors = of->emphasis.factors;
    return status;
}

/* ---- The order of the samples */

/* The GPU draws the samples of each epoch; the entries stay as they are, unless they stream. */
static bool is_drawn(const glnn__training *of)
{
    return of->desc.emphasis > 0 && of->desc.emphasis_kind == GLNN_EMPHASIS_FREQUENCY;
}

static bool is_shuffled(const glnn__training *of)
{
    return !is_drawn(of) && !of->desc.keep_order;
}

/* Streams collect samples by the entries alone. */
static bool needs_matrix(const glnn__training *of)
{
    return of->desc.emphasis > 0 || !of->data->stream;
}

static glnn_status find_order(glnn__training *of, int epoch, glnn__order *order)
{
    if (of->desc.emphasis == 0)
        return GLNN_OK;
    GLNN__TRY(glnn__emphasis_begin(of->ctx, &of->emphasis, epoch, order));
    return is_drawn(of) && of->data->stream
               ? glnn__order_download(of->ctx, order, of->samples.count)
               : GLNN_OK;
}

/* Matrices for the batches of other processes have other sizes from then on. */
glnn_status glnn__training_go_to_epoch(glnn__training *of, int epoch)
{
    const int before = of->samples.batch;
    glnn__samples_go_to(&of->samples, epoch);
    return of->samples.batch == before ? GLNN_OK
                                       : glnn__learner_visit(of->learner, GLNN__ROLES_PARAMETER,
                                                             glnn__sink_forget_ranks, NULL);
}

/* The order of the samples that are kept apart for validation stays the same. */
glnn_status glnn__training_order_samples(glnn__training *of, int epoch)
{
    glnn__order *order = &of->samples.order;
    GLNN__TRY(glnn__training_go_to_epoch(of, epoch));
    if (is_shuffled(of))
        glnn__order_shuffle(order, of->samples.count);
    if (needs_matrix(of) && (is_shuffled(of) || !order->matrix))
        GLNN__TRY(glnn__order_upload(of->ctx, order));
    return find_order(of, epoch, order);
}

glnn_status glnn__training_upload_order(glnn__training *of)
{
    glnn__order *order = &of->samples.order;
    return needs_matrix(of) && !order->matrix ? glnn__order_upload(of->ctx, order) : GLNN_OK;
}

glnn_status glnn__training_end_order(glnn__training *of, int epoch)
{
    return of->desc.emphasis == 0 ? GLNN_OK : glnn__emphasis_end(of->ctx, &of->emphasis, epoch);
}

glnn_status glnn__training_record_order(glnn__training *of, int epoch)
{
    if (of->desc.emphasis == 0)
        return GLNN_OK;
    GLNN__TRY(glnn__emphasis_begin(of->ctx, &of->emphasis, epoch, &of->samples.order));
    return glnn__emphasis_end(of->ctx, &of->emphasis, epoch);
}

/* The order follows from the seed and the number of epochs that have begun, or from the recent
 * losses. */
static glnn_status fill_order(glnn__training *of, int epoch, bool is_begun, glnn__order *order)
{
    for (int i = 0; i < epoch + is_begun && is_shuffled(of); ++i)
        glnn__order_shuffle(order, of->samples.count);
    if (needs_matrix(of))
        GLNN__TRY(glnn__order_upload(of->ctx, order));
    return is_begun ? find_order(of, epoch, order) : GLNN_OK;
}

glnn_status glnn__training_go_to_order(glnn__training *of, int epoch, bool is_begun,
                                       glnn__order *former)
{
    glnn__samples chosen = {0};
    glnn_status status =
        glnn__samples_choose(of->learner, of->data, &of->desc, of->exchange, &chosen);
    if (!status)
        status = fill_order(of, epoch, is_begun, &chosen.order);
    *former = chosen.order;
    chosen.order = (glnn__order){0};
    glnn__samples_destroy(&chosen);
    if (!status)
        glnn__training_swap_orders(of, former);
    return status;
}

void glnn__training_swap_orders(glnn__training *of, glnn__order *other)
{
    const glnn__order own = of->samples.order;
    of->samples.order = *other;
    *other = own;
}

glnn_status glnn__training_return_to_order(glnn__training *of, int epoch, bool is_begun)
{
    return is_begun ? find_order(of, epoch, &of->samples.order) : GLNN_OK;
}
