/* A curve of numbers that grows for as long as a program runs, in memory of a fixed size. */
#ifndef EXAMPLES_RECORD_H
#define EXAMPLES_RECORD_H

enum { RECORD_POINTS = 1024 };

typedef struct record {
    int count;
    float x[RECORD_POINTS], y[RECORD_POINTS];
} record;

/* Adds a point. If there is no room, every other point is dropped first. */
void record_add(record *to, double x, double y);

#endif
