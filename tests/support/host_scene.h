/* The scene of a host, drawn with functions of OpenGL that it has loaded itself. GLEW's header
 * and this one cannot be in the same file. */
#ifndef TESTS_HOST_SCENE_H
#define TESTS_HOST_SCENE_H

#include <GL/glcorearb.h>

#include "hosts.h"

/* The functions that the host draws with: F(its name without gl, in capitals and as it is). */
#define HOST_FUNCTIONS(F)                                                                          \
    F(ACTIVETEXTURE, ActiveTexture)                                                                \
    F(ATTACHSHADER, AttachShader)                                                                  \
    F(BINDFRAMEBUFFER, BindFramebuffer)                                                            \
    F(BINDTEXTURE, BindTexture)                                                                    \
    F(BINDVERTEXARRAY, BindVertexArray)                                                            \
    F(BLENDFUNC, BlendFunc)                                                                        \
    F(CLEAR, Clear)                                                                                \
    F(CLEARCOLOR, ClearColor)                                                                      \
    F(COMPILESHADER, CompileShader)                                                                \
    F(CREATEPROGRAM, CreateProgram)                                                                \
    F(CREATESHADER, CreateShader)                                                                  \
    F(DRAWARRAYS, DrawArrays)                                                                      \
    F(ENABLE, Enable)                                                                              \
    F(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                  \
    F(GENFRAMEBUFFERS, GenFramebuffers)                                                            \
    F(GENTEXTURES, GenTextures)                                                                    \
    F(GENVERTEXARRAYS, GenVertexArrays)                                                            \
    F(GETERROR, GetError)                                                                          \
    F(LINKPROGRAM, LinkProgram)                                                                    \
    F(READPIXELS, ReadPixels)                                                                      \
    F(SHADERSOURCE, ShaderSource)                                                                  \
    F(TEXPARAMETERI, TexParameteri)                                                                \
    F(TEXSTORAGE2D, TexStorage2D)                                                                  \
    F(TEXSUBIMAGE2D, TexSubImage2D)                                                                \
    F(USEPROGRAM, UseProgram)                                                                      \
    F(VIEWPORT, Viewport)

#define HOST_MEMBER(capitals, name) PFNGL##capitals##PROC name;
struct host_functions {
    HOST_FUNCTIONS(HOST_MEMBER)
};

#endif
