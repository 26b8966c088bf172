/* Some test images with the answers of a network, and pictures of what the network holds: its first
 * weights, and the activations of its hidden units. Pictures are drawn from the textures of the
 * library; only the classes are read back, without a wait. Failures end the program. */
#ifndef EXAMPLES_EXHIBIT_H
#define EXAMPLES_EXHIBIT_H

#include <glnn/glnn.h>

#include "common/options.h"

#include "pictures.h"

enum { EXHIBIT_DIGITS = 12 };

typedef struct exhibit {
    glnn_idx images, labels; /* of the test */
    uint64_t random;
    int digits[EXHIBIT_DIGITS];  /* the labels                                      */
    int answers[EXHIBIT_DIGITS]; /* of the network; -1 before the first has arrived */

    /* Of a network, while it is shown. */
    glnn_context *ctx;
    glnn_learner *network;
    glnn_matrix *inputs, *outputs;
    glnn_download *download; /* of the outputs; NULL: none has begun */
    bool has_asked;          /* the activations are those of the test images */
    int hidden;              /* layers                               */
    pictures *shown, *weights, *activations[OPTION_LIST_CAPACITY];
} exhibit;

/* Reads the test images of the folder. */
void exhibit_open(exhibit *out, const char *folder);
void exhibit_close(exhibit *of);

/* Shows a network, until exhibit_hide, which has to come before the network is destroyed. */
void exhibit_show(exhibit *of, glnn_context *ctx, glnn_learner *network);
void exhibit_hide(exhibit *of);

/* Takes other test images. */
void exhibit_change(exhibit *of);

/* Lets the network answer. The answers of this call arrive in one of the next. */
void exhibit_ask(exhibit *of);

/* Draw the pictures, the weights with so many in a row. The activations are those of the latest
 * exhibit_ask; before the first one they are not drawn. */
void exhibit_draw_digits(exhibit *of);
void exhibit_draw_weights(exhibit *of, int columns);

#endif
