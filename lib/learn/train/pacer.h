/* The pace of calls with a time limit: they make as many units of work as are expected to fit, and
 * wait for nothing. The pacer measures its calls, and lets little work wait for the device. */
#ifndef GLNN__LEARN_TRAIN_PACER_H
#define GLNN__LEARN_TRAIN_PACER_H

#include "gl/interval.h"

/* Kinds of units. Those of the first two kinds are alike, so that their time can be forecast. */
typedef enum glnn__unit {
    GLNN__UNIT_STEP,
    GLNN__UNIT_PART,       /* of a validation                                           */
    GLNN__UNIT_FORECAST,   /* kinds that are forecast                                   */
    GLNN__UNIT_FIRST_STEP, /* of an epoch, which takes longer than others               */
    GLNN__UNIT_READING,    /* reads numbers, for which a software rasteriser would wait */
    GLNN__UNIT_NONE        /* no work is left                                           */
} glnn__unit;

#define GLNN__FORECAST_CALLS 32

/* The time that the next units of a kind will take, by those that were measured. Zeros: nothing
 * was measured. */
typedef struct glnn__forecast {
    double seconds[GLNN__FORECAST_CALLS]; /* of a unit, in each of the latest calls that were
                                             measured; a ring */
    int count, next;
    int most; /* units of the largest call so far */
} glnn__forecast;

/* Adds a call that made so many units within a time. */
void glnn__forecast_add(glnn__forecast *forecast, int units, double seconds);

/* The expected seconds of so many units: by the median of the calls; 0: nothing was measured. */
double glnn__forecast_expect(const glnn__forecast *forecast, int units);

/* The most units with which half of the calls stay within the budget, and 19 of 20 calls within 1.2
 * times the budget. At most twice as many as a call has made, because a longer list of commands may
 * behave otherwise. 1 if nothing was measured; 0 if not even one fits. */
int glnn__forecast_fit(const glnn__forecast *forecast, double budget);

/* Units of one kind that a call made. The device may not have finished them. */
typedef struct glnn__flight {
    glnn__interval interval;
    glnn__unit kind; /* one that is forecast                               */
    int count;       /* of units; 0: other work                            */
    double seconds;  /* that it took to submit them                        */
    bool is_usual;   /* nothing else took time, such as compiling          */
} glnn__flight;

#define GLNN__FLIGHTS 16

/* Zeros: no call has been made. */
typedef struct glnn__pacer {
    glnn__forecast forecasts[GLNN__UNIT_FORECAST];
    glnn__flight flights[GLNN__FLIGHTS]; /* a ring: those under way, the oldest first */
    int first, count;
    bool is_idle; /* the unit is the first one of a call that has found the device idle */
} glnn__pacer;

/* Work that consists of units: the kind of the next one, and a function that makes it. *arrives
 * false: it needs numbers that have not arrived, so nothing was done. */
typedef struct glnn__work {
    void *of;
    glnn__unit (*next)(const void *of);
    glnn_status (*make)(void *of, bool *arrives);
} glnn__work;

/* Makes units for some seconds since `called`, when the call began by the clock. */
glnn_status glnn__pacer_run(glnn_context *ctx, glnn__pacer *pacer, double called, double seconds,
                            const glnn__work *work);

/* Forgets the work under way. The context has to exist. */
void glnn__pacer_drop(glnn__pacer *pacer);

#endif
