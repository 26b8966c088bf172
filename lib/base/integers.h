/* Arithmetic of integers that are not negative. */
#ifndef GLNN__BASE_INTEGERS_H
#define GLNN__BASE_INTEGERS_H

/* The smaller one. */
static inline int glnn__least(int a, int b)
{
    return a < b ? a : b;
}

/* a / b, rounded up. */
static inline int glnn__ceil_div(int a, int b)
{
    return a / b + (a % b != 0);
}

/* The smallest multiple that is at least `value`. */
static inline int glnn__round_up(int value, int multiple)
{
    return glnn__ceil_div(value, multiple) * multiple;
}

#endif
