/* What the trainers print, beside their progress. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_SHOW_H
#define EXAMPLES_SHOW_H

#include <glnn/network.h>

#include <stdbool.h>
#include <stdint.h>

/* A line per EGL device. */
void show_devices(void);

/* Says that images were generated. */
void show_generated(void);

/* What a context runs on. */
void show_renderer(const glnn_context *ctx);

/* Says so where the fragment stage has only a fraction of the device, which is measured unless the
 * tuning is OFF. */
void show_stage(glnn_context *ctx);

/* "784-128-10, relu, cross-entropy, sgd", layout and precision. */
void show_network(const glnn_network *network);

enum { LOSS_TEXT = 32 };

/* A loss with four places, and from a million on with four digits; returns `text`. */
const char *loss_text(double loss, char text[LOSS_TEXT]);

/* A line for an epoch that ended: loss and, where there are classes, share classified right; then
 * the same of the samples that `measured` names; NULL: none were measured. */
void show_epoch(const glnn_report *report, const char *measured, bool has_classes);

/* After how many epochs a training was stopped, where it was, how long it took, and how many
 * samples a second that was, with so many an epoch. */
void show_training(const glnn_train_result *result, double samples, int batch);

/* A row per class of the labels, a column per predicted class; of more than CONFUSION_CLASSES_MAX
 * classes the most frequent confusions and the recall of each class. Classes without a test sample
 * are named. `names` NULL: classes are numbers. */
void show_confusion(const int64_t *confusion, int classes, char *const *names);

#endif
