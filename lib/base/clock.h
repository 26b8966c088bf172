/* Time by the clock, and of processors. */
#ifndef GLNN__BASE_CLOCK_H
#define GLNN__BASE_CLOCK_H

/* Seconds since an arbitrary moment; never decreases. */
double glnn__clock_seconds(void);

/* Waits for less than a second. A signal to the thread may end it early. */
void glnn__clock_sleep(double seconds);

/* Seconds of processor time that all threads of the process have used, in steps of a few
 * microseconds. */
double glnn__clock_processor_seconds(void);

/* The time that has elapsed between starts and stops, added up. Zeros: none. */
typedef struct glnn__elapsed {
    double seconds; /* before the latest start         */
    double started; /* by the clock; 0: it is stopped  */
} glnn__elapsed;

static inline void glnn__elapsed_start(glnn__elapsed *elapsed)
{
    elapsed->started = glnn__clock_seconds();
}

static inline double glnn__elapsed_read(const glnn__elapsed *elapsed)
{
    return elapsed->seconds + (elapsed->started > 0 ? glnn__clock_seconds() - elapsed->started : 0);
}

static inline void glnn__elapsed_stop(glnn__elapsed *elapsed)
{
    elapsed->seconds = glnn__elapsed_read(elapsed);
    elapsed->started = 0;
}

/* Sets it; if it has been started, it goes on from there. */
static inline void glnn__elapsed_set(glnn__elapsed *elapsed, double seconds)
{
    elapsed->seconds = seconds;
    if (elapsed->started > 0)
        glnn__elapsed_start(elapsed);
}

#endif
