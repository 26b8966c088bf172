/* OpenGL state that no pass could work with, and whether it is still there afterwards. */
#ifndef TESTS_ODD_STATE_H
#define TESTS_ODD_STATE_H

#include "snapshot.h"
#include "support.h"

#include <GL/glew.h>

/* Sets it in the current context; transform feedback runs from then on. */
void set_odd_state(void);

/* Ends transform feedback, which has to precede the end of the context: NVIDIA's driver 580 would
 * go on to write to memory that it has released. */
void leave_odd_state(void);

/* A program that transform feedback can run with. */
GLuint feedback_program(void);

#endif
