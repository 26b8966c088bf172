#include "pass/trace.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATION_SIZE = 48, KERNEL_SIZE = 96, TEXT_SIZE = 1024 };

/* A row of the table: the passes of one kernel for one operation. */
typedef struct row {
    char operation[OPERATION_SIZE], kernel[KERNEL_SIZE];
    uint64_t passes;
    double milliseconds;
} row;

struct glnn__trace {
    const glnn_context *ctx;
    row *rows;
    size_t row_count;
    row total, steps; /* all passes, and those of training steps */
    uint64_t step_count, step;
};

glnn__trace *glnn__trace_create(const glnn_context *ctx)
{
    glnn__trace *trace = calloc(1, sizeof *trace);
    if (trace)
        trace->ctx = ctx;
    return trace;
}

/* ---- Names */

/* Text that grows within an array. */
typedef struct text {
    char *end;
    size_t left;
} text;

__attribute__((format(printf, 2, 3))) static void append(text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to->end, to->left, format, arguments);
    va_end(arguments);
    const size_t written = length < 0 ? 0 : (size_t)length;
    const size_t used = written < to->left ? written : to->left - 1;
    to->end += used;
    to->left -= used;
}

/* Internal functions of the library say nothing to its users. */
static bool is_known(const char *call)
{
    return call && strncmp(call, "glnn__", 6) != 0;
}

static void name_operation(const glnn__label *label, char out[OPERATION_SIZE])
{
    if (label->part && label->layer > 0)
        snprintf(out, OPERATION_SIZE, "layer %d %s", label->layer - 1, label->part);
    else if (label->part)
        snprintf(out, OPERATION_SIZE, "%s", label->part);
    else
        snprintf(out, OPERATION_SIZE, "%s", is_known(label->call) ? label->call : "-");
}

static void name_kernel(const glnn__pass *pass, char out[KERNEL_SIZE])
{
    const bool has_epilogue = pass->epilogue != NULL;
    snprintf(out, KERNEL_SIZE, "%s%s%s", pass->kernel->name, has_epilogue ? "+" : "",
             has_epilogue ? pass->epilogue->kernel->name : "");
}

/* ---- Lines */

static void append_matrix(text *to, const glnn_matrix *matrix)
{
    append(to, "%s %dx%d %s", matrix->name, matrix->rows, matrix->columns,
           glnn_layout_name(matrix->layout));
    if (matrix->storage != GLNN_STORAGE_FLOAT32)
        append(to, " %s", glnn_storage_name(matrix->storage));
}

static void write_matrices(const glnn__pass *pass, char out[TEXT_SIZE])
{
    text to = {out, TEXT_SIZE};
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        if (!pass->operands[i].matrix)
            continue;
        append(&to, "%s=", pass->kernel->operands[i]);
        append_matrix(&to, pass->operands[i].matrix);
        append(&to, ", ");
    }
    if (to.end > out) /* the last comma */
        to = (text){to.end - 2, to.left + 2};
    append(&to, "%s", to.end > out ? " -> " : "-> ");
    append(&to, "%s", pass->blend ? "added to " : "");
    append_matrix(&to, pass->output);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *matrix = glnn__pass_side_output(pass, i);
        if (!matrix)
            continue;
        append(&to, ", %s=", glnn__pass_side_output_name(pass, i));
        append_matrix(&to, matrix);
    }
}

static void write_heading(const glnn__trace *trace)
{
    const glnn_context_info *info = &trace->ctx->info;
    glnn__log(GLNN_LOG_TRACE, "passes of the %s stage on %s, each timed alone",
              glnn_stage_name(info->stage), info->renderer);
    glnn__log(GLNN_LOG_TRACE, "%6s %6s %13s  %-26s  %-24s  %s", "pass", "step", "time", "operation",
              "kernel", "operands -> outputs");
}

/* ---- The table */

static void count(row *in, double milliseconds)
{
    in->passes++;
    in->milliseconds += milliseconds;
}

/* NULL without memory. */
static row *get_row(glnn__trace *trace, const char *operation, const char *kernel)
{
    for (size_t i = 0; i < trace->row_count; ++i)
        if (strcmp(trace->rows[i].operation, operation) == 0 &&
            strcmp(trace->rows[i].kernel, kernel) == 0)
            return &trace->rows[i];
    row *grown = realloc(trace->rows, (trace->row_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    trace->rows = grown;
    row *added = &grown[trace->row_count++];
    memset(added, 0, sizeof *added);
    memcpy(added->operation, operation, OPERATION_SIZE);
    memcpy(added->kernel, kernel, KERNEL_SIZE);
    return added;
}

static void count_step(glnn__trace *trace, uint64_t step, double milliseconds)
{
    if (step == 0)
        return;
    trace->step_count += step != trace->step;
    count(&trace->steps, milliseconds);
}

void glnn__trace_pass(glnn__trace *trace, const glnn_context *ctx, const glnn__pass *pass,
                      double milliseconds)
{
    char operation[OPERATION_SIZE] = "", kernel[KERNEL_SIZE] = "", matrices[TEXT_SIZE];
    char step[24] = "-";
    name_operation(&ctx->label, operation);
    name_kernel(pass, kernel);
    write_matrices(pass, matrices);
    if (ctx->label.step > 0)
        snprintf(step, sizeof step, "%" PRIu64, ctx->label.step);
    if (trace->total.passes == 0)
        write_heading(trace);
    count(&trace->total, milliseconds);
    count_step(trace, ctx->label.step, milliseconds);
    trace->step = ctx->label.step;
    row *in = get_row(trace, operation, kernel);
    if (in)
        count(in, milliseconds);
    glnn__log(GLNN_LOG_TRACE, "%6" PRIu64 " %6s %10.3f ms  %-26s  %-24s  %s", trace->total.passes,
              step, milliseconds, operation, kernel, matrices);
}

/* The longest time first. */
static int compare_rows(const void *left, const void *right)
{
    const row *a = left, *b = right;
    return (a->milliseconds < b->milliseconds) - (a->milliseconds > b->milliseconds);
}

static void write_row(const glnn__trace *trace, const row *of)
{
    const double all = trace->total.milliseconds;
    glnn__log(GLNN_LOG_TRACE, "%-26s  %-24s %7" PRIu64 " %11.3f ms %7.1f %%", of->operation,
              of->kernel, of->passes, of->milliseconds,
              all > 0 ? 100 * of->milliseconds / all : 100.0);
}

static void write_table(glnn__trace *trace)
{
    const double steps = (double)trace->step_count;
    qsort(trace->rows, trace->row_count, sizeof *trace->rows, compare_rows);
    glnn__log(GLNN_LOG_TRACE, "the passes by operation and kernel");
    glnn__log(GLNN_LOG_TRACE, "%-26s  %-24s %7s %14s %9s", "operation", "kernel", "passes", "time",
              "share");
    for (size_t i = 0; i < trace->row_count; ++i)
        write_row(trace, &trace->rows[i]);
    snprintf(trace->total.operation, OPERATION_SIZE, "all passes");
    write_row(trace, &trace->total);
    if (trace->step_count > 0)
        glnn__log(GLNN_LOG_TRACE, "%" PRIu64 " steps of training: %.1f passes and %.3f ms a step",
                  trace->step_count, (double)trace->steps.passes / steps,
                  trace->steps.milliseconds / steps);
}

void glnn__trace_end(glnn__trace *trace)
{
    if (trace && trace->total.passes > 0)
        write_table(trace);
    if (trace)
        free(trace->rows);
    free(trace);
}
