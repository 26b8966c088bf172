/* The commands and numbers of OpenGL. */
#ifndef GLNN__GL_COMMANDS_H
#define GLNN__GL_COMMANDS_H

#ifdef __EMSCRIPTEN__
#include "gl/web/commands.h"
#else
#include <GL/glew.h>
#endif

#endif
