/* The parts that all benchmarks share: options, a context, timing, and judging results. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>

#include <glnn/glnn.h>

#include "common/arrays.h"
#include "common/check.h"
#include "common/options.h"

/* Who is measured. */
typedef enum bench_who { BENCH_ALL, BENCH_DEVICE, BENCH_CPU } bench_who;

typedef struct bench {
    /* options */
    bool quick, full;
    int device;
    int who;    /* a bench_who */
    int layout; /* GLNN_LAYOUT_AUTO: all  */
    const char *out;
    bool given[16];

    glnn_context *ctx;
    glnn_context_info info;
    double budget;    /* seconds that one figure may take to measure */
    double longest;   /* seconds of one unit of work beyond which it is left out */
    bool has_clock;   /* of its own: a GPU, not a software renderer */
    double last_work; /* when the device was last timed */
    int wrong;        /* results that were not what the reference says */
} bench;

/* Reads the command line, makes the context and the folder of results, and prints what it all runs
 * on. A failure ends the program. */
void bench_open(bench *b, const char *program, const char *summary, int argc, char **argv);

/* The same for a program with options of its own: `own` names the program and has their rows; the
 * settings, of own->size bytes, begin with *b. */
void bench_open_own(bench *b, const option_table *own, int argc, char **argv);

/* Whether --who has what runs on the device, or on the CPU, take part. */
bool bench_has(const bench *b, bench_who who);

/* Returns the exit status: 1 where a result was wrong. */
int bench_close(bench *b);

/* The size to use: one with --quick, one by default, one with --full. */
int bench_choose(const bench *b, int quick, int usual, int full);

/* Seconds of one unit of work. */
typedef struct timing {
    double median, low, high; /* low and high: the quartiles */
    int repeats;
} timing;

/* One unit of work; `turn` counts up from 0. Work on the device must write to another output than
 * the turn before: software rasterisers drop what is overwritten unread. */
typedef void (*work_fn)(void *state, int turn);

/* Repeats the work after a warm-up. Units too short for the clock are timed several at once; each
 * time ends with a wait for the device, where `ctx` is not null. */
timing bench_time(bench *b, glnn_context *ctx, work_fn work, void *state);

/* Seconds of one of `calls` units. Turns count on from *turn. */
double bench_calls(glnn_context *ctx, work_fn work, void *state, int calls, int *turn);

/* Does the work until programs are compiled and the device has its usual clock. */
void bench_warm_up(bench *b, glnn_context *ctx, work_fn work, void *state, int *turn);

/* Notes a wrong result, printing what it was. */
__attribute__((format(printf, 2, 3))) void bench_wrong(bench *b, const char *format, ...);

#endif
