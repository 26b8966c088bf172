/* The expected time of work on the GPU and on the CPU. */
#ifndef GLNN__DEVICE_ADVICE_H
#define GLNN__DEVICE_ADVICE_H

#include "ops/gemm/layout.h"

#include <glnn/advice.h>

/* The most products of a task. */
#define GLNN__WORK_PRODUCTS 192

typedef struct glnn__task_work {
    glnn__layout_use products[GLNN__WORK_PRODUCTS];
    int product_count, passes; /* other passes                                           */
    int rows, columns;         /* of the matrices of these passes; 0: they do not matter */
    double moved;              /* bytes that they read and write in main memory          */
    double transferred;        /* operands and results; of a network the samples, because weights
                                  stay */
} glnn__task_work;

/* Compares the expected times of a work. Of `desc` only the speeds and `transfers` count. Without
 * `may_measure` it fails with E_STATE if the device profile is not known. */
glnn_status glnn__advise(glnn_context *ctx, const glnn__task_work *work,
                         const glnn_advice_desc *desc, bool may_measure, glnn_advice *out);

#endif
