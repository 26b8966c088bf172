/* A user of a program with a window: starts it on a display of its own, presses keys, moves the
 * pointer, and reads what the program prints. Each failure fails the test. */
#ifndef TESTS_USER_H
#define TESTS_USER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Starts and ends a display, for the setup and the teardown of a group of tests. */
int user_has_display(void **state);
int user_leaves_display(void **state);

/* Starts the program that trainer_find has found, and waits for its window. */
void user_starts(const char *arguments);

/* Waits until the program has printed the text, after all texts that were waited for before.
 * Returns the rest of that line. */
const char *user_reads(const char *text);

/* Presses and releases a key: a character, or a name of X11 such as "space". */
void user_presses(const char *key);

/* Moves the pointer to a place of the window, presses the button, moves on, and releases it. */
void user_drags(int x, int y, int to_x, int to_y);
void user_clicks(int x, int y);

void user_resizes(int width, int height);
void user_minimises(void);
void user_restores(void);
void user_looks_away(void); /* another window has the focus */

/* The picture in the window: all red numbers from 0 to 1, row by row, then all green and all blue
 * ones. The caller frees it. */
float *user_sees(int *width, int *height);

/* Waits until the window shows more than one colour. */
void user_sees_a_picture(void);

/* Waits until at least so many pixels differ from a former picture, which is freed. */
void user_sees_changes(float *before, int least);

/* Closes the window as the button of its frame does. */
void user_closes(void);

/* Waits for the end of the program, which has to have status 0. */
void user_sees_the_end(void);

#endif
