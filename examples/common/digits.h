/* Generates handwritten digits from strokes, for machines without MNIST. The same seed gives the
 * same files. */
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

/* Draws a digit, white on black. The strokes are distorted, slanted, turned and scaled at random,
 * centred by mass as in MNIST, and shifted a little. Each number gives another picture. */
void digits_draw(uint64_t seed, uint64_t number, int digit,
                 uint8_t pixels[DIGITS_SIDE * DIGITS_SIDE]);

/* Writes the four files of a data set of `train` and `test` images into a folder, which is created
 * if it does not exist. The counts of the digits differ by at most one. */
bool digits_write(const char *folder, uint64_t seed, int train, int test);

#endif
