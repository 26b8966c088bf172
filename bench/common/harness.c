#include "common/harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/cpu.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/table.h"

/* Shorter units are timed several at once, longer ones once; more than so many times are not
 * taken. */
static const double shortest_unit = 4e-3, longest_unit = 1.0;
/* Seconds of work on the device before it is timed; and after so many seconds without work, while
 * which a GPU lowers its clock to a sixth and needs a load for some time to raise it again. */
static const double warm_up = 0.02, long_idle = 0.2, long_warm_up = 0.5;
enum { MOST_REPEATS = 25, FEWEST_REPEATS = 3, MOST_CALLS = 4096 };

static const char *layout_name(int layout)
{
    return layout == GLNN_LAYOUT_AUTO ? "all" : glnn_layout_name((glnn_layout)layout);
}

static const char *who_name(int who)
{
    static const char *const names[] = {
        [BENCH_ALL] = "all", [BENCH_DEVICE] = "device", [BENCH_CPU] = "cpu"};
    return names[who];
}

#define FIELD(member) .field = offsetof(bench, member)

static const option_row rows[] = {
    {"quick", OPTION_FLAG, FIELD(quick), .help = "few sizes and short measurements"},
    {"full", OPTION_FLAG, FIELD(full), .help = "large sizes and long measurements"},
    {"device", OPTION_INTEGER, FIELD(device), "N", "0", "EGL device", .high = 64},
    {"layout", OPTION_CHOICE, FIELD(layout), NULL, "all", "layout of the matrices",
     .high = GLNN_LAYOUT_UNPACKED, .name_of = layout_name},
    {"who", OPTION_CHOICE, FIELD(who), NULL, "all",
     "who is measured; the CPU takes most of the time if there is a GPU", .high = BENCH_CPU,
     .name_of = who_name},
    {"out", OPTION_TEXT, FIELD(out), "DIR", "build/bench", "folder that the CSV files go to"},
};

/* Rows of all benchmarks and behind them those of the program's own. */
enum { COMMON_ROWS = sizeof rows / sizeof rows[0], MOST_ROWS = 16 };

static void read_options(bench *b, const option_table *own, int argc, char **argv)
{
    option_row all[MOST_ROWS];
    option_table options = *own;
    memcpy(all, rows, sizeof rows);
    for (int i = 0; i < own->count; ++i)
        all[COMMON_ROWS + i] = own->rows[i];
    options.rows = all;
    options.count = COMMON_ROWS + own->count;
    options.given = offsetof(bench, given);
    options_read(&options, argc, argv, b);
    b->budget = b->quick ? 0.03 : b->full ? 1.0 : 0.04;
    b->longest = b->quick ? 0.25 : b->full ? 60.0 : 0.4;
}

bool bench_has(const bench *b, bench_who who)
{
    return b->who == BENCH_ALL || b->who == (int)who;
}

static void describe_machine(const bench *b)
{
    static const column columns[] = {{"machine", 16, true}, {"", 60, true}};
    table t;
    char processors[32];
    table_open(&t, b->out, "machine", columns, 2);
    const char *lines[][2] = {
        {"renderer", b->info.renderer}, {"OpenGL", b->info.version}, {"processors", processors},
        {"OpenBLAS", cpu_blas_name()},  {"libglnn", glnn_version()},
    };
    snprintf(processors, sizeof processors, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        table_text(&t, lines[i][0]);
        table_text(&t, lines[i][1]);
    }
    table_close(&t);
}

/* Writes PROGRAM.txt, the command line of these results with the variables that change them. The
 * folder of the results is left out. */
static void note_command(const bench *b, int argc, char **argv)
{
    static const char *const variables[] = {"GLNN_STAGE", "GLNN_WRITES", "GLNN_TUNE"};
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.txt", b->out, name);
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL || refuse("%s cannot be written", path));
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        if (getenv(variables[i]))
            fprintf(file, "%s=%s ", variables[i], getenv(variables[i]));
    fprintf(file, "build/bench/%s", name);
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--out") == 0)
            ++i;
        else if (strncmp(argv[i], "--out=", 6) != 0)
            fprintf(file, " %s", argv[i]);
    }
    fprintf(file, "\n");
    REQUIRE(fclose(file) == 0 || refuse("%s cannot be written", path));
}

void bench_open(bench *b, const char *program, const char *summary, int argc, char **argv)
{
    bench_open_own(b, &(option_table){.program = program, .summary = summary, .size = sizeof *b},
                   argc, argv);
}

void bench_open_own(bench *b, const option_table *own, int argc, char **argv)
{
    read_options(b, own, argc, argv);
    REQUIRE(folder_create(b->out));
    CHECK(glnn_context_create(&(glnn_context_desc){.device = b->device}, &b->ctx));
    b->info.size = sizeof b->info;
    CHECK(glnn_context_get_info(b->ctx, &b->info));
    b->has_clock = !strstr(b->info.renderer, "llvmpipe") && !strstr(b->info.renderer, "softpipe");
    describe_machine(b);
    note_command(b, argc, argv);
}

int bench_close(bench *b)
{
    glnn_context_destroy(b->ctx);
    if (b->wrong > 0)
        fprintf(stderr, "%d results are wrong\n", b->wrong);
    return b->wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int bench_choose(const bench *b, int quick, int usual, int full)
{
    return b->quick ? quick : b->full ? full : usual;
}

double bench_calls(glnn_context *ctx, work_fn work, void *state, int calls, int *turn)
{
    const double start = glnn__clock_seconds();
    for (int i = 0; i < calls; ++i)
        work(state, (*turn)++);
    if (ctx)
        CHECK(glnn_context_finish(ctx));
    return (glnn__clock_seconds() - start) / calls;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The first turn compiles; two turns are all that outputs in turn differ by. */
void bench_warm_up(bench *b, glnn_context *ctx, work_fn work, void *state, int *turn)
{
    bench_calls(ctx, work, state, 1, turn);
    const double start = glnn__clock_seconds();
    const bool is_cold = b->has_clock && start - b->last_work > long_idle;
    while (ctx && glnn__clock_seconds() - start < (is_cold ? long_warm_up : warm_up))
        bench_calls(ctx, work, state, 1, turn);
}

/* How many times a unit of so many seconds is timed, and how often it is done each time. */
static int choose_repeats(const bench *b, double estimate, int *calls)
{
    *calls = (int)fmin(fmax(ceil(shortest_unit / estimate), 1), MOST_CALLS);
    if (estimate > longest_unit)
        return 1;
    const double wanted = b->budget / (estimate * *calls);
    return (int)fmin(fmax(wanted, FEWEST_REPEATS), MOST_REPEATS);
}

timing bench_time(bench *b, glnn_context *ctx, work_fn work, void *state)
{
    int turn = 0, calls;
    double times[MOST_REPEATS];
    bench_warm_up(b, ctx, work, state, &turn);
    times[0] = fmax(bench_calls(ctx, work, state, 1, &turn), 1e-8);
    const int repeats = choose_repeats(b, times[0], &calls);
    for (int i = 0; i < repeats && repeats > 1; ++i)
        times[i] = bench_calls(ctx, work, state, calls, &turn);
    if (ctx)
        b->last_work = glnn__clock_seconds();
    qsort(times, (size_t)repeats, sizeof times[0], compare);
    return (timing){times[repeats / 2], times[repeats / 4], times[(3 * repeats) / 4], repeats};
}

void bench_wrong(bench *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "WRONG: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    ++b->wrong;
}
