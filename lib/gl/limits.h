/* The requirements and the limits of a context. */
#ifndef GLNN__GL_LIMITS_H
#define GLNN__GL_LIMITS_H

#include <glnn/context.h>

#include <stdbool.h>

/* The names of the current context; "" for those that it lacks. */
typedef struct glnn__gl_names {
    const char *vendor;
    const char *renderer;
    const char *version;
} glnn__gl_names;

glnn__gl_names glnn__gl_get_names(void);

/* OpenGL, OpenGL ES or WebGL, by GL_VERSION. */
glnn_api glnn__gl_api(const char *version);

/* GL_VERSION as it follows the word OpenGL in a sentence: "4.5 ..." or "ES 3.2 ...". */
const char *glnn__gl_version_words(const char *version);

/* Whether the library can use a context with this GL_VERSION as one of this interface. */
bool glnn__gl_version_suffices(const char *version, glnn_api api);

/* Whether a renderer of this name computes on the CPU. Drivers of virtual machines may write the
 * name of the host's renderer in capitals. */
bool glnn__gl_is_software(const char *renderer);

/* Bytes of the device's own memory as the driver reports them; 0 if it does not. */
double glnn__gl_reported_memory(void);

/* Half of the memory for textures. `reported` are the bytes that the driver reports, or 0. The
 * bytes of the machine's memory, or infinity, are a bound: software renderers of some versions
 * report arbitrary numbers, and their textures are in the machine's memory anyway. */
size_t glnn__gl_default_budget(bool is_software, double reported, double machine);

/* Checks the version, loads the commands, and fills in ctx->info.api and
 * ctx->offers. A context of OpenGL ES is used as one of WebGL if that is wanted. Before the call,
 * only functions of OpenGL 1.1 can be called. */
glnn_status glnn__gl_load(glnn_context *ctx, glnn_api wanted);

/* Makes the commands of the current context callable, in all contexts of the process. Fails if it
 * lacks one that the library needs. */
glnn_status glnn__gl_load_commands(const glnn__gl_names *names, glnn_api api);

/* The offers of the current context. */
unsigned glnn__gl_find_offers(glnn_api api);

bool glnn__gl_has_extension(const char *extension);

/* Whether the driver of the current context can be asked for resets of the device, and whether
 * there was one. If the context was not created for that, there never was one. */
bool glnn__gl_tells_resets(glnn_api api);
bool glnn__gl_was_reset(void);

/* Checks all other requirements and fills in ctx->info; called between enter and leave. */
glnn_status glnn__gl_measure(glnn_context *ctx);

#endif
