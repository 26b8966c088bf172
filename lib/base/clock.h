/* Time by the clock, and of processors. */
#ifndef GLNN__BASE_CLOCK_H
#define GLNN__BASE_CLOCK_H

/* Seconds since an arbitrary moment; never decreases. */
double glnn__clock_seconds(void);

/* Seconds of processor time that all threads of the process have used, in steps of a few
 * microseconds. */
double glnn__clock_processor_seconds(void);

#endif
