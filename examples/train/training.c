#include "training.h"

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
    const char *epochs =
        with->schedule == GLNN_SCHEDULE_STEP ? ", with --schedule step also --epochs" : "";
    REQUIRE(status != GLNN_E_ARG || strstr(glnn_last_error(), "checkpoint belongs to") == NULL ||
            refuse("%s; --resume needs the samples and options of the former run%s, and "
                   "--overwrite in its place begins anew",
                   glnn_last_error(), epochs));
    training_check_budget(with, status);
}

void training_run(glnn_learner *of, const settings *with, const samples *data,
                  const glnn_dataset *training, const glnn_dataset *test, report *state,
                  glnn_curve *curve)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(of);
    /* Unless --batch is given, k-means and mixtures take all samples in lists of passes. */
    const int step = with->batch > 0                                           ? with->batch
                     : kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM ? 1024
                                                                               : 128;
    const int count = (int)glnn_dataset_get_samples(training);
    const bool split = with->data.validation > 0.0f;
    const bool has_aim = with->desired_loss != 0 || with->desired_error > 0;
    const bool chooses = with->restore_best || has_aim;
    const glnn_dataset *measured = split || (chooses && !with->test_validates) ? NULL : test;
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
                                  .distortion = distortion_of(with, data),
                                  .checkpoint = with->checkpoint,
                                  .checkpoint_every = with->every,
                                  .resume = with->resume,
                                  .overwrite = with->overwrite,
                                  .report = report_receive,
                                  .user = state,
                                  .curve = curve,
                                  .report_every = report_interval(step),
                                  .exchange = distributed_exchange(with->processes)};
    glnn_train_result result = {.size = sizeof result};
    if (distributed_is_first(with->processes) && state->round == NULL)
        advice_show(of, with, with->batch < 0 || step > count ? count : step);
    /* Mixtures do not classify samples while they are trained. */
    report_start(state,
                 split      ? "validation"
                 : measured ? "test"
                            : NULL,
                 split ? 1.0 : samples_known_share(data),
                 kind != GLNN_LEARNER_GMM && data->columns.targets == 0);
    state->line.may_end_early =
        with->patience > 0 || has_aim || kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM;
    const glnn_status status = learner_train(of, training, &desc, &result);
    progress_clear(&state->line);
    check_trained(of, with, data, status);
    if (state->round)
        return;
    distributed_show(with->processes, training, &result);
    report_end(&result,
               (double)glnn_dataset_get_samples(training) * (1.0 - (double)with->data.validation),
               step);
    report_stream(training);
}
