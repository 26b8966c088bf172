/* Numbers in double precision, with running bounds on how far float32 may be from them. */
#ifndef TESTS_BOUNDED_H
#define TESTS_BOUNDED_H

#include "support.h"

#include <glnn/map.h>

/* A number, and how far float32 may be from it. */
typedef struct bounded {
    double value, bound;
} bounded;

expected expected_new(int rows, int columns); /* zeros */
void set_bounded(expected *to, int row, int column, bounded from);
bounded get_bounded(const expected *from, int row, int column);

/* A sum of products; each term adds its rounding and what its factors may be off by. */
typedef struct product_sum {
    double value, size, spread;
} product_sum;

void add_product(product_sum *sum, bounded a, bounded b);
bounded finish_sum(const product_sum *sum, int terms);

bounded multiply(bounded a, bounded b);

/* f(z), and f' in terms of y = f(z). */
bounded activate(glnn_map map, bounded z);
bounded slope_of(glnn_map map, bounded y);

#endif
