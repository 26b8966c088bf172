/* The time that the next units of some work will take, by those that were measured. Units of a kind
 * are alike, such as the steps of a training. Pure arithmetic. */
#ifndef GLNN__TRAIN_FORECAST_H
#define GLNN__TRAIN_FORECAST_H

#define GLNN__FORECAST_CALLS 32

/* Zeros: nothing was measured. */
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

#endif
