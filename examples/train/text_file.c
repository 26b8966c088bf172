#include "text_file.h"

#include <errno.h>
#include <string.h>

#include "common/failure.h"

FILE *text_file_open(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL || refuse("cannot write %s: %s", path, strerror(errno)));
    return file;
}

void text_file_close(FILE *file, const char *path)
{
    const bool written = ferror(file) == 0;
    REQUIRE((fclose(file) == 0 && written) || refuse("cannot write %s: %s", path, strerror(errno)));
}
