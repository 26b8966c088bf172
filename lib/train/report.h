/* The reports of a training under way. */
#ifndef GLNN__TRAIN_REPORT_H
#define GLNN__TRAIN_REPORT_H

#include "train/training.h"

/* The advice for a loss that is not finite. */
typedef struct glnn__advice {
    char text[64];
} glnn__advice;

glnn__advice glnn__report_advise(const glnn_trainer *trainer);

/* Fills the report from totals of training samples; fails if they show a loss that is not finite. */
glnn_status glnn__report_totals(glnn_trainer *trainer, int batches, const glnn__totals *totals);

/* Hands the report to the program, which sees its own OpenGL state and may use the library. */
glnn_status glnn__report_send(glnn_trainer *trainer, glnn_event event);

/* After a step of `batches` batches: reports metrics that have arrived, and requests the next. */
glnn_status glnn__report_follow(glnn_trainer *trainer, int batches);

#endif
