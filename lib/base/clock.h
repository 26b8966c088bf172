/* Wall-clock time. */
#ifndef GLNN__BASE_CLOCK_H
#define GLNN__BASE_CLOCK_H

/* Seconds since an arbitrary start; never goes back. */
double glnn__clock_seconds(void);

/* Processor time that all threads of the process have used. */
double glnn__clock_processor_seconds(void);

#endif
