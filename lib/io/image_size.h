/* The largest pictures. */
#ifndef GLNN__IO_IMAGE_SIZE_H
#define GLNN__IO_IMAGE_SIZE_H

#include <glnn/base.h>

/* The widest and tallest picture that is read or written, and the most pixels: a small file can
 * promise a large picture. */
#define GLNN__IMAGE_MAX_SIDE   16384
#define GLNN__IMAGE_MAX_PIXELS (1 << 26)

/* E_LIMIT for a picture that is too large to be `done` ("read"); the sentence has path and sizes. */
glnn_status glnn__image_check_size(const char *path, long long width, long long height,
                                   const char *done);

#endif
