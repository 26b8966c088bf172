/* The commands and numbers of OpenGL, and the interface that programs usually get. */
#ifndef GLNN__GL_COMMANDS_H
#define GLNN__GL_COMMANDS_H

#ifdef __EMSCRIPTEN__
#include "gl/web/commands.h"
#define GLNN__STANDARD_API GLNN_API_WEBGL
#else
#include <GL/glew.h>
#define GLNN__STANDARD_API GLNN_API_GL
#endif

#endif
