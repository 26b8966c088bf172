/* Tables of text that are read, or refused. */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include <glnn/csv.h>

/* Reads a text as a table, which the caller frees, and opens it too. */
glnn_csv table_read_text(const char *text, glnn_csv_desc how);

/* glnn_csv_file_open gives the same table, and reads the same rows. */
void assert_opens_alike(const char *path, const glnn_csv_desc *how, const glnn_csv *wanted);

/* Reading fails with GLNN_E_FORMAT and a sentence that has the path and `part`, and so
 * does opening the file. */
void assert_table_refused(const char *text, glnn_csv_desc how, const char *part);
void assert_table_problem(const char *text, glnn_csv_desc how, const char *part,
                          glnn_csv_problem problem);

#endif
