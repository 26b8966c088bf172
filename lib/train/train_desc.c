#include "train/samples.h"

#include "base/status.h"
#include "data/check.h"
#include "data/dataset.h"
#include "data/emphasis.h"
#include "distortions/distortion.h"

#include <math.h>

int glnn__train_desc_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data)
{
    return (int)(desc->validation_split * (float)data->samples);
}

static glnn_status check_numbers(const glnn_train_desc *desc)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"epochs", desc->epochs},
        {"patience", desc->patience},
        {"report_every", desc->report_every},
        {"accumulate", desc->accumulate},
        {"schedule.rate", (double)desc->schedule.rate},
        {"schedule.final_rate", (double)desc->schedule.final_rate},
        {"schedule.factor", (double)desc->schedule.factor},
        {"schedule.every", desc->schedule.every},
        {"min_improvement", (double)desc->min_improvement},
        {"checkpoint_every", desc->checkpoint_every},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!(numbers[i].value >= 0) || !isfinite(numbers[i].value))
            return glnn__fail(GLNN_E_ARG, "%s is %g; it has to be finite and not negative",
                              numbers[i].name, numbers[i].value);
    return GLNN_OK;
}

static glnn_status check_schedule(const glnn_schedule *schedule)
{
    GLNN__TRY(glnn__check_choice("schedule", (int)schedule->kind, GLNN_SCHEDULE_COUNT));
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

static glnn_status check_validation(const glnn_train_desc *desc, const glnn_dataset *data)
{
    if (!(desc->validation_split >= 0 && desc->validation_split < 1))
        return glnn__fail(GLNN_E_ARG, "a validation split of %g is not in [0, 1)",
                          (double)desc->validation_split);
    if (desc->validation && desc->validation_split > 0)
        return glnn__fail(GLNN_E_ARG, "a validation set and a split exclude each other");
    if (desc->patience > 0 && !desc->validation && desc->validation_split == 0)
        return glnn__fail(GLNN_E_ARG,
                          "a patience of %d epochs needs a validation set or a split, "
                          "because it counts epochs without a better validation loss",
                          desc->patience);
    const int kept_apart = glnn__train_desc_kept_apart(desc, data);
    if (desc->validation_split > 0 && (kept_apart < 1 || kept_apart >= data->samples))
        return glnn__fail(GLNN_E_ARG,
                          "a split of %g keeps %d of %d samples apart; there must be one "
                          "on either side",
                          (double)desc->validation_split, kept_apart, data->samples);
    return GLNN_OK;
}

static glnn_status check_checkpoint(const glnn_train_desc *desc)
{
    if (desc->checkpoint && !*desc->checkpoint)
        return glnn__fail(GLNN_E_ARG, "the path of the checkpoint is empty");
    if (!desc->checkpoint && (desc->resume || desc->overwrite || desc->checkpoint_every > 0))
        return glnn__fail(GLNN_E_ARG, "%s, but there is no path of a checkpoint",
                          desc->resume      ? "the training is to be resumed"
                          : desc->overwrite ? "a checkpoint is to be replaced"
                                            : "there is a number of steps between two checkpoints");
    if (desc->resume && desc->overwrite)
        return glnn__fail(GLNN_E_ARG, "a checkpoint is to be continued by resume, and to be "
                                      "replaced by overwrite; a training does one of them");
    return GLNN_OK;
}

static glnn_status check_emphasis(const glnn_train_desc *desc, const glnn_dataset *data,
                                  const glnn_learner *learner)
{
    if (!(desc->emphasis >= 0 && desc->emphasis <= GLNN__MAX_EMPHASIS))
        return glnn__fail(GLNN_E_ARG, "an emphasis of %g; it has to be in [0, %d]",
                          (double)desc->emphasis, GLNN__MAX_EMPHASIS);
    if (desc->emphasis > 0 && !learner->records_losses)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "an emphasis of %g, but only networks are trained with emphasis; this "
                          "learner is a %s",
                          (double)desc->emphasis, learner->type->name);
    if (desc->emphasis > 0 && desc->keep_order)
        return glnn__fail(GLNN_E_ARG,
                          "an emphasis of %g and keep_order exclude each other, because emphasis "
                          "draws the samples at random",
                          (double)desc->emphasis);
    if (desc->emphasis > 0 && learner->compares_steps)
        return glnn__fail(GLNN_E_ARG,
                          "an emphasis of %g and %s exclude each other, because emphasis changes "
                          "the samples from step to step",
                          (double)desc->emphasis, learner->compares_steps);
    if (desc->emphasis > 0 && data->stream)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "an emphasis of %g, but the data set streams; emphasis needs a resident "
                          "one, because the GPU draws the samples",
                          (double)desc->emphasis);
    return GLNN_OK;
}

glnn_status glnn__train_desc_check_rate(float rate, const glnn_learner *learner)
{
    if (learner->default_rate == 0)
        return glnn__fail(GLNN_E_ARG, "a rate of %g, but this learner has no learning rate",
                          (double)rate);
    if (learner->rate_limit > 0 && rate >= learner->rate_limit)
        return glnn__fail(GLNN_E_ARG, "a rate of %g; for this %s it has to be below %g",
                          (double)rate, learner->type->name, (double)learner->rate_limit);
    return GLNN_OK;
}

static glnn_status check_learner(const glnn_train_desc *desc, const glnn_learner *learner,
                                 bool updates_by_epoch)
{
    if (learner->compares_steps && glnn__distortion_is_active(&desc->distortion))
        return glnn__fail(GLNN_E_ARG,
                          "a distortion and %s exclude each other, because distortion changes the "
                          "samples from step to step",
                          learner->compares_steps);
    if (desc->schedule.rate != 0)
        GLNN__TRY(glnn__train_desc_check_rate(desc->schedule.rate, learner));
    if (learner->default_rate == 0 && desc->schedule.kind != GLNN_SCHEDULE_CONSTANT)
        return glnn__fail(GLNN_E_ARG, "schedule %s, but this learner has no learning rate",
                          glnn_schedule_kind_name(desc->schedule.kind));
    if (updates_by_epoch && desc->accumulate > 1)
        return glnn__fail(GLNN_E_ARG,
                          "%d batches to an update, but this learner is updated once an epoch",
                          desc->accumulate);
    return GLNN_OK;
}

static glnn_status check_averages(const glnn_learner *learner)
{
    if (learner->compares_steps)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "exchange: averages, but %s needs the gradient of all samples",
                          learner->compares_steps);
    if (learner->spoils_averages)
        return glnn__fail(GLNN_E_UNSUPPORTED, "exchange: averages, but %s",
                          learner->spoils_averages);
    return learner->averages
               ? GLNN_OK
               : glnn__fail(GLNN_E_UNSUPPORTED, "exchange: averages, which a %s does not exchange",
                            learner->type->name);
}

static glnn_status check_exchange(const glnn_train_desc *desc, const glnn_learner *learner)
{
    const glnn_messenger *messenger = desc->exchange.messenger;
    if (!messenger || messenger->ranks == 1)
        return GLNN_OK;
    if (!learner->exchanges)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "exchange: %d processes, but a %s is trained by one process only",
                          messenger->ranks, learner->type->name);
    if (desc->exchange.kind == GLNN_EXCHANGE_ACTIVATIONS && !learner->type->exchanged)
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
    return GLNN_OK;
}

glnn_status glnn__train_desc_check_batch(const glnn_train_desc *desc, const glnn_learner *learner)
{
    if (desc->batch < GLNN_FULL_BATCH)
        return glnn__fail(GLNN_E_ARG,
                          "a batch of %d samples; it has to be at least 1, 0 for the default, or "
                          "GLNN_FULL_BATCH",
                          desc->batch);
    if (desc->batch > 0 && learner->takes_full_batch)
        return glnn__fail(GLNN_E_ARG,
                          "a batch of %d samples, but this learner always takes the full batch",
                          desc->batch);
    return GLNN_OK;
}

glnn_status glnn__train_desc_check(const glnn_train_desc *desc, const glnn_dataset *data,
                                   const glnn_learner *learner, bool updates_by_epoch)
{
    GLNN__TRY(check_numbers(desc));
    GLNN__TRY(check_schedule(&desc->schedule));
    GLNN__TRY(check_checkpoint(desc));
    GLNN__TRY(check_emphasis(desc, data, learner));
    GLNN__TRY(check_learner(desc, learner, updates_by_epoch));
    GLNN__TRY(check_exchange(desc, learner));
    return check_validation(desc, data);
}
