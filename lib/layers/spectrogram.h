/* The numbers of a spectrogram, for its layer and its C files. */
#ifndef GLNN__LAYERS_SPECTROGRAM_H
#define GLNN__LAYERS_SPECTROGRAM_H

#include "layers/layer.h"

typedef struct glnn__spectrogram {
    int length, window, hop, frames;
    int bands, bins; /* bins: those below half of the sample rate, without the mean */
} glnn__spectrogram;

glnn__spectrogram glnn__spectrogram_of(const glnn__layer *layer);

/* Element n of the window, whose sum is 1. */
double glnn__spectrogram_window(const glnn__spectrogram *of, int n);

/* A bin lies between two corners: in the rising side of a triangle and in the falling side of the
 * one before it. */
typedef struct glnn__mel_bin {
    int band;              /* the triangle that rises, 0 to bands: there may be none */
    float rising, falling; /* the heights of both */
} glnn__mel_bin;

/* Of bin 1 and higher ones. */
glnn__mel_bin glnn__mel_bin_of(const glnn__layer *layer, int bin);

#endif
