#include "io/image_size.h"

#include "base/status.h"

glnn_status glnn__image_check_size(const char *path, long long width, long long height,
                                   const char *done)
{
    if (width > GLNN__IMAGE_MAX_SIDE || height > GLNN__IMAGE_MAX_SIDE ||
        width * height > GLNN__IMAGE_MAX_PIXELS)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %lld x %lld pixels, but at most %d x %d and %d in all can be %s",
                          path, width, height, GLNN__IMAGE_MAX_SIDE, GLNN__IMAGE_MAX_SIDE,
                          GLNN__IMAGE_MAX_PIXELS, done);
    return GLNN_OK;
}
