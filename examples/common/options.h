/* Command lines from a table. A row describes one option: its name, the field for its value, its
 * default, the values that it allows, and its meaning. --help prints the same table, and defaults
 * are read as if the user had typed them, so that both always agree with the program. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <glnn/fields.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OPTION_LIST_CAPACITY 15

/* A value of kind OPTION_LIST. */
typedef struct option_list {
    int count;
    int values[OPTION_LIST_CAPACITY];
} option_list;

/* Defines option_<noun>, which gives the name of an enumerator of glnn_<noun> for OPTION_CHOICE. */
#define OPTION_NAMES(noun)                                                                         \
    static const char *option_##noun(int value)                                                    \
    {                                                                                              \
        _Static_assert(sizeof(glnn_##noun) == sizeof value, "the option is stored as an int");     \
        return glnn_##noun##_name((glnn_##noun)value);                                             \
    }

typedef enum option_kind {
    OPTION_FLAG,    /* bool: no value, true when given                */
    OPTION_TEXT,    /* const char *                                   */
    OPTION_INTEGER, /* int in [low, high]                             */
    OPTION_NUMBER,  /* float between low and high                     */
    OPTION_SEED,    /* uint64_t                                       */
    OPTION_CHOICE,  /* an enumeration: a name of one in [low, high]   */
    OPTION_LIST     /* option_list: integers in [low, high], by comma */
} option_kind;

typedef struct option_row {
    const char *name; /* NULL: `help` is a heading above the rows that follow */
    option_kind kind;
    size_t field;         /* offset in the settings                           */
    const char *argument; /* the value's name in --help; NULL for a choice    */
    const char *fallback; /* the default as a value; NULL: zeros              */
    const char *help;
    double low, high;
    bool above, below;           /* NUMBER: low or high itself is not allowed       */
    glnn_description of;         /* of INTEGER and NUMBER: where the next one is    */
    const char *library_field;   /* has the range and the default; NULL: the row    */
    const char *(*name_of)(int); /* CHOICE: the name of a value                     */
    bool is_list;                /* TEXT: commas separate several values            */
} option_row;

typedef struct option_table {
    const char *program; /* its path; --help shows the name after the last slash */
    const char *summary;
    const option_row *rows;
    int count;
    size_t size;  /* of the settings; fields without a default become zero */
    size_t given; /* offset in the settings of const char *given[count]: the values on the command
                     line, "" of a flag, NULL of options that it lacks; 0: not wanted */
    bool (*check)(void *settings); /* checks options against each other at the end; may be NULL */
} option_table;

/* Fills the settings from the defaults and the command line. --help sets *help and leaves the rest
 * unread. False: the failure names the option, its value and the values that it allows. */
bool options_parse(const option_table *table, int argc, char **argv, void *settings, bool *help);

/* The number of the row with that name; -1: there is none. */
int options_find(const option_table *table, const char *name);

/* False: the row does not allow this value; the failure says what it allows. */
bool options_check_value(const option_row *row, const char *text);

/* Writes every option with meaning, allowed values and default. */
void options_help(const option_table *table, FILE *out);

/* options_parse for main(). --help is printed and ends the program with status 0; a wrong command
 * line ends it with a sentence and status 2. */
void options_read(const option_table *table, int argc, char **argv, void *settings);

/* Ends the program as options_read does, unless `done`: for checks of the command line that come
 * after the parsing, such as those of its files. */
void options_require(const option_table *table, bool done);

#endif
