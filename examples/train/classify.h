/* Pictures to classify. */
#ifndef TRAIN_CLASSIFY_H
#define TRAIN_CLASSIFY_H

#include "learner.h"

/* Prints the class and all outputs of each picture in a PNG or IDX file. Pictures are scaled to the
 * images that the model was trained on. If the model does not know their shape, it is `image`, or
 * with zeros that of square images in gray. Failures end the program, as with CHECK. */
void classify_pictures(glnn_context *ctx, glnn_learner *of, const char *path, bool invert,
                       glnn_shape image);

#endif
