#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "failure.h"

/* A smaller gain of the compute stage is not worth a note. */
#define NOTEWORTHY_GAIN 4.0

void device_list(void)
{
    enum { MOST = 64 };
    glnn_device devices[MOST] = {{.size = sizeof devices[0]}};
    int count;
    CHECK(glnn_device_list(devices, MOST, &count));
    for (int i = 0; i < count && i < MOST; ++i)
        printf("device %d: %s, OpenGL %s%s\n", devices[i].index,
               devices[i].renderer[0] ? devices[i].renderer : "a context cannot be created",
               devices[i].version[0] ? devices[i].version : "unknown",
               devices[i].usable      ? ""
               : devices[i].usable_es ? " (usable in OpenGL ES: GLNN_API=es)"
                                      : " (not usable)");
    if (count > MOST)
        printf("and %d more\n", count - MOST);
}

void device_show(glnn_context *ctx)
{
    double ratio;
    glnn_context_info info = {.size = sizeof info};
    CHECK(glnn_context_get_info(ctx, &info));
    printf("device     %s, OpenGL %s, %s stage\n", info.renderer, info.version,
           glnn_stage_name(info.stage));
    if (info.stage != GLNN_STAGE_FRAGMENT || info.software || info.tuning == GLNN_TUNING_OFF)
        return;
    CHECK(glnn_context_compare_stages(ctx, &ratio));
    if (ratio > NOTEWORTHY_GAIN)
        printf("note: this device runs fragment shaders on only some of its processors; --stage "
               "compute is up to %.0f times as fast\n",
               ratio);
}

/* Someone waits for the lines. */
static void print_line(void *user, const char *line)
{
    (void)user;
    puts(line);
    fflush(stdout);
}

int device_selftest(const glnn_context_desc *desc)
{
    glnn_selftest_report report = {.size = sizeof report};
    glnn_context *ctx;
    CHECK(glnn_context_create(desc, &ctx));
    CHECK(glnn_selftest(ctx, print_line, NULL, &report));
    glnn_context_destroy(ctx);
    const int status = output_status();
    return report.failed > 0 ? EXIT_FAILURE : status;
}

void device_print_message(void *user, glnn_log_level level, const char *message)
{
    static const char *const prefixes[] = {[GLNN_LOG_ERROR] = "glnn: error: ",
                                           [GLNN_LOG_WARNING] = "glnn: warning: ",
                                           [GLNN_LOG_TRACE] = "",
                                           [GLNN_LOG_PROGRESS] = "waiting: "};
    (void)user;
    if (level != GLNN_LOG_INFO)
        fprintf(stderr, "%s%s\n", prefixes[level], message);
}
