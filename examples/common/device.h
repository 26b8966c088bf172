/* Prints what a program computes on. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_DEVICE_H
#define EXAMPLES_DEVICE_H

#include <glnn/selftest.h>

/* Prints a line for each EGL device. */
void device_list(void);

/* Prints the device and the stage of a context. If the stage is FRAGMENT and the compute stage of
 * this device is several times as fast, a second line says so. */
void device_show(glnn_context *ctx);

/* Prints the self-test of the library in a context of this description. Returns the exit status of
 * the program: EXIT_FAILURE if a result is wrong or output was lost. */
int device_selftest(const glnn_context_desc *desc);

/* Prints the library's warnings and errors, and why the program waits, on standard error; for
 * glnn_log_set. */
void device_print_message(void *user, glnn_log_level level, const char *message);

#endif
