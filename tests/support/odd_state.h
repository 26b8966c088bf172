/* OpenGL state that no pass could work with, and whether it is still there afterwards. */
#ifndef TESTS_ODD_STATE_H
#define TESTS_ODD_STATE_H

#include "support.h"

#include <GL/glew.h>

/* Sets it in the current context; transform feedback runs from then on. */
void set_odd_state(void);

/* A program that transform feedback can run with. */
GLuint feedback_program(void);

/* The state of the current context. */
typedef struct snapshot snapshot;

snapshot *snapshot_take(void);
void snapshot_check(const snapshot *before); /* fails where the state is another one now */
void snapshot_free(snapshot *before);

#endif
