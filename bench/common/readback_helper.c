#include "common/readback_helper.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <pthread.h>
#include <stdlib.h>

struct helper {
    EGLDisplay display;
    EGLContext context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    helper_work work; /* NULL: there is none */
    void *state;
    bool has_context, has_begun, ends;
};

static void *serve(void *argument)
{
    helper *h = argument;
    eglBindAPI(EGL_OPENGL_API);
    const bool has_context = eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, h->context);
    pthread_mutex_lock(&h->lock);
    h->has_context = has_context;
    h->has_begun = true;
    pthread_cond_broadcast(&h->changed);
    while (!h->ends) {
        if (!h->work) {
            pthread_cond_wait(&h->changed, &h->lock);
            continue;
        }
        pthread_mutex_unlock(&h->lock);
        h->work(h->state);
        pthread_mutex_lock(&h->lock);
        h->work = NULL;
        pthread_cond_broadcast(&h->changed);
    }
    pthread_mutex_unlock(&h->lock);
    eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return NULL;
}

/* A context of the same configuration, which is 0 if the shared one has none. */
static EGLContext share_context(EGLDisplay display)
{
    const EGLContext shared = eglGetCurrentContext();
    EGLint id = 0, count = 0;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (shared == EGL_NO_CONTEXT || !eglQueryContext(display, shared, EGL_CONFIG_ID, &id))
        return EGL_NO_CONTEXT;
    if (id != 0 && (!eglChooseConfig(display, (const EGLint[]){EGL_CONFIG_ID, id, EGL_NONE},
                                     &config, 1, &count) ||
                    count == 0))
        return EGL_NO_CONTEXT;
    return eglCreateContext(display, config, shared,
                            (const EGLint[]){EGL_CONTEXT_MAJOR_VERSION, 4,
                                             EGL_CONTEXT_MINOR_VERSION, 3,
                                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE});
}

static bool start(helper *h)
{
    if (pthread_create(&h->thread, NULL, serve, h) != 0)
        return false;
    pthread_mutex_lock(&h->lock);
    while (!h->has_begun)
        pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
    return true;
}

helper *helper_new(void)
{
    const EGLenum former = eglQueryAPI();
    eglBindAPI(EGL_OPENGL_API);
    const EGLDisplay display = eglGetCurrentDisplay();
    const EGLContext context = display == EGL_NO_DISPLAY ? EGL_NO_CONTEXT : share_context(display);
    eglBindAPI(former);
    helper *h = context == EGL_NO_CONTEXT ? NULL : calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->display = display;
    h->context = context;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    if (start(h) && h->has_context)
        return h;
    helper_free(h);
    return NULL;
}

void helper_free(helper *h)
{
    if (!h)
        return;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    if (h->has_begun)
        pthread_join(h->thread, NULL);
    eglDestroyContext(h->display, h->context);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

void helper_begin(helper *h, helper_work work, void *state)
{
    pthread_mutex_lock(&h->lock);
    h->state = state;
    h->work = work;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

void helper_end(helper *h)
{
    pthread_mutex_lock(&h->lock);
    while (h->work)
        pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}
