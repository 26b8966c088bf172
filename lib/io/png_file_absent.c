/* Replaces io/png_file.c in a library that is built without libpng. */
#include "base/status.h"
#include "io/png_file.h"

static glnn_status refuse(const char *path)
{
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "%s: this libglnn was built without libpng, so it cannot read or write PNG "
                      "files",
                      path);
}

glnn_status glnn__png_read(const char *path, int channels, glnn__picture *out)
{
    (void)channels;
    (void)out;
    return refuse(path);
}

glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels)
{
    (void)width;
    (void)height;
    (void)channels;
    (void)pixels;
    return refuse(path);
}
