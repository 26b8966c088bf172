/* The commands of WebGL 2 are those of OpenGL ES 3.0. The library also has calls of other commands,
 * which it makes in contexts that offer them. They are declared here, and web/absent.js defines
 * them. */
#ifndef GLNN__GL_WEB_COMMANDS_H
#define GLNN__GL_WEB_COMMANDS_H

#define GL_GLEXT_PROTOTYPES

#include <GL/gl.h>

#include <GL/glext.h>

#define GLAPIENTRY

/* WebGL has the extension of this command without the command. */
#define glMaxShaderCompilerThreadsKHR ((void (*)(GLuint count))0)

/* Emscripten's header lacks these. */
#define GL_PACK_REVERSE_ROW_ORDER_ANGLE 0x93A4
#define GL_PRIMITIVE_BOUNDING_BOX_EXT   0x92BE

void glBlendEquationSeparateiEXT(GLuint target, GLenum rgb, GLenum alpha);
void glBlendFuncSeparateiEXT(GLuint target, GLenum source_rgb, GLenum target_rgb,
                             GLenum source_alpha, GLenum target_alpha);
void glClipControlEXT(GLenum origin, GLenum depth);
void glColorMaskiEXT(GLuint target, GLboolean r, GLboolean g, GLboolean b, GLboolean a);
void glDisableiEXT(GLenum setting, GLuint target);
void glEnableiEXT(GLenum setting, GLuint target);
GLboolean glIsEnablediEXT(GLenum setting, GLuint target);
void glPrimitiveBoundingBoxEXT(GLfloat x, GLfloat y, GLfloat z, GLfloat w, GLfloat to_x,
                               GLfloat to_y, GLfloat to_z, GLfloat to_w);

#endif
