#include "gl/current.h"

#include <EGL/egl.h>
#include <GL/glx.h>

glnn__current glnn__current_get(void)
{
    EGLContext context = eglGetCurrentContext();
    if (context != EGL_NO_CONTEXT)
        return (glnn__current){.egl = true,
                               .context = context,
                               .display = eglGetCurrentDisplay(),
                               .draw = (uintptr_t)eglGetCurrentSurface(EGL_DRAW),
                               .read = (uintptr_t)eglGetCurrentSurface(EGL_READ)};
    if (!glXGetCurrentContext())
        return (glnn__current){0};
    return (glnn__current){.context = glXGetCurrentContext(),
                           .display = glXGetCurrentDisplay(),
                           .draw = glXGetCurrentDrawable(),
                           .read = glXGetCurrentReadDrawable()};
}

void *glnn__current_context(void)
{
    EGLContext context = eglGetCurrentContext();
    return context != EGL_NO_CONTEXT ? context : glXGetCurrentContext();
}

void glnn__current_release(void)
{
    glnn__current current = glnn__current_get();
    if (!current.context)
        return;
    if (current.egl)
        eglMakeCurrent(current.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    else
        glXMakeContextCurrent(current.display, None, None, NULL);
}

void glnn__current_set(const glnn__current *wanted)
{
    if (glnn__current_context() == wanted->context)
        return;
    glnn__current_release();
    if (!wanted->context)
        return;
    if (wanted->egl)
        eglMakeCurrent(wanted->display, (EGLSurface)wanted->draw, (EGLSurface)wanted->read,
                       wanted->context);
    else
        glXMakeContextCurrent(wanted->display, wanted->draw, wanted->read, wanted->context);
}
