/* Contexts of OpenGL ES, and a driver that says less of them than the real one. */
#ifndef TESTS_ES_H
#define TESTS_ES_H

#include "foreign.h"

/* The answers that OpenGL is to give about itself. Zeros: nothing is changed. A program that uses
 * this file has functions of OpenGL 1.1 that give them, in place of libGL's. */
typedef struct es_driver {
    const char *version;   /* GL_VERSION                          */
    int minor;             /* GL_MINOR_VERSION                    */
    const char *hidden[4]; /* extensions that it does not have    */
    int draw_buffers;      /* GL_MAX_DRAW_BUFFERS                 */
    GLint read_format;     /* of the implementation, for any read */
} es_driver;

/* Contexts that are created from here on have this driver, until the next call. */
void es_pretend(es_driver driver);

/* A context of EGL, which is current when it is returned. */
foreign es_headless(void);

/* A window with such a context; false if GLFW cannot create one. */
bool es_window(foreign *out);

/* A new context that the test destroys, and what it says of itself. */
glnn_context *created(const glnn_context_desc *desc);
glnn_context_info info_of(const glnn_context *ctx);

/* No context is created, and the error has the part. */
void expect_no_context(glnn_context_desc desc, glnn_status status, const char *part);

#endif
