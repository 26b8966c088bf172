/* Textures that benchmarks draw with OpenGL itself. */
#ifndef BENCH_TEXTURE_H
#define BENCH_TEXTURE_H

#include "gl/gl.h"

/* An undefined texture of one level, read without filters. It stays bound. */
GLuint texture_new(GLenum format, int width, int height);

#endif
