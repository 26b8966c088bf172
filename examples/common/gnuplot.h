/* Files for gnuplot: a table, a script, and the picture that gnuplot draws of both. */
#ifndef EXAMPLES_GNUPLOT_H
#define EXAMPLES_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "whole_file.h"

/* Begins a script that draws a PNG file with texts of so many points. `picture` NULL: to standard
 * output, as with another one if gnuplot_run loads the script. */
void gnuplot_begin(FILE *script, int width, int height, int points, const char *picture);

/* Writes a text between quotes and doubles the quotes in it, as CSV and gnuplot expect. */
void gnuplot_quote(FILE *file, char quote, const char *text);

/* Writes the quoted name of a class, or its number where `names` is NULL. */
void gnuplot_class(FILE *file, char *const *names, int class);

/* Writes the tics of an axis of classes: every `step`-th name, or numbers where `names` is NULL. */
void gnuplot_tics(FILE *script, char axis, int classes, int step, char *const *names);

/* Closes the script `name` of the folder and runs gnuplot there, which draws `picture`. A note says
 * if gnuplot is not installed; the table and the script remain. */
bool gnuplot_run(whole_file *script, const char *folder, const char *name, const char *picture);

bool gnuplot_is_installed(void);

/* An empty script without a name, for gnuplot_draw; NULL with a failure. */
FILE *gnuplot_script(void);

/* Closes a script that draws to standard output, and runs gnuplot, which draws the file `picture`.
 * The script is open for reading too. */
bool gnuplot_draw(FILE *script, const char *picture);

#endif
