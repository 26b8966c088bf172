#include "pass/embedded.h"

#include <glnn/texture.h>

#include <stdio.h>
#include <string.h>

const char *glnn__embedded_text(const char *name)
{
    for (size_t i = 0; i < glnn__embedded_file_count; ++i)
        if (strcmp(glnn__embedded_files[i].name, name) == 0)
            return (const char *)glnn__embedded_files[i].text;
    return NULL;
}

const char *glnn_layout_glsl(glnn_layout layout)
{
    char file[32];
    snprintf(file, sizeof file, "host/%s.glsl", glnn_layout_name(layout));
    return glnn__embedded_text(file);
}
