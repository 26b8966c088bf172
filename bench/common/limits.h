/* The limits of the device, measured in the same run as the figures that are compared with
 * them. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include "common/harness.h"
#include "common/probe.h"

typedef struct limits {
    double rates[PROBE_COUNT];      /* units a second                                   */
    double copy[GLNN_LAYOUT_COUNT]; /* bytes a second, read and written, of a copy pass */
    double pass_seconds;            /* a tiny pass that needs the one before it         */
    double submit_seconds;          /* of that, the CPU's part: giving the orders       */
    double upload, download;        /* bytes a second, waiting for each                 */
    double download_ahead;          /* the same with two downloads under way at a time  */
} limits;

void limits_measure(bench *b, limits *out);

/* Floating-point operations a second that a matrix product in a layout can reach when fetches are
 * all that it waits for; `storage` is that of the operands. */
double limits_product(const limits *l, glnn_layout layout, glnn_storage storage);

#endif
