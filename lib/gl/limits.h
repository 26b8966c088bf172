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

/* OpenGL or OpenGL ES, by GL_VERSION. */
glnn_api glnn__gl_api(const char *version);

/* GL_VERSION as it follows the word OpenGL in a sentence: "4.5 ..." or "ES 3.2 ...". */
const char *glnn__gl_version_words(const char *version);

/* Whether GL_VERSION is of OpenGL 4.3 or later, or of OpenGL ES 3.1 or later. */
bool glnn__gl_version_suffices(const char *version);

/* Whether a renderer of this name computes on the CPU. Drivers of virtual machines may write the
 * name of the host's renderer in capitals. */
bool glnn__gl_is_software(const char *renderer);

/* Bytes of the device's own memory as the driver reports them; 0 if it does not. */
double glnn__gl_reported_memory(void);

/* Half of the memory for textures. `reported` are the bytes that the driver reports, or 0. The
 * bytes of the machine's memory, or infinity, are a bound: software renderers of some versions
 * report arbitrary numbers, and their textures are in the machine's memory anyway. */
size_t glnn__gl_default_budget(bool is_software, double reported, double machine);

/* Checks the version, loads the entry points through GLEW, and fills in ctx->info.api and
 * ctx->offers. Before that, only functions of OpenGL 1.1 can be called. */
glnn_status glnn__gl_load(glnn_context *ctx);

/* The offers of the current context. */
unsigned glnn__gl_find_offers(glnn_api api);

bool glnn__gl_has_extension(const char *extension);

/* Checks all other requirements and fills in ctx->info; called between enter and leave. */
glnn_status glnn__gl_measure(glnn_context *ctx);

#endif
