/* Learning curves. */
#ifndef TESTS_CURVES_H
#define TESTS_CURVES_H

#include <glnn/curve.h>

/* A report with numbers that need all their digits. */
glnn_report report_at(int epoch);

/* A curve of the reports of `epochs` epochs, from 1 on. */
glnn_curve *curve_of(int epochs);

#endif
