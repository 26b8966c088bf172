/* Counts the library's calls of OpenGL. A program that includes this defines the functions of
 * OpenGL 1.1 in place of libGL's, and replaces GLEW's pointers to the others. It covers all
 * functions that the library calls once it has created a context. */
#ifndef TESTS_GL_CALLS_H
#define TESTS_GL_CALLS_H

#include "support.h"

#include <dlfcn.h>

#include <GL/glew.h>

static int gl_calls;

/* Drawing commands are counted, but not carried out. */
static bool gl_draws_nothing;

/* calls_of_glFlush, calls_of_FenceSync, ... count the calls of one function since the program has
 * started. */
#define COUNT_CALL(name) (++gl_calls, ++calls_of_##name)

#define OLD_RESULT(result, name, parameters, arguments)                                            \
    static int calls_of_##name;                                                                    \
    result GLAPIENTRY name parameters                                                              \
    {                                                                                              \
        static result(GLAPIENTRY *real) parameters;                                                \
        if (!real)                                                                                 \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                             \
        COUNT_CALL(name);                                                                          \
        return real arguments;                                                                     \
    }
#define OLD(name, parameters, arguments) OLD_UNLESS(false, name, parameters, arguments)
#define OLD_UNLESS(condition, name, parameters, arguments)                                         \
    static int calls_of_##name;                                                                    \
    void GLAPIENTRY name parameters                                                                \
    {                                                                                              \
        static void(GLAPIENTRY * real) parameters;                                                 \
        if (!real)                                                                                 \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                             \
        COUNT_CALL(name);                                                                          \
        if (!(condition))                                                                          \
            real arguments;                                                                        \
    }

OLD(glBindTexture, (GLenum target, GLuint texture), (target, texture))
OLD(glBlendFunc, (GLenum sfactor, GLenum dfactor), (sfactor, dfactor))
OLD(glColorMask, (GLboolean r, GLboolean g, GLboolean b, GLboolean a), (r, g, b, a))
OLD(glCopyTexSubImage2D,
    (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y, GLsizei width,
     GLsizei height),
    (target, level, xoffset, yoffset, x, y, width, height))
OLD(glDeleteTextures, (GLsizei n, const GLuint *textures), (n, textures))
OLD(glDisable, (GLenum cap), (cap))
OLD_UNLESS(gl_draws_nothing, glDrawArrays, (GLenum mode, GLint first, GLsizei count),
           (mode, first, count))
OLD(glEnable, (GLenum cap), (cap))
OLD(glFinish, (void), ())
OLD(glFlush, (void), ())
OLD(glGenTextures, (GLsizei n, GLuint *textures), (n, textures))
OLD_RESULT(GLenum, glGetError, (void), ())
OLD(glGetFloatv, (GLenum pname, GLfloat *params), (pname, params))
OLD(glGetIntegerv, (GLenum pname, GLint *params), (pname, params))
OLD(glGetTexImage, (GLenum target, GLint level, GLenum format, GLenum type, void *pixels),
    (target, level, format, type, pixels))
OLD(glGetTexLevelParameteriv, (GLenum target, GLint level, GLenum pname, GLint *params),
    (target, level, pname, params))
OLD(glGetTexParameteriv, (GLenum target, GLenum pname, GLint *params), (target, pname, params))
OLD_RESULT(GLboolean, glIsEnabled, (GLenum cap), (cap))
OLD_RESULT(GLboolean, glIsTexture, (GLuint texture), (texture))
OLD(glPixelStorei, (GLenum pname, GLint param), (pname, param))
OLD(glPixelTransferf, (GLenum pname, GLfloat param), (pname, param))
OLD(glPolygonMode, (GLenum face, GLenum mode), (face, mode))
OLD(glReadPixels,
    (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels),
    (x, y, width, height, format, type, pixels))
OLD(glTexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param))
OLD(glTexSubImage2D,
    (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width, GLsizei height,
     GLenum format, GLenum type, const void *pixels),
    (target, level, xoffset, yoffset, width, height, format, type, pixels))

OLD(glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height))

#define NEW_RESULT(result, name, parameters, arguments)                                            \
    static int calls_of_##name;                                                                    \
    static result(GLAPIENTRY *real_##name) parameters;                                             \
    static result GLAPIENTRY counted_##name parameters                                             \
    {                                                                                              \
        COUNT_CALL(name);                                                                          \
        return real_##name arguments;                                                              \
    }
#define NEW(name, parameters, arguments) NEW_UNLESS(false, name, parameters, arguments)
#define NEW_UNLESS(condition, name, parameters, arguments)                                         \
    static int calls_of_##name;                                                                    \
    static void(GLAPIENTRY * real_##name) parameters;                                              \
    static void GLAPIENTRY counted_##name parameters                                               \
    {                                                                                              \
        COUNT_CALL(name);                                                                          \
        if (!(condition))                                                                          \
            real_##name arguments;                                                                 \
    }

NEW(ActiveTexture, (GLenum texture), (texture))
NEW(AttachShader, (GLuint program, GLuint shader), (program, shader))
NEW(BeginConditionalRender, (GLuint id, GLenum mode), (id, mode))
NEW(BeginQuery, (GLenum target, GLuint id), (target, id))
NEW(BindBuffer, (GLenum target, GLuint buffer), (target, buffer))
NEW(BindFramebuffer, (GLenum target, GLuint framebuffer), (target, framebuffer))
NEW(BindImageTexture,
    (GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer, GLenum access,
     GLenum format),
    (unit, texture, level, layered, layer, access, format))
NEW(BindRenderbuffer, (GLenum target, GLuint renderbuffer), (target, renderbuffer))
NEW(BindSampler, (GLuint unit, GLuint sampler), (unit, sampler))
NEW(BindVertexArray, (GLuint name), (name))
NEW(BlendColor, (GLclampf red, GLclampf green, GLclampf blue, GLclampf alpha),
    (red, green, blue, alpha))
NEW(BlendEquationSeparatei, (GLuint buf, GLenum modeRGB, GLenum modeAlpha),
    (buf, modeRGB, modeAlpha))
NEW(BlendFuncSeparate,
    (GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha, GLenum dfactorAlpha),
    (sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha))
NEW(BlendFuncSeparatei,
    (GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha),
    (buf, srcRGB, dstRGB, srcAlpha, dstAlpha))
NEW(BufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage),
    (target, size, data, usage))
NEW(BufferStorage, (GLenum target, GLsizeiptr size, const void *data, GLbitfield flags),
    (target, size, data, flags))
NEW_RESULT(GLenum, CheckFramebufferStatus, (GLenum target), (target))
NEW(ClampColor, (GLenum target, GLenum clamp), (target, clamp))
NEW_UNLESS(gl_draws_nothing, ClearBufferfv, (GLenum buffer, GLint drawBuffer, const GLfloat *value),
           (buffer, drawBuffer, value))
NEW(ClearTexImage, (GLuint texture, GLint level, GLenum format, GLenum type, const void *data),
    (texture, level, format, type, data))
NEW_RESULT(GLenum, ClientWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout),
           (sync, flags, timeout))
NEW(ClipControl, (GLenum origin, GLenum depth), (origin, depth))
NEW(ColorMaski, (GLuint buf, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha),
    (buf, red, green, blue, alpha))
NEW(CompileShader, (GLuint shader), (shader))
NEW(CopyImageSubData,
    (GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY, GLint srcZ,
     GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY, GLint dstZ,
     GLsizei srcWidth, GLsizei srcHeight, GLsizei srcDepth),
    (srcName, srcTarget, srcLevel, srcX, srcY, srcZ, dstName, dstTarget, dstLevel, dstX, dstY, dstZ,
     srcWidth, srcHeight, srcDepth))
NEW_RESULT(GLuint, CreateProgram, (void), ())
NEW_RESULT(GLuint, CreateShader, (GLenum type), (type))
NEW_RESULT(GLuint, CreateShaderProgramv, (GLenum type, GLsizei count, const GLchar *const *strings),
           (type, count, strings))
NEW(DebugMessageCallback, (GLDEBUGPROC callback, const void *userParam), (callback, userParam))
NEW(DebugMessageControl,
    (GLenum source, GLenum type, GLenum severity, GLsizei count, const GLuint *ids,
     GLboolean enabled),
    (source, type, severity, count, ids, enabled))
NEW(CopyTexSubImage3D,
    (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLint x, GLint y,
     GLsizei width, GLsizei height),
    (target, level, xoffset, yoffset, zoffset, x, y, width, height))
NEW(DeleteBuffers, (GLsizei n, const GLuint *buffers), (n, buffers))
NEW(DeleteFramebuffers, (GLsizei n, const GLuint *framebuffers), (n, framebuffers))
NEW(DeleteProgram, (GLuint program), (program))
NEW(DeleteQueries, (GLsizei n, const GLuint *ids), (n, ids))
NEW(DeleteRenderbuffers, (GLsizei n, const GLuint *renderbuffers), (n, renderbuffers))
NEW(DeleteSamplers, (GLsizei count, const GLuint *samplers), (count, samplers))
NEW(DeleteShader, (GLuint shader), (shader))
NEW(DeleteSync, (GLsync sync), (sync))
NEW(DeleteVertexArrays, (GLsizei n, const GLuint *arrays), (n, arrays))
NEW(DetachShader, (GLuint program, GLuint shader), (program, shader))
NEW(Disablei, (GLenum cap, GLuint index), (cap, index))
NEW_UNLESS(gl_draws_nothing, DispatchCompute,
           (GLuint num_groups_x, GLuint num_groups_y, GLuint num_groups_z),
           (num_groups_x, num_groups_y, num_groups_z))
NEW_UNLESS(gl_draws_nothing, DrawArraysInstanced,
           (GLenum mode, GLint first, GLsizei count, GLsizei primcount),
           (mode, first, count, primcount))
NEW(DrawBuffers, (GLsizei n, const GLenum *bufs), (n, bufs))
NEW(Enablei, (GLenum cap, GLuint index), (cap, index))
NEW(EndConditionalRender, (void), ())
NEW(EndQuery, (GLenum target), (target))
NEW_RESULT(GLsync, FenceSync, (GLenum condition, GLbitfield flags), (condition, flags))
NEW(FramebufferParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param))
NEW(FramebufferRenderbuffer,
    (GLenum target, GLenum attachment, GLenum renderbuffertarget, GLuint renderbuffer),
    (target, attachment, renderbuffertarget, renderbuffer))
NEW(FramebufferTexture2D,
    (GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level),
    (target, attachment, textarget, texture, level))
NEW(FramebufferTextureLayer,
    (GLenum target, GLenum attachment, GLuint texture, GLint level, GLint layer),
    (target, attachment, texture, level, layer))
NEW(GenBuffers, (GLsizei n, GLuint *buffers), (n, buffers))
NEW(GenFramebuffers, (GLsizei n, GLuint *framebuffers), (n, framebuffers))
NEW(GenQueries, (GLsizei n, GLuint *ids), (n, ids))
NEW(GenRenderbuffers, (GLsizei n, GLuint *renderbuffers), (n, renderbuffers))
NEW(GenSamplers, (GLsizei count, GLuint *samplers), (count, samplers))
NEW(GenVertexArrays, (GLsizei n, GLuint *arrays), (n, arrays))
NEW(GetActiveUniform,
    (GLuint program, GLuint index, GLsizei bufSize, GLsizei *length, GLint *size, GLenum *type,
     GLchar *name),
    (program, index, bufSize, length, size, type, name))
NEW_RESULT(GLenum, GetGraphicsResetStatus, (void), ())
NEW_RESULT(GLint, GetUniformLocation, (GLuint program, const GLchar *name), (program, name))
NEW(GetFloati_v, (GLenum target, GLuint index, GLfloat *data), (target, index, data))
NEW(GetIntegeri_v, (GLenum target, GLuint index, GLint *data), (target, index, data))
NEW(GetProgramBinary,
    (GLuint program, GLsizei bufSize, GLsizei *length, GLenum *binaryFormat, void *binary),
    (program, bufSize, length, binaryFormat, binary))
NEW(GetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei *length, GLchar *infoLog),
    (program, bufSize, length, infoLog))
NEW(GetProgramiv, (GLuint program, GLenum pname, GLint *param), (program, pname, param))
NEW(GetQueryObjectui64v, (GLuint id, GLenum pname, GLuint64 *params), (id, pname, params))
NEW(GetQueryiv, (GLenum target, GLenum pname, GLint *params), (target, pname, params))
NEW(GetShaderInfoLog, (GLuint shader, GLsizei bufSize, GLsizei *length, GLchar *infoLog),
    (shader, bufSize, length, infoLog))
NEW(GetShaderiv, (GLuint shader, GLenum pname, GLint *param), (shader, pname, param))
NEW(GetTextureParameteriv, (GLuint texture, GLenum pname, GLint *params), (texture, pname, params))
NEW(GetSynciv, (GLsync sync, GLenum pname, GLsizei bufSize, GLsizei *length, GLint *values),
    (sync, pname, bufSize, length, values))
NEW(InvalidateTexImage, (GLuint texture, GLint level), (texture, level))
NEW_RESULT(GLboolean, IsBuffer, (GLuint buffer), (buffer))
NEW_RESULT(GLboolean, IsEnabledi, (GLenum cap, GLuint index), (cap, index))
NEW_RESULT(GLboolean, IsFramebuffer, (GLuint framebuffer), (framebuffer))
NEW_RESULT(GLboolean, IsProgram, (GLuint program), (program))
NEW_RESULT(GLboolean, IsQuery, (GLuint id), (id))
NEW_RESULT(GLboolean, IsSampler, (GLuint sampler), (sampler))
NEW_RESULT(GLboolean, IsVertexArray, (GLuint name), (name))
NEW(LinkProgram, (GLuint program), (program))
NEW_RESULT(void *, MapBufferRange,
           (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access),
           (target, offset, length, access))
NEW(MemoryBarrier, (GLbitfield barriers), (barriers))
NEW(PauseTransformFeedback, (void), ())
NEW(ProgramBinary, (GLuint program, GLenum binaryFormat, const void *binary, GLsizei length),
    (program, binaryFormat, binary, length))
NEW(ProgramParameteri, (GLuint program, GLenum pname, GLint value), (program, pname, value))
NEW(ProgramUniform1i, (GLuint program, GLint location, GLint v0), (program, location, v0))
NEW(QueryCounter, (GLuint id, GLenum target), (id, target))
NEW(ResumeTransformFeedback, (void), ())
NEW(RenderbufferStorage, (GLenum target, GLenum internalformat, GLsizei width, GLsizei height),
    (target, internalformat, width, height))
NEW(SamplerParameteri, (GLuint sampler, GLenum pname, GLint param), (sampler, pname, param))
NEW(ShaderSource, (GLuint shader, GLsizei count, const GLchar *const *string, const GLint *length),
    (shader, count, string, length))
NEW(TexStorage2D,
    (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height),
    (target, levels, internalformat, width, height))
NEW(TexStorage3D,
    (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height,
     GLsizei depth),
    (target, levels, internalformat, width, height, depth))
NEW(TexSubImage3D,
    (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
     GLsizei height, GLsizei depth, GLenum format, GLenum type, const void *pixels),
    (target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels))
NEW(TextureView,
    (GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat, GLuint minlevel,
     GLuint numlevels, GLuint minlayer, GLuint numlayers),
    (texture, target, origtexture, internalformat, minlevel, numlevels, minlayer, numlayers))
NEW(Uniform1f, (GLint location, GLfloat v0), (location, v0))
NEW(Uniform1i, (GLint location, GLint v0), (location, v0))
NEW(Uniform2fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, value))
NEW(Uniform2iv, (GLint location, GLsizei count, const GLint *value), (location, count, value))
NEW(Uniform3iv, (GLint location, GLsizei count, const GLint *value), (location, count, value))
NEW(Uniform4i, (GLint location, GLint v0, GLint v1, GLint v2, GLint v3), (location, v0, v1, v2, v3))
NEW_RESULT(GLboolean, UnmapBuffer, (GLenum target), (target))
NEW(UseProgram, (GLuint program), (program))
NEW(ViewportArrayv, (GLuint first, GLsizei count, const GLfloat *v), (first, count, v))
NEW(ViewportIndexedfv, (GLuint index, const GLfloat *v), (index, v))

/* Of contexts of OpenGL ES. */
NEW(BeginConditionalRenderNV, (GLuint id, GLenum mode), (id, mode))
NEW(BlendEquationSeparate, (GLenum modeRGB, GLenum modeAlpha), (modeRGB, modeAlpha))
NEW(BlendEquationSeparateiEXT, (GLuint buf, GLenum modeRGB, GLenum modeAlpha),
    (buf, modeRGB, modeAlpha))
NEW(BlendFuncSeparateiEXT, (GLuint buf, GLenum sRGB, GLenum dRGB, GLenum sAlpha, GLenum dAlpha),
    (buf, sRGB, dRGB, sAlpha, dAlpha))
NEW(BufferSubData, (GLenum target, GLintptr offset, GLsizeiptr size, const void *data),
    (target, offset, size, data))
NEW(ClipControlEXT, (GLenum origin, GLenum depth), (origin, depth))
NEW(ColorMaskiEXT, (GLuint buf, GLboolean r, GLboolean g, GLboolean b, GLboolean a),
    (buf, r, g, b, a))
NEW(DisableiEXT, (GLenum target, GLuint index), (target, index))
NEW(EnableiEXT, (GLenum target, GLuint index), (target, index))
NEW(EndConditionalRenderNV, (void), ())
NEW_RESULT(GLboolean, IsEnablediEXT, (GLenum target, GLuint index), (target, index))
NEW(PrimitiveBoundingBoxEXT,
    (GLfloat minX, GLfloat minY, GLfloat minZ, GLfloat minW, GLfloat maxX, GLfloat maxY,
     GLfloat maxZ, GLfloat maxW),
    (minX, minY, minZ, minW, maxX, maxY, maxZ, maxW))

/* Puts the counting functions in place of GLEW's, or GLEW's back. To be called after GLEW has
 * loaded them. */
static void count_gl_calls(bool begin)
{
#define SWAP(name)                                                                                 \
    do {                                                                                           \
        if (begin)                                                                                 \
            real_##name = __glew##name;                                                            \
        __glew##name = begin && real_##name ? counted_##name : real_##name;                        \
    } while (0)
    SWAP(ActiveTexture);
    SWAP(AttachShader);
    SWAP(BeginConditionalRender);
    SWAP(BeginQuery);
    SWAP(BindBuffer);
    SWAP(BindFramebuffer);
    SWAP(BindImageTexture);
    SWAP(BindRenderbuffer);
    SWAP(BindSampler);
    SWAP(BindVertexArray);
    SWAP(BlendColor);
    SWAP(BlendEquationSeparatei);
    SWAP(BlendFuncSeparate);
    SWAP(BlendFuncSeparatei);
    SWAP(BufferData);
    SWAP(BufferStorage);
    SWAP(CheckFramebufferStatus);
    SWAP(ClampColor);
    SWAP(ClearBufferfv);
    SWAP(ClearTexImage);
    SWAP(ClientWaitSync);
    SWAP(ClipControl);
    SWAP(ColorMaski);
    SWAP(CompileShader);
    SWAP(CopyImageSubData);
    SWAP(CreateProgram);
    SWAP(CreateShader);
    SWAP(CreateShaderProgramv);
    SWAP(DebugMessageCallback);
    SWAP(DebugMessageControl);
    SWAP(CopyTexSubImage3D);
    SWAP(DeleteBuffers);
    SWAP(DeleteFramebuffers);
    SWAP(DeleteProgram);
    SWAP(DeleteQueries);
    SWAP(DeleteRenderbuffers);
    SWAP(DeleteSamplers);
    SWAP(DeleteShader);
    SWAP(DeleteSync);
    SWAP(DeleteVertexArrays);
    SWAP(DetachShader);
    SWAP(Disablei);
    SWAP(DispatchCompute);
    SWAP(DrawArraysInstanced);
    SWAP(DrawBuffers);
    SWAP(Enablei);
    SWAP(EndConditionalRender);
    SWAP(EndQuery);
    SWAP(FenceSync);
    SWAP(FramebufferParameteri);
    SWAP(FramebufferRenderbuffer);
    SWAP(FramebufferTexture2D);
    SWAP(FramebufferTextureLayer);
    SWAP(GenBuffers);
    SWAP(GenFramebuffers);
    SWAP(GenQueries);
    SWAP(GenRenderbuffers);
    SWAP(GenSamplers);
    SWAP(GenVertexArrays);
    SWAP(GetActiveUniform);
    SWAP(GetUniformLocation);
    SWAP(GetFloati_v);
    SWAP(GetGraphicsResetStatus);
    SWAP(GetIntegeri_v);
    SWAP(GetProgramBinary);
    SWAP(GetProgramInfoLog);
    SWAP(GetProgramiv);
    SWAP(GetQueryObjectui64v);
    SWAP(GetQueryiv);
    SWAP(GetShaderInfoLog);
    SWAP(GetShaderiv);
    SWAP(GetSynciv);
    SWAP(GetTextureParameteriv);
    SWAP(InvalidateTexImage);
    SWAP(IsBuffer);
    SWAP(IsEnabledi);
    SWAP(IsFramebuffer);
    SWAP(IsProgram);
    SWAP(IsQuery);
    SWAP(IsSampler);
    SWAP(IsVertexArray);
    SWAP(LinkProgram);
    SWAP(MapBufferRange);
    SWAP(MemoryBarrier);
    SWAP(PauseTransformFeedback);
    SWAP(ProgramBinary);
    SWAP(ProgramParameteri);
    SWAP(ProgramUniform1i);
    SWAP(QueryCounter);
    SWAP(ResumeTransformFeedback);
    SWAP(RenderbufferStorage);
    SWAP(SamplerParameteri);
    SWAP(ShaderSource);
    SWAP(TexStorage2D);
    SWAP(TexStorage3D);
    SWAP(TexSubImage3D);
    SWAP(TextureView);
    SWAP(Uniform1f);
    SWAP(Uniform1i);
    SWAP(Uniform2fv);
    SWAP(Uniform2iv);
    SWAP(Uniform3iv);
    SWAP(Uniform4i);
    SWAP(UnmapBuffer);
    SWAP(UseProgram);
    SWAP(ViewportArrayv);
    SWAP(ViewportIndexedfv);
    SWAP(BeginConditionalRenderNV);
    SWAP(BlendEquationSeparate);
    SWAP(BlendEquationSeparateiEXT);
    SWAP(BlendFuncSeparateiEXT);
    SWAP(BufferSubData);
    SWAP(ClipControlEXT);
    SWAP(ColorMaskiEXT);
    SWAP(DisableiEXT);
    SWAP(EnableiEXT);
    SWAP(EndConditionalRenderNV);
    SWAP(IsEnablediEXT);
    SWAP(PrimitiveBoundingBoxEXT);
#undef SWAP
    gl_calls = 0;
}

#endif
