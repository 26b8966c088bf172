#include "training.h"

#include <glnn/trainer.h>

#include <stdio.h>
#include <string.h>

#include "advice.h"
#include "common/check.h"
#include "common/failure.h"
#include "learner.h"
#include "prepare.h"

void training_check_budget(const settings *with, glnn_status status)
{
    REQUIRE(status != GLNN_E_LIMIT || strstr(glnn_last_error(), "the data set's budget") == NULL ||
            refuse("--budget %d: %s", with->data.from.budget, glnn_last_error()));
    CHECK(status);
}

static glnn_schedule schedule_of(const settings *with)
{
    const bool stepwise = with->schedule == GLNN_SCHEDULE_STEP;
    return (glnn_schedule){
        .kind = with->schedule, .rate = with->rate, .every = stepwise ? (with->epochs + 2) / 3 : 0};
}

static glnn_distortion distortion_of(const settings *with, const samples *data)
{
    glnn_distortion of = with->distortion;
    if (with->distort)
        of.shape = data->shape;
    return of;
}

/* Ends the program if the training failed, with a sentence that names the options that help. */
static void check_trained(glnn_learner *of, const settings *with, const samples *data,
                          glnn_status status)
{
    REQUIRE(status != GLNN_E_DIVERGED || with->load ||
            glnn_learner_get_kind(of) != GLNN_LEARNER_NETWORK ||
            !prepare_is_unscaled(&with->data, data) ||
            refuse("%s; --standardise usually helps", glnn_last_error()));
    const char *library_advice = strstr(glnn_last_error(), "; overwrite in place of resume");
    REQUIRE(status == GLNN_OK || library_advice == NULL ||
            refuse("%.*s; without %s and %s.1, or with another name, the training begins anew",
                   (int)(library_advice - glnn_last_error()), glnn_last_error(), with->checkpoint,
                   with->checkpoint));
    const char *epochs =
        with->schedule == GLNN_SCHEDULE_STEP ? ", with --schedule step also --epochs" : "";
    REQUIRE(status != GLNN_E_ARG || strstr(glnn_last_error(), "checkpoint belongs to") == NULL ||
            refuse("%s; --resume needs the samples and options of the former run%s, and "
                   "--overwrite in its place begins anew",
                   glnn_last_error(), epochs));
    training_check_budget(with, status);
}

/* For the functions that the library calls. */
typedef struct running {
    session *on;
    settings *with;
    report *state;
    bool has_lost_device;
} running;

static bool receive(void *user, const glnn_report *now)
{
    const running *of = user;
    return report_receive(of->state, now);
}

/* Says from where a training goes on. */
static void show_start(void *user, const glnn_trainer *trainer)
{
    const running *of = user;
    const glnn_report *at = glnn_trainer_get_report(trainer);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    const unsigned long long steps = result->steps;
    const char *path = of->with->checkpoint;
    if (steps > 0)
        printf("resumed    %s%s: after step %llu, in epoch %d of %d%s\n", path,
               result->resumed_former ? ".1" : "", steps, at->epoch, at->epochs,
               of->has_lost_device ? ", in a new context, because the device was lost" : "");
    else if (of->has_lost_device)
        printf("the device was lost before the first checkpoint, so training begins again\n");
    else if (of->with->resume)
        printf("note: %s does not exist yet, so training begins\n", path);
    fflush(stdout);
}

static glnn_status reopen(void *user, glnn_train_desc *desc, glnn_learner **learner,
                          const glnn_dataset **data)
{
    running *of = user;
    of->has_lost_device = true;
    progress_clear(&of->state->line);
    session_close(of->on);
    of->on->data.silent = true;
    session_open(of->on, of->with);
    *learner = of->on->learner;
    *data = of->on->training;
    if (desc->validation)
        desc->validation = of->on->test;
    return GLNN_OK;
}

void training_run(session *on, settings *with, report *state, glnn_curve *curve)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(on->learner);
    /* Unless --batch is given, k-means and mixtures take all samples in lists of passes. */
    const int step = with->batch > 0                                           ? with->batch
                     : kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM ? 1024
                                                                               : 128;
    const int count = (int)glnn_dataset_get_samples(on->training);
    const bool split = with->data.validation > 0.0f;
    const bool has_aim = with->desired_loss != 0 || with->desired_error > 0;
    const bool spares_test = with->restore_best || has_aim || state->round;
    const glnn_dataset *measured =
        split || (spares_test && !with->test_validates) ? NULL : on->test;
    running of = {.on = on, .with = with, .state = state};
    const glnn_train_desc desc = {.epochs = with->epochs,
                                  .batch = with->batch,
                                  .batch_schedule = with->batch_schedule,
                                  .schedule = schedule_of(with),
                                  .seed = with->seed,
                                  .validation = measured,
                                  .validation_split = with->data.validation,
                                  .patience = with->patience,
                                  .desired_loss = with->desired_loss,
                                  .desired_error = with->desired_error,
                                  .restore_best = with->restore_best,
                                  .emphasis = with->emphasis,
                                  .emphasis_kind = with->emphasis_by,
                                  .distortion = distortion_of(with, &on->data),
                                  .checkpoint = with->checkpoint,
                                  .checkpoint_every = with->every,
                                  .resume = with->resume,
                                  .overwrite = with->overwrite,
                                  .report = receive,
                                  .on_start = show_start,
                                  .on_device_lost =
                                      with->checkpoint && !with->processes ? reopen : NULL,
                                  .user = &of,
                                  .curve = curve,
                                  .report_every = report_interval(step),
                                  .exchange = distributed_exchange(with->processes)};
    glnn_train_result result = {.size = sizeof result};
    if (distributed_is_first(with->processes) && state->round == NULL)
        advice_show(on->learner, with, with->batch < 0 || step > count ? count : step);
    /* Mixtures do not classify samples while they are trained. */
    report_start(state,
                 split      ? "validation"
                 : measured ? "test"
                            : NULL,
                 split ? 1.0 : samples_known_share(&on->data),
                 kind != GLNN_LEARNER_GMM && on->data.columns.targets == 0);
    state->line.may_end_early =
        with->patience > 0 || has_aim || kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM;
    const glnn_status status = glnn_learner_train(on->learner, on->training, &desc, &result);
    progress_clear(&state->line);
    check_trained(on->learner, with, &on->data, status);
    if (state->round)
        return;
    distributed_show(with->processes, on->training, &result);
    report_end(&result, (double)count * (1.0 - (double)with->data.validation), step);
    report_stream(on->training);
}
