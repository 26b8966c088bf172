/* The numbers of batch normalisation. */
#ifndef GLNN__LAYERS_BATCH_NORM_H
#define GLNN__LAYERS_BATCH_NORM_H

/* Added to a variance before its square root divides. */
#define GLNN__BATCH_NORM_EPSILON 1e-5f

#endif
