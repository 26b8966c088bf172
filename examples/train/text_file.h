/* Files of text that the program writes. Failures end the program, as with CHECK. */
#ifndef TRAIN_TEXT_FILE_H
#define TRAIN_TEXT_FILE_H

#include <stdio.h>

FILE *text_file_open(const char *path);

/* Ends the program also if something before could not be written. */
void text_file_close(FILE *file, const char *path);

#endif
