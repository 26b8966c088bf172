/* Options that are searched, with the values that each of them may have. */
#ifndef TRAIN_SPACE_H
#define TRAIN_SPACE_H

#include <stdint.h>

#include "common/options.h"

enum { SPACE_AXES = 24, SPACE_WORDS = 32, SPACE_VALUE = 64 };

/* One option: the words that it may be, or a range. */
typedef struct space_axis {
    const option_row *row;
    int number;                     /* of the row                                 */
    int count;                      /* of the words; 0: a range                   */
    const char *words[SPACE_WORDS]; /* those of a flag are "on" and "off"         */
    double low, high;               /* of the range                               */
    bool is_log;                    /* even in the logarithm                      */
} space_axis;

typedef struct space {
    char *text; /* has the words */
    int count;
    space_axis axes[SPACE_AXES];
} space;

/* A value of each axis. */
typedef struct space_point {
    char values[SPACE_AXES][SPACE_VALUE];
} space_point;

/* Reads options with their values, as in 'rate 0.01..0.3 log, hidden 64 128,64, whiten on off'. A
 * comma before a digit, or before a word with '=', belongs to a value, and others separate options.
 * False with a failure: an option is not known, cannot be searched or does not allow a value.
 * `can_search` says which rows can be searched. */
bool space_parse(const option_table *table, bool (*can_search)(int row), const char *text,
                 space *out);

/* The number of points, INFINITY if a range has numbers that are not whole. */
double space_size(const space *of);

/* Draws a point. The random numbers follow from the state alone. */
void space_draw(const space *of, uint64_t *state, space_point *out);

bool space_is_same(const space *of, const space_point *a, const space_point *b);

void space_free(space *of);

#endif
