/* GLSL functions that read an element, for the shaders of other programs. */
#include "pass/embedded.h"

#include <glnn/texture.h>

#include <stdio.h>
#include <string.h>

const char *glnn_layout_glsl(glnn_layout layout)
{
    char file[32];
    snprintf(file, sizeof file, "host/%s.glsl", glnn_layout_name(layout));
    for (size_t i = 0; i < glnn__embedded_file_count; ++i)
        if (strcmp(glnn__embedded_files[i].name, file) == 0)
            return (const char *)glnn__embedded_files[i].text;
    return NULL;
}
