#include "device.h"

#include <stdio.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/show.h"

/* The option parser writes an int into fields of these types. */
_Static_assert(sizeof(glnn_platform) == sizeof(int) && sizeof(glnn_stage) == sizeof(int) &&
                   sizeof(glnn_layout) == sizeof(int),
               "enumerations are as wide as int");

const option_choice device_platforms[] = {
    {"egl", GLNN_PLATFORM_EGL}, {"glfw", GLNN_PLATFORM_GLFW}, {0}};
const option_choice device_stages[] = {{"default", GLNN_STAGE_DEFAULT},
                                       {"fragment", GLNN_STAGE_FRAGMENT},
                                       {"compute", GLNN_STAGE_COMPUTE},
                                       {"auto", GLNN_STAGE_AUTO},
                                       {0}};
const option_choice device_layouts[] = {{"auto", GLNN_LAYOUT_AUTO},
                                        {"unpacked", GLNN_LAYOUT_UNPACKED},
                                        {"packed", GLNN_LAYOUT_PACKED},
                                        {"tiled", GLNN_LAYOUT_TILED},
                                        {0}};

void device_list(const device_settings *with)
{
    if (!with->list)
        return;
    show_devices();
    exit(output_status());
}

/* A program that waits says what for. */
static void show_message(void *user, glnn_log_level level, const char *message)
{
    static const char *const prefixes[] = {[GLNN_LOG_ERROR] = "glnn: error: ",
                                           [GLNN_LOG_WARNING] = "glnn: warning: ",
                                           [GLNN_LOG_TRACE] = "",
                                           [GLNN_LOG_PROGRESS] = "waiting: "};
    (void)user;
    if (level != GLNN_LOG_INFO)
        fprintf(stderr, "%s%s\n", prefixes[level], message);
}

glnn_context *device_open(const device_settings *with)
{
    glnn_context *ctx;
    glnn_log_set(show_message, NULL);
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = with->platform,
                                                   .device = with->number,
                                                   .stage = with->stage},
                              &ctx));
    show_renderer(ctx);
    show_stage(ctx);
    return ctx;
}
