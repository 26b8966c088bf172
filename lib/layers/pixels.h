/* The two forms of a signal (layers/layer.h), and the passes that turn one into the other. */
#ifndef GLNN__LAYERS_PIXELS_H
#define GLNN__LAYERS_PIXELS_H

#include "tex/matrix.h"

#include <glnn/map.h>
#include <glnn/network.h>

/* pixels, (samples * height * width) x channels, gets the numbers of `flat`, samples x (channels *
 * height * width). */
glnn_status glnn__to_pixels(glnn_context *ctx, const glnn_matrix *flat, glnn_shape shape,
                            glnn_matrix *pixels);

/* The same, times f'(y): y has the form of `pixels` and has gone through f. */
glnn_status glnn__to_pixels_times(glnn_context *ctx, const glnn_matrix *flat, glnn_shape shape,
                                  glnn_map f, const glnn_matrix *y, glnn_matrix *pixels);

/* flat = the same numbers as `pixels`. */
glnn_status glnn__to_flat(glnn_context *ctx, const glnn_matrix *pixels, glnn_shape shape,
                          glnn_matrix *flat);

/* The same, times f'(y): y has the form of `flat` and has gone through f. */
glnn_status glnn__to_flat_times(glnn_context *ctx, const glnn_matrix *pixels, glnn_shape shape,
                                glnn_map f, const glnn_matrix *y, glnn_matrix *flat);

#endif
