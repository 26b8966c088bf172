/* GLSL functions that read an element, for the shaders of other programs. */
#include "pass/embedded.h"

#include <glnn/texture.h>

#include <stdio.h>

const char *glnn_layout_glsl(glnn_layout layout)
{
    char file[32];
    snprintf(file, sizeof file, "host/%s.glsl", glnn_layout_name(layout));
    return glnn__embedded_text(file);
}
