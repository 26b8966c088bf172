/* The pictures of an exhibit in sections of the panel. Lengths are in units of the panel. */
#ifndef EXAMPLES_GALLERY_H
#define EXAMPLES_GALLERY_H

#include "exhibit.h"

/* The weights of the first layer, in a grid that fills the section. */
void gallery_show_weights(exhibit *of, float width, float height);

/* The test images next to each other, each with its label, the answer of the network and the
 * activations below. */
void gallery_show_digits(exhibit *of, float width, float height);

#endif
