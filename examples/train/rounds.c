#include "rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "class_weights.h"
#include "common/check.h"
#include "common/failure.h"
#include "model.h"
#include "settings_rows.h"
#include "training.h"

enum { NAME = 64, WIDTH = 12, NAME_WIDTH = 18 };

/* Returns false after Ctrl-C. */
static bool run_round(glnn_context *ctx, const char *name, bool shows, settings *with, rounds *all,
                      figures *out)
{
    samples data = {.silent = !shows || all->count > 0};
    predictions predicted = {0};
    report state = {.round = name};
    glnn_learner *of = model_make(ctx, with, &data);
    predictions_check(of, with, &data);
    if (with->class_weights)
        REQUIRE(class_weights_set(with, &data));
    const glnn_storage storage = settings_get_storage(with);
    glnn_dataset *test = samples_upload(ctx, &data, &data.test, storage, "test samples");
    glnn_dataset *training = samples_upload(ctx, &data, &data.train, storage, "training samples");
    REQUIRE(test != NULL || refuse("%s: there are no samples to measure the models on", data.from));
    if (shows && all->count == 0)
        learner_show(of);
    learner_start(of, training);
    training_run(of, with, &data, training, with->test_validates ? test : NULL, &state, NULL);
    const bool done = !interrupted();
    if (done) {
        predictions_make(of, with, &data, &predicted);
        *out = figures_measure(of, &predicted, with, &data);
        if (all->count == 0) {
            all->training = data.train.samples;
            all->measured = data.test.samples;
        }
    }
    predictions_free(&predicted);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
    glnn_learner_destroy(of);
    samples_free(&data);
    return done;
}

/* The figures that are defined in a round. */
static void show_line(const char *name, const figures *of, const figures *deviations,
                      const figures *shown)
{
    char text[FIGURE_TEXT], spread[FIGURE_TEXT], both[2 * FIGURE_TEXT];
    printf("%-*s", NAME_WIDTH, name);
    for (int f = 0; f < FIGURE_COUNT; ++f) {
        if (isnan(shown->values[f]))
            continue;
        figure_text(f, of->values[f], text);
        if (deviations)
            snprintf(both, sizeof both, "%s +- %s", text,
                     figure_text(f, deviations->values[f], spread));
        printf("  %*s", 2 * WIDTH - 4, deviations ? both : text);
    }
    printf("\n");
    fflush(stdout);
}

static void show_head(const figures *shown)
{
    printf("%-*s", NAME_WIDTH, "");
    for (int f = 0; f < FIGURE_COUNT; ++f)
        if (!isnan(shown->values[f]))
            printf("  %*s", 2 * WIDTH - 4, figure_heading(f));
    printf("\n");
}

/* "fold 2/5", "seed 7" or "seed 7, fold 2/5" */
static void name_round(const settings *with, uint64_t seed, int fold, char name[NAME])
{
    int used = 0;
    if (with->seeds > 1)
        used = snprintf(name, NAME, "seed %llu%s", (unsigned long long)seed,
                        with->folds > 0 ? ", " : "");
    if (with->folds > 0)
        snprintf(name + used, (size_t)(NAME - used), "fold %d/%d", fold + 1, with->folds);
}

rounds rounds_run(glnn_context *ctx, const settings *with, bool shows)
{
    const int folds = with->folds > 0 ? with->folds : 1, most = folds * with->seeds;
    char name[NAME] = "";
    rounds all = {0};
    figures *each = malloc((size_t)most * sizeof *each);
    REQUIRE(each != NULL || refuse("no memory for the figures of %d trainings", most));
    for (int i = 0; i < most; ++i) {
        settings one = *with;
        one.seed = one.data.from.split.seed = with->seed + (uint64_t)(i / folds);
        /* All trials of a search leave out the same test samples. */
        if (!with->search)
            one.data.from.seed = one.seed;
        one.data.from.split.folds = with->folds;
        one.data.from.split.fold = i % folds;
        name_round(with, one.seed, i % folds, name);
        if (!run_round(ctx, name, shows, &one, &all, &each[i]))
            break;
        if (shows && all.count == 0)
            show_head(&each[0]);
        if (shows)
            show_line(name, &each[i], NULL, &each[0]);
        ++all.count;
    }
    figures_summarise(all.count, each, &all.means, &all.deviations);
    free(each);
    return all;
}

void rounds_compare(glnn_context *ctx, const settings *with)
{
    settings all = *with;
    if (with->folds > 0 && !with->given[DATA_HOLDOUT])
        all.data.from.holdout = 0;
    const rounds of = rounds_run(ctx, &all, true);
    if (of.count == 0)
        printf("interrupted before the end of the first training\n");
    else if (interrupted())
        printf("interrupted; these are the means of %d training%s\n", of.count,
               of.count == 1 ? "" : "s");
    if (of.count > 0)
        show_line("mean +- deviation", &of.means, &of.deviations, &of.means);
}
