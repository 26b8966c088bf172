/* Files for gnuplot: a table, a script, and the picture that gnuplot draws of both. */
#ifndef EXAMPLES_GNUPLOT_H
#define EXAMPLES_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a file of the folder for writing; NULL with a failure. */
FILE *gnuplot_open(const char *folder, const char *name);

/* Closes it. False if it could not be written. */
bool gnuplot_close(FILE *file, const char *folder, const char *name);

/* Begins a script that draws a PNG file with texts of so many points. `picture` NULL: to standard
 * output. */
void gnuplot_begin(FILE *script, int width, int height, int points, const char *picture);

/* Writes a text between quotes and doubles the quotes in it, as CSV and gnuplot expect. */
void gnuplot_quote(FILE *file, char quote, const char *text);

/* Writes the quoted name of a class, or its number where `names` is NULL. */
void gnuplot_class(FILE *file, char *const *names, int class);

/* Writes the tics of an axis of classes: every `step`-th name, or numbers where `names` is NULL. */
void gnuplot_tics(FILE *script, char axis, int classes, int step, char *const *names);

/* Closes a script and runs gnuplot in the folder. A note says if gnuplot is not installed; the
 * table and the script remain. */
bool gnuplot_run(FILE *script, const char *folder, const char *name);

bool gnuplot_is_installed(void);

/* Closes a script that draws to standard output, and runs gnuplot, which draws the file `picture`.
 * The script is open for reading too. */
bool gnuplot_draw(FILE *script, const char *picture);

#endif
