/* A distorter gathers the images of a batch distorted. It keeps a copy of the images in a texture
 * of its own, the *atlas*, in which pixels of the background separate neighbouring images, so that
 * the texture filter can interpolate between pixels. */
#ifndef GLNN__DISTORTIONS_DISTORTER_H
#define GLNN__DISTORTIONS_DISTORTER_H

#include "pass/pass.h"

#include <glnn/distortion.h>

typedef struct glnn__distorter glnn__distorter;

/* Images, one in each row of a matrix. */
typedef struct glnn__images {
    const glnn_matrix *pixels;
    int count;
    uint64_t version; /* differs whenever the pixels of the same matrix do */
} glnn__images;

/* Images of a batch, as glnn__gather takes them, and their place in a training. */
typedef struct glnn__presentation {
    const glnn_matrix *index; /* NULL: images first, first + 1, ... */
    glnn__uniform first;
    int count;
    glnn__uniform step;
    glnn__uniform place; /* of the first image in the step */
} glnn__presentation;

/* `desc` is resolved (distortions/distortion.h). */
glnn_status glnn__distorter_create(glnn_context *ctx, const glnn_distortion *desc, uint64_t seed,
                                   glnn__distorter **out);

/* NULL does nothing. */
void glnn__distorter_destroy(glnn__distorter *distorter);

/* Creates an atlas for as many images as the matrix has rows, unless it exists. E_LIMIT: they do
 * not fit. */
glnn_status glnn__distorter_reserve(glnn__distorter *distorter, const glnn_matrix *pixels);

/* Copies images to the atlas and draws the displacements of a step, unless they are there. */
glnn_status glnn__distorter_prepare(glnn__distorter *distorter, const glnn__images *from,
                                    uint64_t step);

/* Row i of out, for i < what->count, becomes the distorted image of entry i of the presentation,
 * one of the `images` that are in the atlas; the other rows become zero. */
glnn_status glnn__distorter_gather(const glnn__distorter *distorter, int images,
                                   const glnn__presentation *what, glnn_matrix *out);

#endif
