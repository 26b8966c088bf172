/* Command lines from a table: a row per option says its name, where its value goes, its default,
 * what is allowed and what it means. The default is text and read like a value, so that --help
 * and the program cannot disagree. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OPTION_LIST_CAPACITY 15

/* A value of kind OPTION_LIST. */
typedef struct option_list {
    int count;
    int values[OPTION_LIST_CAPACITY];
} option_list;

/* One word that an option of kind OPTION_CHOICE allows; a table of them ends with a null name. */
typedef struct option_choice {
    const char *name;
    int value;
} option_choice;

typedef enum option_kind {
    OPTION_FLAG,    /* bool: no value, true when given                */
    OPTION_TEXT,    /* const char *                                   */
    OPTION_INTEGER, /* int in [low, high]                             */
    OPTION_NUMBER,  /* float between low and high                     */
    OPTION_SEED,    /* uint64_t                                       */
    OPTION_CHOICE,  /* an enumeration: one of `choices`               */
    OPTION_LIST     /* option_list: integers in [low, high], by comma */
} option_kind;

typedef struct option_row {
    const char *name; /* NULL: `help` is a heading above the rows that follow */
    option_kind kind;
    size_t field;         /* offset in the settings                           */
    const char *argument; /* how --help calls the value; NULL for a choice    */
    const char *fallback; /* the default as a value; NULL: zeros              */
    const char *help;
    double low, high;
    bool above, below; /* NUMBER: low, high themselves are not allowed     */
    const option_choice *choices;
} option_row;

typedef struct option_table {
    const char *program; /* its path: the name behind the last slash is shown */
    const char *summary;
    const option_row *rows;
    int count;
    size_t size;  /* of the settings, which are zero where no default says otherwise */
    size_t given; /* offset in the settings of bool given[count]: which options were there */
    bool (*check)(void *settings); /* what holds between options, asked at the end; may be NULL */
} option_table;

/* Fills the settings from the defaults and the command line; --help sets *help, which leaves the
 * rest unread. False: the failure names option, value and what is allowed. */
bool options_parse(const option_table *table, int argc, char **argv, void *settings, bool *help);

/* Writes every option with meaning, allowed values and default. */
void options_help(const option_table *table, FILE *out);

/* options_parse for main(): --help is printed and ends the program with status 0, a wrong command
 * line with its sentence and status 2. */
void options_read(const option_table *table, int argc, char **argv, void *settings);

/* For checks of the command line that need the files which it names: unless `done`, ends the
 * program as options_read does. */
void options_require(const option_table *table, bool done);

#endif
