/* Generated digits: handwriting from drawn strokes, for machines without MNIST and without a
 * network. The same seed gives the same files. */
#ifndef EXAMPLES_DIGITS_H
#define EXAMPLES_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DIGITS_CLASSES = 10,
    DIGITS_SIDE = 28,
    DIGITS_TRAIN = 10000,
    DIGITS_TEST = 2000,
    DIGITS_SEED = 1
};

/* Draws a digit, white on black: its strokes wobbled, slanted, turned and scaled, centred by mass
 * as in MNIST, shifted a little, with noise. Each number gives another picture. */
void digits_draw(uint64_t seed, uint64_t number, int digit,
                 uint8_t pixels[DIGITS_SIDE * DIGITS_SIDE]);

/* Writes the four files of a data set of `train` and `test` images into a folder, which is created
 * where needed. Every digit is there equally often, give or take one. */
bool digits_write(const char *folder, uint64_t seed, int train, int test);

#endif
