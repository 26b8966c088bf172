/* The presentation of samples by their recent losses. */
#ifndef GLNN__DATA_EMPHASIS_H
#define GLNN__DATA_EMPHASIS_H

/* The greatest exponent: even sums over all samples then stay far below the greatest float32. */
#define GLNN__MAX_EMPHASIS 4

#endif
