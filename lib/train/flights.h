/* The work of calls with a time limit. It is measured, and little of it waits for the device at a
 * time. */
#ifndef GLNN__TRAIN_FLIGHTS_H
#define GLNN__TRAIN_FLIGHTS_H

#include "gl/interval.h"
#include "train/forecast.h"

/* Kinds of units that calls make. Other work is not measured. */
typedef enum glnn__unit { GLNN__UNIT_STEP, GLNN__UNIT_PART, GLNN__UNITS } glnn__unit;

/* Units of one kind that a call made. The device may not have finished them. */
typedef struct glnn__flight {
    glnn__interval interval;
    glnn__unit unit;
    int count;      /* of units; 0: other work                             */
    double seconds; /* that it took to submit them                         */
    bool is_usual;  /* nothing else took time, such as compiling           */
} glnn__flight;

#define GLNN__FLIGHTS 16

/* Zeros: none. */
typedef struct glnn__flights {
    glnn__forecast forecasts[GLNN__UNITS];
    glnn__flight all[GLNN__FLIGHTS]; /* a ring: those under way, the oldest first */
    int first, count;
} glnn__flights;

/* Adds the flights that the device has finished to the forecasts. */
void glnn__flights_land(glnn__flights *flights);

/* The seconds that those under way are expected to take; INFINITY if another one cannot begin. */
double glnn__flights_expect(const glnn__flights *flights);

/* Begins a flight. All commands between this call and glnn__flights_end belong to it. */
glnn__flight *glnn__flights_begin(glnn_context *ctx, glnn__flights *flights);
void glnn__flights_end(glnn_context *ctx, glnn__flight *flight, double seconds);

/* Drops those that are under way. The context has to exist. */
void glnn__flights_drop(glnn__flights *flights);

#endif
