/* A classifier of images of digits from a model file, which learns more from single drawings.
 *
 * The file holds a network (glnn_learner_save) or prototypes of the LVQ family (glnn_learner_save).
 * Its samples are the pixels of MNIST, from 0 to 1. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_RECOGNISER_H
#define EXAMPLES_RECOGNISER_H

#include <glnn/matrix.h>

enum { RECOGNISER_CLASSES = 10 };

typedef struct recogniser recogniser;

/* Loads a model, which has the 784 features of MNIST and 2 to RECOGNISER_CLASSES classes. */
recogniser *recogniser_load(glnn_context *ctx, const char *path);

/* NULL is ignored. */
void recogniser_destroy(recogniser *of);

/* A text such as "network, 784 - 128 - 10" or "50 prototypes, glvq", which belongs to the
 * recogniser. */
const char *recogniser_describe(const recogniser *of);

int recogniser_get_classes(const recogniser *of);

/* The name of a class in the file, else its number. It belongs to the recogniser. */
const char *recogniser_get_name(const recogniser *of, int class);

/* Recognises a sample, 1 x 784, and returns its class. shares[i] is the score of class i from 0 to
 * 1: the output of a network; of prototypes the least squared distance of all classes, divided by
 * that of class i. */
int recogniser_read(recogniser *of, const glnn_matrix *sample, float shares[RECOGNISER_CLASSES]);

/* Begins to learn that a sample is of a class. A part of each batch are samples that were taught
 * before, and generated digits as the model read them when it was loaded. */
void recogniser_teach(recogniser *of, const glnn_matrix *sample, int class);

/* True from recogniser_teach on until the learning is stopped. */
bool recogniser_is_learning(const recogniser *of);

/* Makes a step of learning. The first calls compile the programs of the training instead, in slices
 * of a few milliseconds; false: this was one of them. */
bool recogniser_learn(recogniser *of);

void recogniser_stop(recogniser *of);

/* Saves the model as it is now. */
void recogniser_save(const recogniser *of, const char *path);

#endif
