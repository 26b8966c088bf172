/* The parts of a step's time, from the library's trace of passes. */
#include <stdio.h>
#include <string.h>

#include "common/glvq_device.h"

/* Steps that are traced; of each kernel's times the least counts. */
enum { STEPS = 3 };

static const char *const kernels_of[GLVQ_UPDATE][8] = {
    [GLVQ_DISTANCE] = {"gemm", "gemm_shared", "fold", "nearest_fused", "nearest_few"},
    [GLVQ_MINIMUM] = {"nearest"},
};

static glvq_phase phase_of(const char *kernel)
{
    for (int phase = 0; phase < GLVQ_UPDATE; ++phase)
        for (int i = 0; kernels_of[phase][i]; ++i)
            if (strcmp(kernel, kernels_of[phase][i]) == 0)
                return (glvq_phase)phase;
    /* Norms are found by reductions. */
    return strcmp(kernel, "reduce") == 0 ? GLVQ_DISTANCE : GLVQ_UPDATE;
}

static glvq_kernel *kernel_of(glvq_split *split, const char *name)
{
    for (int i = 0; i < split->count; ++i)
        if (strcmp(split->kernels[i].name, name) == 0)
            return &split->kernels[i];
    if (split->count == GLVQ_MOST_KERNELS)
        return NULL;
    glvq_kernel *added = &split->kernels[split->count++];
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

/* Without the folder. The first entries of a scatter-add are found by a reduction. */
static const char *name_of(const char *kernel, const char *line)
{
    const char *folder = strrchr(kernel, '/');
    if (strcmp(kernel, "ops/reduce") == 0 && strstr(line, "first entries"))
        return "scatter_first";
    return folder ? folder + 1 : kernel;
}

/* Reads a pass of a step: "17  3  0.012 ms  gather a batch  ops/gather  X=...". Names of operations
 * have spaces; those of kernels are the first words with a slash. Lines of other passes have no
 * number of a step, and other lines begin with a word. */
static bool read_line(const char *line, char name[32], double *milliseconds)
{
    const char *slash = strchr(line, '/');
    if (!slash || sscanf(line, "%*u %*u %lf ms", milliseconds) != 1)
        return false;
    while (slash > line && slash[-1] != ' ')
        --slash;
    return sscanf(slash, "%31s", name) == 1;
}

static void take_line(void *user, glnn_log_level level, const char *line)
{
    char name[32];
    double milliseconds;
    if (level != GLNN_LOG_TRACE || !read_line(line, name, &milliseconds))
        return;
    glvq_kernel *kernel = kernel_of(user, name_of(name, line));
    if (!kernel)
        return;
    kernel->passes += 1;
    kernel->seconds += 1e-3 * milliseconds;
}

static void ignore_line(void *user, glnn_log_level level, const char *line)
{
    (void)user;
    if (level < GLNN_LOG_INFO)
        fprintf(stderr, "%s\n", line);
}

static glvq_split trace_step(const glvq_device *d)
{
    glvq_split split = {0};
    glnn_log_set(take_line, &split);
    glvq_device_train(d);
    glnn_log_set(ignore_line, NULL);
    return split;
}

static void keep_least(glvq_split *least, const glvq_split *step)
{
    for (int i = 0; i < step->count; ++i) {
        glvq_kernel *kernel = kernel_of(least, step->kernels[i].name);
        if (kernel && (kernel->passes == 0 || step->kernels[i].seconds < kernel->seconds))
            *kernel = step->kernels[i];
    }
}

glvq_split glvq_device_split(const bench *b, const glvq_case *of, const glvq_data *data,
                             glvq_choices choices)
{
    glnn_context *ctx;
    glvq_split least = {0};
    setenv("GLNN_TRACE", "1", 1);
    glnn_log_set(ignore_line, NULL);
    CHECK(glnn_context_create(&(glnn_context_desc){.device = b->device}, &ctx));
    glvq_device d = glvq_device_new(ctx, of, data, of->batch, choices);
    glvq_device_train(&d); /* which also makes the programs */
    unsetenv("GLNN_TRACE");
    for (int i = 0; i < STEPS; ++i) {
        const glvq_split step = trace_step(&d);
        keep_least(&least, &step);
    }
    for (int i = 0; i < least.count; ++i)
        least.seconds[phase_of(least.kernels[i].name)] += least.kernels[i].seconds;
    glnn_log_set(NULL, NULL);
    glvq_device_free(&d);
    glnn_context_destroy(ctx);
    return least;
}
