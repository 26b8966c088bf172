/* The shader programs of published.h, and what those of original.h share with them. */
#ifndef BENCH_PUBLISHED_PROGRAMS_H
#define BENCH_PUBLISHED_PROGRAMS_H

#include "common/published.h"
#include "gl/gl.h"

typedef enum published_program {
    PROGRAM_PRODUCT,
    PROGRAM_SIGMOID,
    PROGRAM_BACK,
    PROGRAM_UPDATE_1, /* of the hidden layer */
    PROGRAM_UPDATE_2, /* of the output layer */
    PROGRAM_LAST_1,   /* the last pass of an update */
    PROGRAM_LAST_2,
    PUBLISHED_PROGRAMS
} published_program;

struct published_programs {
    glnn_context *ctx;
    bool is_packed, blends;
    GLuint names[PUBLISHED_PROGRAMS], vertex_array;
};

/* A program whose vertices cover the viewport. The text of its fragment shader is these lines and
 * two files below bench/shaders/. A failure ends the program that runs. */
GLuint published_program_new(const char *defines, const char *shared, const char *file);

/* Makes the context ready for OpenGL's own functions, and gives it back to the library. */
void published_enter(glnn_context *ctx);
void published_leave(glnn_context *ctx);

#endif
