/* A drawing of a digit, which a model recognises while it changes and can learn.
 *
 * The strokes lie in a texture of the program. The library adopts this texture, makes an image like
 * those of MNIST from it, and computes the scores of the classes. Results are printed, so that a
 * log tells what was done. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_DRAWING_H
#define EXAMPLES_DRAWING_H

#include "window/canvas.h"
#include "window/digit.h"
#include "window/pictures.h"
#include "window/recogniser.h"

enum { DRAWING_LATENCIES = 32 };

typedef struct drawing {
    glnn_context *ctx;
    canvas *paper;
    glnn_matrix *ink; /* the coarse level of the paper */
    digit *prepared;
    recogniser *model;
    pictures *image; /* that the model sees                            */
    bool changed;    /* the paper or the model, since it was last read */
    int class;       /* -1: the paper is empty                         */
    float shares[RECOGNISER_CLASSES];
    char message[160]; /* to the user                   */
    int taught;        /* the class that is being learnt */
    int steps;         /* of the learning                */
    double latencies[DRAWING_LATENCIES];
    int recognitions;
    float last_x, last_y; /* of the pen, in pixels of the paper */
    bool pen_down;
    bool lifted; /* the pen, and this was not printed yet */
} drawing;

/* Adopts the current context and loads a model from its file. */
void drawing_open(drawing *out, const char *model);
void drawing_close(drawing *of);

/* Draws from the last place of the pen, or begins a stroke. Places count from 0 to 1, and the width
 * in pixels of the paper. */
void drawing_move_pen(drawing *of, float x, float y, float width);
void drawing_lift_pen(drawing *of);

void drawing_clear(drawing *of);

/* Begins to learn that the drawing is of this class. */
void drawing_teach(drawing *of, int class);

/* The work of a frame: a step of learning, and recognition if something has changed. */
void drawing_work(drawing *of);

/* Milliseconds from the changed paper to the scores, the median of the last recognitions. */
double drawing_get_latency(const drawing *of);

/* Saves the model as it is now. */
void drawing_save(drawing *of, const char *path);

#endif
