#include "rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/whole_file.h"
#include "json.h"
#include "settings_rows.h"
#include "training.h"

enum { NAME = 64, WIDTH = 18, NAME_WIDTH = 18 };

/* Returns false after Ctrl-C. */
static bool run_round(glnn_context *ctx, const char *name, bool shows, settings *with,
                      round_result *out)
{
    session on = {.ctx = ctx, .data.silent = !shows};
    predictions predicted = {0};
    report state = {.round = name};
    session_fill(&on, with);
    REQUIRE(on.test != NULL ||
            refuse("%s: there are no samples to measure the models on", on.data.from));
    learner_start(on.learner, on.training);
    training_run(&on, with, &state, NULL);
    const bool done = !interrupted();
    if (done) {
        predictions_make(on.learner, with, &on.data, &predicted);
        out->of = figures_measure(on.learner, &predicted, with, &on.data);
        out->training = on.data.train.samples;
        out->measured = on.data.test.samples;
    }
    predictions_free(&predicted);
    session_empty(&on);
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
        printf("  %*s", WIDTH, deviations ? both : text);
    }
    printf("\n");
    fflush(stdout);
}

static void show_head(const figures *shown)
{
    printf("%-*s", NAME_WIDTH, "");
    for (int f = 0; f < FIGURE_COUNT; ++f)
        if (!isnan(shown->values[f]))
            printf("  %*s", WIDTH, figure_heading(f));
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

int rounds_count(const settings *with)
{
    return (with->folds > 0 ? with->folds : 1) * with->seeds;
}

static rounds summarise(int count, const round_result *each)
{
    rounds all = {.count = count};
    figures *of = malloc(((size_t)count + 1) * sizeof *of);
    REQUIRE(of != NULL || refuse("no memory for the figures of %d trainings", count));
    for (int i = 0; i < count; ++i)
        of[i] = each[i].of;
    figures_summarise(count, of, &all.means, &all.deviations);
    if (count > 0) {
        all.training = each[0].training;
        all.measured = each[0].measured;
    }
    free(of);
    return all;
}

rounds rounds_run(glnn_context *ctx, const settings *with, bool shows, round_result *each)
{
    const int folds = with->folds > 0 ? with->folds : 1, most = rounds_count(with);
    char name[NAME] = "";
    int count = 0;
    for (; count < most; ++count) {
        settings one = *with;
        one.seed = one.data.from.split.seed = with->seed + (uint64_t)(count / folds);
        /* All trials of a search leave out the same test samples. */
        if (!with->search)
            one.data.from.seed = one.seed;
        one.data.from.split.folds = with->folds;
        one.data.from.split.fold = count % folds;
        name_round(with, one.seed, count % folds, name);
        each[count] =
            (round_result){.seed = one.seed, .fold = with->folds > 0 ? count % folds + 1 : 0};
        if (!run_round(ctx, name, shows && count == 0, &one, &each[count]))
            break;
        if (shows && count == 0)
            show_head(&each[0].of);
        if (shows)
            show_line(name, &each[count].of, NULL, &each[0].of);
    }
    return summarise(count, each);
}

static void write_round(FILE *file, const round_result *of, bool are_targets)
{
    fprintf(file, "    {\"seed\": %llu, ", (unsigned long long)of->seed);
    JSON_MEMBERS(file, ", ", {"fold", of->fold}, {"training_samples", of->training},
                 {"samples", of->measured});
    fputs(", \"metrics\": ", file);
    figures_write(file, &of->of, are_targets);
    fputc('}', file);
}

static void write_rounds(const settings *with, const rounds *of, const round_result *each)
{
    const bool are_targets = settings_learn_targets(with);
    whole_file to;
    REQUIRE(whole_file_open(with->metrics, &to));
    FILE *file = to.stream;
    fputs("{\n  ", file);
    JSON_MEMBERS(file, ",\n  ", {"folds", with->folds}, {"seeds", with->seeds},
                 {"trainings", of->count});
    fputs(",\n  \"means\": ", file);
    figures_write(file, &of->means, are_targets);
    fputs(",\n  \"deviations\": ", file);
    figures_write(file, &of->deviations, are_targets);
    fputs(",\n  \"rounds\": [", file);
    for (int i = 0; i < of->count; ++i) {
        fputs(i > 0 ? ",\n" : "\n", file);
        write_round(file, &each[i], are_targets);
    }
    fputs("\n  ]\n}\n", file);
    REQUIRE(whole_file_close(&to));
    printf("metrics    %s\n", with->metrics);
}

void rounds_compare(glnn_context *ctx, const settings *with)
{
    settings all = *with;
    round_result *each = malloc((size_t)rounds_count(with) * sizeof *each);
    REQUIRE(each != NULL ||
            refuse("no memory for the results of %d trainings", rounds_count(with)));
    if (with->folds > 0 && !with->given[DATA_HOLDOUT])
        all.data.from.holdout = 0;
    const rounds of = rounds_run(ctx, &all, true, each);
    if (of.count == 0)
        printf("interrupted before the end of the first training\n");
    else if (interrupted())
        printf("interrupted; these are the means of %d training%s\n", of.count,
               of.count == 1 ? "" : "s");
    if (of.count > 0)
        show_line("mean +- deviation", &of.means, &of.deviations, &of.means);
    if (with->metrics && of.count > 0)
        write_rounds(with, &of, each);
    free(each);
}
