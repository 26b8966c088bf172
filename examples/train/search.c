#include "search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/whole_file.h"
#include "json.h"
#include "progress.h"
#include "rounds.h"
#include "settings_rows.h"
#include "space.h"

enum { SENTENCE = 512, WORDS_MAX = 3 * SETTINGS_ROWS_MAX, RANGE_WIDTH = 10 };

typedef struct trial {
    int number; /* from 1 */
    space_point point;
    rounds result;
    double seconds, key;    /* the lower the key, the better; INFINITY after a failure */
    char failure[SENTENCE]; /* empty: there was none                                   */
} trial;

typedef struct search {
    const char *program;
    const settings *with;
    space options;
    int by; /* a figure */
} search;

static bool can_search(int row)
{
    return (row >= DATA_FEATURES && row <= DATA_WHITEN) ||
           (row >= LEARNER && row <= DISTORT && row != SAMPLE_WEIGHTS);
}

/* ---- Command lines */

static bool is_left_out(int row, bool for_user)
{
    return for_user && (row == SEARCH || row == TRIALS || row == SEARCH_BY || row == CV ||
                        row == SEEDS || row == METRICS);
}

/* Lists the words of a command line that has the given options and those of a point. Those for the
 * user train one model. */
static void list_words(const search *of, const space_point *point, bool for_user,
                       const char *names[SETTINGS_ROWS_MAX], const char *values[SETTINGS_ROWS_MAX],
                       int *count)
{
    *count = 0;
    for (int i = 0; i < settings_row_count; ++i)
        if (of->with->given[i] && !is_left_out(i, for_user)) {
            names[*count] = settings_rows[i].name;
            values[(*count)++] = settings_rows[i].kind == OPTION_FLAG ? NULL : of->with->given[i];
        }
    for (int i = 0; i < of->options.count; ++i) {
        const bool is_flag = of->options.axes[i].row->kind == OPTION_FLAG;
        if (is_flag && strcmp(point->values[i], "off") == 0)
            continue;
        names[*count] = of->options.axes[i].row->name;
        values[(*count)++] = is_flag ? NULL : point->values[i];
    }
}

/* Prints a word as a shell reads it. */
static void print_word(FILE *to, const char *word)
{
    if (*word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-+=./,:@%")] == '\0') {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word; ++word)
        fprintf(to, *word == '\'' ? "'\\''" : "%c", *word);
    fputs("'", to);
}

/* The command line that trains one model with the options of a point; the caller frees it. */
static char *write_command(const search *of, const space_point *point)
{
    const char *names[SETTINGS_ROWS_MAX], *values[SETTINGS_ROWS_MAX];
    char *text = NULL;
    size_t size;
    int count;
    FILE *to = open_memstream(&text, &size);
    REQUIRE(to != NULL || refuse("no memory for a command line"));
    list_words(of, point, true, names, values, &count);
    fprintf(to, "%s", of->program);
    for (int i = 0; i < count; ++i) {
        fprintf(to, " --%s", names[i]);
        if (values[i])
            print_word(to, values[i]);
    }
    REQUIRE(fclose(to) == 0 || refuse("no memory for a command line"));
    return text;
}

/* ---- One trial */

/* Reads the settings of a trial from its command line, so that they are checked as those of a user
 * are. */
static settings read_settings(const search *of, const space_point *point)
{
    const option_table options = settings_table(of->program);
    const char *names[SETTINGS_ROWS_MAX], *values[SETTINGS_ROWS_MAX];
    static char texts[SETTINGS_ROWS_MAX][SPACE_VALUE];
    char *words[WORDS_MAX] = {(char *)of->program};
    settings out;
    bool help;
    int given, count = 1;
    list_words(of, point, false, names, values, &given);
    for (int i = 0; i < given; ++i) {
        snprintf(texts[i], sizeof texts[i], "--%s", names[i]);
        words[count++] = texts[i];
        if (values[i])
            words[count++] = (char *)values[i];
    }
    REQUIRE(options_parse(&options, count, words, &out, &help));
    return out;
}

/* The part of the new process. The samples for the test have no part in the search. */
static rounds run_rounds(const search *of, const space_point *point)
{
    static const float usual_share = 0.2f;
    settings with = read_settings(of, point);
    glnn_context *ctx = settings_open_device(&with);
    if (with.folds == 0) {
        const float share = with.data.validation;
        with.data.from.split.share = share > 0.0f ? share : usual_share;
        with.data.validation = 0.0f;
        with.test_validates = true;
    }
    round_result *each = malloc((size_t)rounds_count(&with) * sizeof *each);
    REQUIRE(each != NULL ||
            refuse("no memory for the results of %d trainings", rounds_count(&with)));
    const rounds result = rounds_run(ctx, &with, false, each);
    free(each);
    glnn_context_destroy(ctx);
    return result;
}

static void run_child(const search *of, const space_point *point, int pipe_end, FILE *errors)
{
    if (freopen("/dev/null", "w", stdout) == NULL || dup2(fileno(errors), STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    const rounds result = run_rounds(of, point);
    const bool written = write(pipe_end, &result, sizeof result) == (ssize_t)sizeof result;
    exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The sentence with which a process ended: its last line that begins with "error: ". */
static void find_failure(FILE *errors, int status, char out[SENTENCE])
{
    static const char begin[] = "error: ";
    char line[2048];
    if (WIFSIGNALED(status))
        snprintf(out, SENTENCE, "its process was ended by signal %d", WTERMSIG(status));
    else
        snprintf(out, SENTENCE, "its process ended with status %d", WEXITSTATUS(status));
    rewind(errors);
    while (fgets(line, sizeof line, errors))
        if (strncmp(line, begin, strlen(begin)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(out, SENTENCE, "%.*s", SENTENCE - 1, line + strlen(begin));
        }
}

static double key_of(const search *of, const trial *run)
{
    const double value = run->result.means.values[of->by];
    if (*run->failure || isnan(value))
        return INFINITY;
    return figure_is_error(of->by) ? value : -value;
}

static void run_trial(const search *of, trial *run)
{
    int ends[2], status = 0;
    FILE *errors = tmpfile();
    REQUIRE((errors != NULL && pipe(ends) == 0) ||
            refuse("a trial cannot begin: %s", strerror(errno)));
    const double started = seconds_now();
    fflush(stdout);
    fflush(stderr);
    const pid_t child = fork();
    REQUIRE(child >= 0 || refuse("a trial cannot begin: %s", strerror(errno)));
    if (child == 0) {
        close(ends[0]);
        run_child(of, &run->point, ends[1], errors);
    }
    close(ends[1]);
    const bool received =
        read(ends[0], &run->result, sizeof run->result) == (ssize_t)sizeof run->result;
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    run->seconds = seconds_now() - started;
    if (!received)
        find_failure(errors, status, run->failure);
    fclose(errors);
    run->key = key_of(of, run);
}

/* ---- The table */

static bool is_column(const search *of, int figure)
{
    const bool targets = settings_learn_targets(of->with);
    return figure > FIGURE_AUTO && figure_is_of_targets(figure) == targets;
}

static bool has_deviation(const search *of, int figure)
{
    return figure == of->by && (of->with->folds > 0 || of->with->seeds > 1);
}

static int width_of(const space_axis *of)
{
    size_t width = of->count > 0 ? 0 : RANGE_WIDTH;
    const size_t name = strlen(of->row->name);
    for (int i = 0; i < of->count; ++i)
        width = strlen(of->words[i]) > width ? strlen(of->words[i]) : width;
    return (int)(name > width ? name : width);
}

static void print_head(const search *of)
{
    printf("trial");
    for (int f = 0; f < FIGURE_COUNT; ++f)
        if (is_column(of, f))
            printf("  %10s%s", figure_heading(f), has_deviation(of, f) ? "  deviation" : "");
    printf("  seconds");
    for (int i = 0; i < of->options.count; ++i)
        printf("  %*s", width_of(&of->options.axes[i]), of->options.axes[i].row->name);
    printf("\n");
}

static void print_row(const search *of, const trial *run)
{
    char text[FIGURE_TEXT];
    const bool failed = *run->failure != '\0';
    printf("%5d", run->number);
    for (int f = 0; f < FIGURE_COUNT; ++f) {
        if (!is_column(of, f))
            continue;
        printf("  %10s", figure_text(f, failed ? NAN : run->result.means.values[f], text));
        if (has_deviation(of, f))
            printf("  %9s", figure_text(f, failed ? NAN : run->result.deviations.values[f], text));
    }
    printf("  %7.1f", run->seconds);
    for (int i = 0; i < of->options.count; ++i)
        printf("  %*s", width_of(&of->options.axes[i]), run->point.values[i]);
    printf("%s%s\n", failed ? "  failed: " : "", run->failure);
    fflush(stdout);
}

/* Of equal ones the earlier trial is the better one. */
static int compare(const void *left, const void *right)
{
    const trial *a = left, *b = right;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->number - b->number;
}

/* The samples of the first trial that did not fail. */
static void print_samples(const search *of, int count, const trial *trials)
{
    for (int i = 0; i < count; ++i)
        if (!*trials[i].failure) {
            printf("samples    %d for training, %d for %s\n", trials[i].result.training,
                   trials[i].result.measured,
                   of->with->folds > 0 ? "the first fold" : "validation");
            return;
        }
}

static void write_trial(FILE *file, const search *of, const trial *run)
{
    const bool are_targets = settings_learn_targets(of->with), failed = *run->failure != '\0';
    fputs("    {", file);
    JSON_MEMBERS(file, ", ", {"trial", run->number}, {"seconds", run->seconds});
    fputs(", \"options\": {", file);
    for (int i = 0; i < of->options.count; ++i) {
        fputs(i > 0 ? ", " : "", file);
        json_name(file, of->options.axes[i].row->name);
        json_text(file, run->point.values[i]);
    }
    fputs(failed ? "}, \"failure\": " : "}, \"means\": ", file);
    if (failed) {
        json_text(file, run->failure);
    } else {
        figures_write(file, &run->result.means, are_targets);
        fputs(", \"deviations\": ", file);
        figures_write(file, &run->result.deviations, are_targets);
    }
    fputc('}', file);
}

/* The trials are sorted. */
static void write_trials(const search *of, int count, const trial *trials, const char *command)
{
    whole_file to;
    REQUIRE(whole_file_open(of->with->metrics, &to));
    FILE *file = to.stream;
    fputs("{\n  \"sorted_by\": ", file);
    json_text(file, figure_name(of->by));
    fputs(",\n  ", file);
    JSON_MEMBERS(file, ",\n  ", {"folds", of->with->folds}, {"seeds", of->with->seeds});
    fputs(",\n  \"trials\": [", file);
    for (int i = 0; i < count; ++i) {
        fputs(i > 0 ? ",\n" : "\n", file);
        write_trial(file, of, &trials[i]);
    }
    fputs("\n  ],\n  \"command\": ", file);
    json_text(file, command);
    fputs("\n}\n", file);
    REQUIRE(whole_file_close(&to));
    printf("metrics    %s\n", of->with->metrics);
}

static void print_results(const search *of, int count, trial *trials)
{
    if (count == 0)
        return;
    print_samples(of, count, trials);
    qsort(trials, (size_t)count, sizeof *trials, compare);
    printf("\nsorted by %s, the best first:\n", figure_name(of->by));
    print_head(of);
    for (int i = 0; i < count; ++i)
        print_row(of, &trials[i]);
    REQUIRE(trials[0].key < INFINITY ||
            refuse("no trial could be measured by %s%s%s", figure_name(of->by),
                   *trials[0].failure ? "; the first one failed: " : "", trials[0].failure));
    char *command = write_command(of, &trials[0].point);
    if (of->with->metrics)
        write_trials(of, count, trials, command);
    printf("\nthe best trial as a command, which trains and is measured on the test samples:\n%s\n",
           command);
    free(command);
}

/* ---- The search */

/* Draws a point that is not that of a trial before. There is one, unless rounding makes values of a
 * narrow range the same. */
static void draw_point(const search *of, uint64_t *state, const trial *trials, int count,
                       space_point *out)
{
    enum { MOST = 100000 };
    bool is_new = false;
    for (int i = 0; i < MOST && !is_new; ++i) {
        space_draw(&of->options, state, out);
        is_new = true;
        for (int t = 0; t < count && is_new; ++t)
            is_new = !space_is_same(&of->options, out, &trials[t].point);
    }
}

static bool check_given(const search *of)
{
    for (int i = 0; i < of->options.count; ++i)
        if (of->with->given[of->options.axes[i].number])
            return refuse("--%s and --search: the option is given and searched; leave one of them "
                          "out",
                          of->options.axes[i].row->name);
    return true;
}

int search_run(const char *program, const settings *with)
{
    const option_table options = settings_table(program);
    const bool targets = settings_learn_targets(with);
    search of = {.program = program, .with = with, .by = with->search_by};
    if (of.by == FIGURE_AUTO)
        of.by = targets ? FIGURE_R_SQUARED : FIGURE_ACCURACY;
    options_require(&options, space_parse(&options, can_search, with->search, &of.options) &&
                                  check_given(&of));
    const double size = space_size(&of.options);
    const int most = size < with->trials ? (int)size : with->trials;
    trial *trials = calloc((size_t)most, sizeof *trials);
    REQUIRE(trials != NULL || refuse("no memory for %d trials", most));
    uint64_t state = with->seed;
    int done = 0;
    printf("search     %d trial%s%s\n", most, most == 1 ? "" : "s",
           most < with->trials ? ", which are all combinations" : "");
    print_head(&of);
    interrupt_watch();
    for (; done < most; ++done) {
        trials[done].number = done + 1;
        draw_point(&of, &state, trials, done, &trials[done].point);
        run_trial(&of, &trials[done]);
        if (interrupted())
            break;
        print_row(&of, &trials[done]);
    }
    if (interrupted())
        printf("interrupted after %d trial%s\n", done, done == 1 ? "" : "s");
    print_results(&of, done, trials);
    free(trials);
    space_free(&of.options);
    return program_status();
}
