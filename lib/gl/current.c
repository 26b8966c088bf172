#include "gl/current.h"

#include <EGL/egl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* GLX is looked up at run time, so that the library needs no X11 of its own. */
static struct {
    void *(*get_context)(void);
    void *(*get_display)(void);
    unsigned long (*get_draw)(void);
    unsigned long (*get_read)(void);
    int (*make_current)(void *display, unsigned long draw, unsigned long read, void *context);
} glx;

/* Stores the address by memcpy: ISO C has no cast from an object pointer to a function pointer. */
static void find(void *library, const char *name, void *function, size_t size)
{
    void *address = library ? dlsym(library, name) : NULL;
    memcpy(function, &address, size);
}

static void find_glx(void *library)
{
    find(library, "glXGetCurrentContext", &glx.get_context, sizeof glx.get_context);
    find(library, "glXGetCurrentDisplay", &glx.get_display, sizeof glx.get_display);
    find(library, "glXGetCurrentDrawable", &glx.get_draw, sizeof glx.get_draw);
    find(library, "glXGetCurrentReadDrawable", &glx.get_read, sizeof glx.get_read);
    find(library, "glXMakeContextCurrent", &glx.make_current, sizeof glx.make_current);
}

static bool have_glx(void)
{
    return glx.get_context && glx.get_display && glx.get_draw && glx.get_read && glx.make_current;
}

static void find_glx_anywhere(void)
{
    find_glx(dlopen(NULL, RTLD_LAZY));
    /* A library that was loaded privately, as plug-ins are, is not in the program's own scope. */
    if (!have_glx())
        find_glx(dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD));
}

static bool glx_exists(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_glx_anywhere);
    return have_glx();
}

glnn__current glnn__current_get(void)
{
    EGLContext context = eglGetCurrentContext();
    if (context != EGL_NO_CONTEXT)
        return (glnn__current){.egl = true,
                               .context = context,
                               .display = eglGetCurrentDisplay(),
                               .draw = (uintptr_t)eglGetCurrentSurface(EGL_DRAW),
                               .read = (uintptr_t)eglGetCurrentSurface(EGL_READ)};
    if (!glx_exists() || !glx.get_context())
        return (glnn__current){0};
    return (glnn__current){.context = glx.get_context(),
                           .display = glx.get_display(),
                           .draw = glx.get_draw(),
                           .read = glx.get_read()};
}

void *glnn__current_context(void)
{
    EGLContext context = eglGetCurrentContext();
    if (context != EGL_NO_CONTEXT)
        return context;
    return glx_exists() ? glx.get_context() : NULL;
}

void glnn__current_release(void)
{
    glnn__current current = glnn__current_get();
    if (!current.context)
        return;
    if (current.egl)
        eglMakeCurrent(current.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    else
        glx.make_current(current.display, 0, 0, NULL);
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
        glx.make_current(wanted->display, wanted->draw, wanted->read, wanted->context);
}
