/* A program with an OpenGL context of its own, the host, and the library in that context, the
 * guest. */
#ifndef TESTS_GUEST_H
#define TESTS_GUEST_H

#include "foreign.h"

extern foreign host;
extern glnn_context *guest;

/* Adopts the context that is current. */
glnn_status adopt_current(glnn_context **out);

/* Makes a headless host, leaves it current and adopts it. */
void adopt(void);

/* Destroys the guest and then the host. */
void leave_host(void);

/* A square matrix, and whether all its elements are `value`. */
enum { SQUARE_SIDE = 8 };
glnn_matrix *new_square(glnn_context *ctx);
void expect_square(glnn_context *ctx, const glnn_matrix *square, float value);

/* An occlusion query that saw nothing, so that a render under its condition is discarded. */
GLuint failed_query(void);

#endif
