/* A temporary folder with folders in it: copied, read, edited and removed. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "support.h"

enum { TREE_PATH = 1024 };

/* Makes an empty temporary folder, and removes one with all that is in it. */
void tree_make(char path[TREE_PATH]);
void tree_remove(const char *path);

/* "folder/name"; valid until the fourth call after it. */
const char *tree_path(const char *folder, const char *name);

/* Copies a folder's files and folders into one that exists. */
void tree_copy(const char *from, const char *to);

/* The names of a folder's files in the order of the alphabet; returns how many there are. */
int tree_list(const char *folder, char names[][256], int capacity);

/* A whole file, with a zero byte after its end; freed by the caller. */
unsigned char *tree_read(const char *path, size_t *size);
void tree_write(const char *path, const void *bytes, size_t size);

#endif
