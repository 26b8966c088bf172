/* The metrics by which models are compared. */
#ifndef TRAIN_FIGURES_H
#define TRAIN_FIGURES_H

#include "measure.h"

enum {
    FIGURE_AUTO, /* the accuracy, or R^2 of targets; no model has it */
    FIGURE_ACCURACY,
    FIGURE_BALANCED_ACCURACY,
    FIGURE_MACRO_F1,
    FIGURE_ROC_AUC,
    FIGURE_MACRO_AVERAGE_PRECISION,
    FIGURE_MEAN_ABSOLUTE_ERROR,
    FIGURE_ROOT_MEAN_SQUARED_ERROR,
    FIGURE_R_SQUARED,
    FIGURE_COUNT
};

/* NAN where a figure is not defined. */
typedef struct figures {
    double values[FIGURE_COUNT];
} figures;

/* The name of a figure as an option has it, such as "balanced_accuracy". */
const char *figure_name(int figure);

/* The name at the head of a column, such as "balanced". */
const char *figure_heading(int figure);

/* The figure is an error, so a lower one is better. */
bool figure_is_error(int figure);

/* The figure is one of targets, not of classes. */
bool figure_is_of_targets(int figure);

/* Computes the figures of predictions of the test samples. Failures end the program. */
figures figures_measure(const glnn_learner *learner, const predictions *of, const settings *with,
                        const samples *data);

/* Computes means and standard deviations, with the divisor count - 1; the deviations of a single
 * one are NAN. */
void figures_summarise(int count, const figures *each, figures *means, figures *deviations);

/* Writes the figures of targets or of classes as an object of JSON. */
void figures_write(FILE *file, const figures *of, bool are_of_targets);

enum { FIGURE_TEXT = 32 };

/* A figure as text: an accuracy in percent, an error with six digits; returns `text`. */
const char *figure_text(int figure, double value, char text[FIGURE_TEXT]);

#endif
