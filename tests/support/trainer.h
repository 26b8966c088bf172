/* An example as its user runs it: its command line, output and files, and tables to train on. */
#ifndef TESTS_TRAINER_H
#define TESTS_TRAINER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TEXT_CAPACITY = 32768 };

/* The output of the latest run. */
extern char said[TEXT_CAPACITY];

/* Finds the program of that name. Returns 0 if it is there. */
int trainer_find(const char *name);

/* The path of the program that was found. */
const char *trainer_path(void);

/* The program is started by this command line from now on; "" starts it directly. */
void trainer_launch_by(const char *launcher);

/* Runs the program, and returns its exit status. */
int trainer_run(const char *arguments);

/* The program ends with status 0 and prints neither nan nor inf. */
void does(const char *arguments);

/* The program ends with status 1 and a sentence that has both parts. */
void fails(const char *arguments, const char *part, const char *other);

/* The program ends with status 2, before it reads samples, and says both parts. */
void refuses(const char *arguments, const char *part, const char *other);

/* The number after a word that the latest run printed. */
double printed(const char *word);

void read_text(const char *path, char text[TEXT_CAPACITY]);
void write_text(const char *path, const char *text);
int count_lines(const char *path);

/* The labels of write_trees. */
extern const char *const tree_kinds[3];

/* A table of `each` rows of every kind, whose places lie 4 apart in two features; the third feature
 * is constant. */
void write_trees(const char *path, int each, uint64_t seed);

#endif
