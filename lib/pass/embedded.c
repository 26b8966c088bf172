#include "pass/embedded.h"

#include <string.h>

const char *glnn__embedded_text(const char *name)
{
    for (size_t i = 0; i < glnn__embedded_file_count; ++i)
        if (strcmp(glnn__embedded_files[i].name, name) == 0)
            return (const char *)glnn__embedded_files[i].text;
    return NULL;
}
