/* A temporary folder that each test of a program works in, as fixtures of cmocka. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

/* Makes an empty folder the current one, and forgets where the environment has data. */
int folder_enter(void **state);

/* Removes that folder with all that is in it. */
int folder_leave(void **state);

/* The entry of one test in the table of a program. */
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

#endif
