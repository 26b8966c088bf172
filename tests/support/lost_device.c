/* Loaded before a program, this says in place of the driver that the device was lost, because no
 * driver here resets on demand. GLEW asks GLX for the functions of OpenGL.
 *
 * LOST_DEVICE lists how many questions for resets the driver answers before each loss; after the
 * last one it answers all. The number of all questions goes to the file LOST_DEVICE_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/glew.h>
#include <GL/glx.h>

typedef GLenum(GLAPIENTRY *question)(void);

static question ask_driver;
static long questions, answers;
static const char *losses;

/* Finds how many questions are answered before the next loss; -1: all. */
static void read_answers(void)
{
    char *end;
    answers = strtol(losses, &end, 10);
    if (end == losses)
        answers = -1;
    losses = end;
}

static GLenum GLAPIENTRY ask(void)
{
    ++questions;
    if (answers < 0 || answers-- > 0)
        return ask_driver();
    read_answers();
    return GL_UNKNOWN_CONTEXT_RESET;
}

__attribute__((constructor)) static void begin(void)
{
    losses = getenv("LOST_DEVICE");
    if (!losses)
        losses = "";
    read_answers();
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("LOST_DEVICE_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", questions);
    fclose(file);
}

__GLXextFuncPtr glXGetProcAddressARB(const GLubyte *name)
{
    static __GLXextFuncPtr (*real)(const GLubyte *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "glXGetProcAddressARB");
    if (strcmp((const char *)name, "glGetGraphicsResetStatus") != 0)
        return real(name);
    *(__GLXextFuncPtr *)&ask_driver = real(name);
    return ask_driver ? (__GLXextFuncPtr)ask : NULL;
}
