/* The options of every trainer that say where it computes, and the context that they ask for. */
#ifndef EXAMPLES_DEVICE_H
#define EXAMPLES_DEVICE_H

#include <glnn/context.h>
#include <glnn/matrix.h>

#include "common/options.h"

typedef struct device_settings {
    glnn_platform platform;
    glnn_stage stage;
    glnn_layout layout;
    int number;
    bool list;
} device_settings;

extern const option_choice device_platforms[], device_stages[], device_layouts[];

/* The rows of these options, for settings whose member `member` is a device_settings. */
/* clang-format off */
#define DEVICE_ROWS(settings, member)                                                              \
    {.help = "Device"},                                                                            \
    {"layout", OPTION_CHOICE, .field = offsetof(settings, member.layout), NULL, "auto",            \
     "how matrices lie in textures; auto: the faster of tiled and packed",                         \
     .choices = device_layouts},                                                                   \
    {"stage", OPTION_CHOICE, .field = offsetof(settings, member.stage), NULL, "default",           \
     "which part of the pipeline runs kernels; default: $GLNN_STAGE, else fragment",               \
     .choices = device_stages},                                                                    \
    {"platform", OPTION_CHOICE, .field = offsetof(settings, member.platform), NULL, "egl",         \
     "headless, or a hidden window", .choices = device_platforms},                                 \
    {"device", OPTION_INTEGER, .field = offsetof(settings, member.number), "N", "0",               \
     "EGL device by its number", .high = 1023},                                                    \
    {"list-devices", OPTION_FLAG, .field = offsetof(settings, member.list), NULL, NULL,            \
     "list the EGL devices and end"}
/* clang-format on */

/* Prints a line per EGL device and ends the program, where that is asked for. */
void device_list(const device_settings *with);

/* Creates the context and prints what it runs on. Failures end the program, as with CHECK. */
glnn_context *device_open(const device_settings *with);

#endif
