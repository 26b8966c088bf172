/* Tables of text that are read, or refused. */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include <glnn/csv.h>

/* Reads a text as a table; the caller frees it. */
glnn_csv table_read_text(const char *text, glnn_csv_desc how);

/* Reading fails with GLNN_E_FORMAT and a sentence that has the path and `part`. */
void assert_table_refused(const char *text, glnn_csv_desc how, const char *part);
void assert_table_problem(const char *text, glnn_csv_desc how, const char *part,
                          glnn_csv_problem problem);

#endif
